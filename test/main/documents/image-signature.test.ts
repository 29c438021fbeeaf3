import { describe, expect, it } from "vitest"
import { sniffImage } from "../../../src/main/documents/image-signature.ts"

/** The header of a WebP file of 264 bytes. */
const riff = "52494646 00010000 57454250"
const text = (value: string) => new TextEncoder().encode(value)
const hex = (value: string) => Uint8Array.from(Buffer.from(value.replaceAll(" ", ""), "hex"))

describe("the head of an image", () => {
  it.each([
    ["a PNG", "89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0806000000", "image/png", 640, 480],
    ["a PNG that ends behind its signature", "89504e470d0a1a0a", "image/png", undefined, undefined],
    [
      "a PNG without a width",
      "89504e470d0a1a0a 0000000d 49484452 00000000 000001e0",
      "image/png",
      undefined,
      undefined,
    ],
    ["a JPEG", "ffd8 ffe00004 0000 ffc00011 08 01e0 0280 03 012200 021101 031101", "image/jpeg", 640, 480],
    ["a JPEG whose frame header is far behind", "ffd8 ffe1fff0 45786966", "image/jpeg", undefined, undefined],
    ["a JPEG of three bytes", "ffd8ff", "image/jpeg", undefined, undefined],
    ["a GIF", "474946383961 8002 e001 f70000", "image/gif", 640, 480],
    ["a GIF of a giant screen", "474946383761 2120 2121 202020 21f904 0500000000", "image/gif", 0x2021, 0x2121],
    ["a lossy WebP", `${riff} 56503820 00010000 000000 9d012a 8002 e001`, "image/webp", 640, 480],
    ["a lossless WebP", `${riff} 5650384c 00010000 2f 7fc27700 ${"00".repeat(8)}`, "image/webp", 640, 480],
    ["an extended WebP", `${riff} 56503858 0a000000 02000000 7f0200 df0100`, "image/webp", 640, 480],
    ["a BMP", `424d 36840300 00000000 36000000 28000000 80020000 20feffff 0100 1800`, "image/bmp", 640, 480],
    [
      "an OS/2 BMP",
      `424d 36840300 00000000 1a000000 0c000000 8002 e001 0100 1800 ${"00".repeat(8)}`,
      "image/bmp",
      640,
      480,
    ],
    ["a TIFF of Intel", "49492a00 08000000", "image/tiff", undefined, undefined],
    ["a TIFF of Motorola", "4d4d002a 00000008", "image/tiff", undefined, undefined],
    ["an AVIF", "0000001c 66747970 6d696631 00000000 6d696631 61766966 6d696166", "image/avif", undefined, undefined],
    ["a HEIC", "00000018 66747970 68656963 00000000 6d696631 68656963", "image/heic", undefined, undefined],
    ["a JPEG XL container", "0000000c4a584c20 0d0a870a", "image/jxl", undefined, undefined],
    ["a JPEG XL code stream", "ff0a 7f01 0f00", "image/jxl", undefined, undefined],
    ["an icon", "00000100 0100 10100000 0100 2000 68040000 16000000", "image/x-icon", undefined, undefined],
  ])("tells %s", (_, bytes, mimeType, width, height) => {
    const image = sniffImage(hex(bytes))
    expect(image).toMatchObject({ mimeType })
    expect([image?.width, image?.height]).toEqual([width, height])
  })

  it.each([
    ["a CSV whose first column is BM", text("BM,name,year\nBM,model,1999\nBMW,model,year\n")],
    ["a long note that begins with BM", text(`BM${"a note about bitmaps. ".repeat(400)}`)],
    ["a note that begins with GIF89a", text("GIF89a is the format with transparency; it has frames.\n")],
    ["the six characters GIF89a", text("GIF89a")],
    ["a Latin-1 note that begins with GIF89a", hex("474946383961 2063616665e9 2c20 746f75742064652073756974650a")],
    ["a note that begins with RIFF", text("RIFF1234WEBPVP8 is how such a file begins, roughly speaking")],
    ["a note in TIFF's first letters", text("II*nothing of the kind")],
    ["a page named .png", text("<!doctype html><title>404</title>")],
    ["an SVG", text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["nothing", text("")],
    ["a bitmap header with two planes", hex("424d 36840300 00000000 36000000 28000000 80020000 e0010000 0200 1800")],
    ["an MP4 film", hex("0000001c 66747970 69736f6d 00000200 69736f6d 69736f32 6d703431")],
    ["an MPEG sound", hex("fffb9064 00000000 00000000")],
    ["UTF-16 text", hex("fffe 4200 4d00")],
    ["zeros", new Uint8Array(64)],
  ])("does not take %s for an image", (_, head) => {
    expect(sniffImage(head)).toBeUndefined()
  })

  it("never throws, whatever stands behind a signature", () => {
    const signatures = [
      "89504e470d0a1a0a",
      "ffd8ff",
      "474946383961",
      "424d",
      `${riff} 56503858`,
      "00000100",
      "0000ff1c66747970",
    ]
    let seed = 7
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed >>> 24
    }
    for (const signature of signatures) {
      for (let length = 0; length < 200; length += 1) {
        const head = Uint8Array.from([...hex(signature), ...Array.from({ length }, random)])
        const image = sniffImage(head)
        if (image?.width !== undefined) expect(image.width).toBeGreaterThan(0)
        expect(image === undefined || image.mimeType.startsWith("image/")).toBe(true)
      }
    }
  })
})
