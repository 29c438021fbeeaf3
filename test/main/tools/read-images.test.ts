import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp, { type Sharp } from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import type { ReadToolInput } from "../../../src/main/tools/parameters.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import type { ReadResult } from "../../../src/main/tools/read-result.ts"
import type { ReadToolOptions } from "../../../src/main/tools/read-tool-options.ts"
import { buildJpeg } from "../../support/build-jpeg.ts"
import { buildPng, PNG_SIGNATURE, pngChunk, pngHeader } from "../../support/build-png.ts"
import { decodeImage } from "../../support/decode-image.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../support/document-extraction.ts"
import { brokenForms, type Specimen, wholeImages } from "../../support/image-corpus.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const documentExtractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  maxSpares: 0,
  limits: { documentDeadlineMs: 60_000 },
})
const whole = await wholeImages()
let folder: ToolFolder

beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(async () => {
  await documentExtractor.close()
  await folder.remove()
})

async function readImage(
  name: string,
  bytes: Uint8Array | string,
  input: Partial<ReadToolInput> = {},
  options: ReadToolOptions = {},
): Promise<ReadResult> {
  await writeFile(join(folder.path, name), bytes)
  return callRead(createReadTool({ documentExtractor, ...options }), folder.env, { path: name, ...input })
}

function wordsOf(result: ReadResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("")
}

/** The image as a second decoder opens it, at the size and type that the details promise. */
async function shownBy(result: ReadResult) {
  const image = result.content.find((block) => block.type === "image")
  if (image === undefined) throw new Error(`No image: ${textOf(result)}`)
  const decoded = await decodeImage(Buffer.from(image.data, "base64"), image.mimeType)
  const { width, height } = decoded
  expect(result.details?.image).toMatchObject({ mimeType: image.mimeType, width, height })
  expect(result.receipt.image).toEqual(result.details?.image)
  return decoded
}

const specimen = (name: string): Specimen => {
  const found = whole.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`No specimen: ${name}`)
  return found
}

describe("The read tool, with images decoded in a process of their own", () => {
  it.each([
    "PNG of colour type 6, 16 bits, interlaced",
    "PNG of a palette, 4 bits",
    "JPEG, progressive",
    "JPEG, CMYK",
    "JPEG of EXIF orientation 6",
    "JPEG with an ICC profile",
    "GIF",
    "GIF of 5 frames",
    "WebP with alpha",
    "WebP of 4 frames",
    "APNG of 3 frames",
    "BMP of 8 bits",
    "BMP with alpha",
  ])("shows a %s", async (name) => {
    const { bytes, frames, orientation = 1, width, height } = specimen(name)
    const result = await readImage("picture", bytes)
    expect(wordsOf(result)).toMatch(/^Read image file \[image\/(png|jpeg|gif|webp)\]/)
    if (frames !== undefined) expect(wordsOf(result)).toContain(`[First of ${frames} frames.]`)
    const shown = await shownBy(result)
    expect([shown.width, shown.height]).toEqual(orientation > 4 ? [height, width] : [width, height])
  })

  it.each(["PNG of colour type 2, 8 bits", "JPEG, baseline", "GIF", "WebP, lossy", "BMP of 24 bits"])(
    "never shows half of a %s",
    async (name) => {
      const [cut, hole, noise] = brokenForms(specimen(name)).filter((_, nth) => [12, 20, 21].includes(nth))
      for (const broken of [cut, noise]) {
        if (broken === undefined) throw new Error("There are fewer broken forms")
        const result = await readImage("broken", broken.bytes)
        expect([broken.name, result.content.some(({ type }) => type === "image")]).toEqual([broken.name, false])
        expect(wordsOf(result)).toMatch(/not shown: |Binary file|^[^[]/)
      }
      const holed = await readImage("holed", hole?.bytes ?? "")
      if (holed.content.some(({ type }) => type === "image")) await shownBy(holed)
      else expect(wordsOf(holed)).toContain("not shown: ")
    },
  )

  it("shrinks at the read what a provider would refuse, and says how to map coordinates back", async () => {
    const bytes = buildPng({ width: 9_600, height: 774, sample: (x, y) => (((x >> 6) + (y >> 6)) & 1 ? 230 : 20) })
    const result = await readImage("wide.png", bytes)
    expect(wordsOf(result)).toBe(
      "Read image file [image/png]\n[Original 9600 x 774 pixels, shown at 2000 x 161. Multiply coordinates by 4.807 for the original.]",
    )
    await shownBy(result)
  })

  it.each([
    ["PNG", (image: Sharp) => image.png({ compressionLevel: 1 })],
    ["JPEG", (image: Sharp) => image.jpeg({ quality: 90 })],
  ])("shrinks a %s of 9,600 x 7,734 pixels", async (_format, encode) => {
    // Four by two fields, each of one colour.
    const colours = [10, 60, 110, 160, 210, 250, 90, 140]
    const data = Uint8Array.from(colours.flatMap((value) => [value, 255 - value, 128]))
    const fields = sharp(data, { raw: { width: 4, height: 2, channels: 3 } })
    const large = fields.resize(9_600, 7_734, { fit: "fill", kernel: "nearest" })
    const result = await readImage("large", await encode(large).toBuffer())
    expect(wordsOf(result)).toMatch(
      /\n\[Original 9600 x 7734 pixels( \(image\/jpeg\))?, shown at 2000 x 1611\. Multiply coordinates by 4\.801 for the original\.\]$/,
    )
    const { width, height, data: shown } = await shownBy(result)
    expect([width, height]).toEqual([2_000, 1_611])
    const channels = shown.length / (width * height)
    for (const [nth, value] of colours.entries()) {
      const [x, y] = [250 + (nth % 4) * 500, nth < 4 ? 400 : 1_200]
      expect(Math.abs((shown[(y * width + x) * channels] ?? 0) - value)).toBeLessThan(4)
    }
  })

  it("shows a region of it at full detail", async () => {
    const flat = (x: number, y: number, channel: number) => ((x >> 4) * 37 + (y >> 2) * 11 + channel * 50) & 255
    const bytes = buildPng({ width: 5_000, height: 60, sample: flat })
    const region = { x: 4_000, y: 10, width: 400, height: 30 }
    const result = await readImage("wide.png", bytes, { region })
    const { width, height, data } = await shownBy(result)
    expect([width, height]).toEqual([400, 30])
    expect(wordsOf(result)).toContain("Region x=4000 y=10, 400 x 30, of the original 5000 x 60 pixels")
    expect([...data.subarray(0, 3)]).toEqual([0, 1, 2].map((channel) => flat(4_000, 10, channel)))
  })

  it("names what it shows by content, not by the file's name", async () => {
    const jpeg = buildJpeg({ width: 20, height: 10, colour: () => [9, 9, 9] })
    expect((await readImage("really-a.png", jpeg)).details?.image?.mimeType).toBe("image/jpeg")
    expect(wordsOf(await readImage("page.png", "<html>no image</html>"))).toBe("<html>no image</html>")
    expect(wordsOf(await readImage("nothing.png", ""))).toBe("[Empty file: nothing.png]")
    expect(wordsOf(await readImage("drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatch(/^<svg/)
  })

  it("refuses before it decodes what claims to be enormous", async () => {
    const header = pngChunk("IHDR", pngHeader(64_250, 64_250, 8, 2))
    const bytes = Buffer.concat([PNG_SIGNATURE, header, pngChunk("IDAT", Buffer.alloc(5_000, 0x78))])
    expect(wordsOf(await readImage("bomb.png", bytes))).toBe(
      "[PNG image (4.9KB, 64250 x 64250 pixels), not shown: images over 100 megapixels are not decoded. Make a smaller PNG or JPEG of it and read that file.]",
    )
  })

  it("tells a model that takes no images what the file is", async () => {
    const { bytes } = specimen("JPEG, baseline")
    const result = await readImage("photo.jpg", bytes, {}, { acceptsImages: false })
    expect(wordsOf(result)).toMatch(
      /^\[JPEG image \(\d.*, 61 x 37 pixels\), not shown: this model takes no images\.\]$/,
    )
    expect(result.content).toHaveLength(1)
  })

  it("hands a host's own processor a Buffer, and decides nothing itself", async () => {
    const { bytes } = specimen("BMP of 24 bits")
    let seen: unknown
    const result = await readImage(
      "x.bmp",
      bytes,
      {},
      {
        imageProcessor: async (given, mimeType, { autoResizeImages }) => {
          seen = [Buffer.isBuffer(given), given.byteLength, mimeType, autoResizeImages]
          return { ok: true, data: "aGk=", mimeType: "image/png", hints: ["as told"] }
        },
      },
    )
    expect(seen).toEqual([true, bytes.length, "image/bmp", true])
    expect(wordsOf(result)).toBe("Read image file [image/png]\nas told")
  })
})
