import { describe, expect, it } from "vitest"
import { sniffImage } from "../../../src/main/documents/image-signature.ts"
import { DEFAULT_LIMITS } from "../../../src/main/limits.ts"
import { type ReadImageRequest, readImage } from "../../../src/main/tools/image-content.ts"
import type { ReadResult } from "../../../src/main/tools/read-result.ts"
import { BACKGROUND_CONTEXT, getOrThrow, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { buildGif } from "../../support/build-gif.ts"
import { buildJpeg } from "../../support/build-jpeg.ts"
import { buildPng, PNG_SIGNATURE, pngChunk, pngHeader } from "../../support/build-png.ts"
import { type ByteReaderOptions, byteReader } from "../../support/byte-reader.ts"
import { decodeImage } from "../../support/decode-image.ts"
import { brokenForms, brokenImages, type Specimen, shade, wholeImages } from "../../support/image-corpus.ts"

const whole = await wholeImages()

async function read(
  bytes: Uint8Array,
  options: Partial<ReadImageRequest> & ByteReaderOptions = {},
): Promise<ReadResult | undefined> {
  const image = sniffImage(bytes.subarray(0, 8_192))
  if (image === undefined) return undefined
  const reader = byteReader(bytes, options)
  return getOrThrow(await readImage({ reader, image, limits: DEFAULT_LIMITS, ...options }, BACKGROUND_CONTEXT))
}

function textOf(result: ReadResult | undefined): string {
  return (result?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
}

function imageOf(result: ReadResult | undefined) {
  return result?.content.find((part) => part.type === "image")
}

/** A notice, or an image that the second decoder opens with the promised size and type. */
async function expectNoticeOrImage(result: ReadResult | undefined): Promise<void> {
  const image = imageOf(result)
  if (image === undefined) {
    if (result !== undefined) expect(textOf(result)).toMatch(/^\[[A-Z][A-Za-z ]+ image \(.*\), not shown: [^\n]+\]$/)
    return
  }
  const decoded = await decodeImage(Buffer.from(image.data, "base64"), image.mimeType)
  const facts = result?.details?.image
  expect(facts).toMatchObject({ mimeType: image.mimeType, width: decoded.width, height: decoded.height })
  expect(result?.receipt.image).toEqual(facts)
}

describe("an image without a decoder", () => {
  const still = whole.filter(({ mimeType, frames }) => frames === undefined && mimeType !== "image/bmp")

  it.each(still)("passes on byte for byte: $name", async ({ bytes, mimeType, width, height }) => {
    const result = await read(bytes, { readBytes: 1_000 })
    expect(textOf(result)).toBe(`Read image file [${mimeType}]`)
    expect(Buffer.from(imageOf(result)?.data ?? "", "base64").equals(bytes)).toBe(true)
    expect(result?.details).toEqual({
      image: { mimeType, width, height, originalWidth: width, originalHeight: height, converted: false },
    })
    expect(result?.receipt).toMatchObject({ kind: "image", bytes: bytes.length, mimeType })
    if (!/CMYK/.test(mimeType)) await expectNoticeOrImage(result)
  })

  it("shows the first frame of an animated GIF alone, for providers refuse animations", async () => {
    const result = await read(named("GIF of 5 frames").bytes)
    expect(textOf(result)).toContain("[First of 5 frames.]")
    expect(result?.details?.image).toMatchObject({ frames: 5, converted: true })
    await expectNoticeOrImage(result)
  })

  it.each(whole.filter(({ mimeType, frames }) => (frames ?? 1) > 1 && mimeType !== "image/gif"))(
    "names what it cannot make a still image of: $name",
    async ({ bytes }) => {
      expect(textOf(await read(bytes))).toMatch(/, not shown: no image decoder is configured here/)
    },
  )

  it("names a BMP, which providers do not take", async () => {
    expect(textOf(await read(named("BMP of 24 bits").bytes))).toBe(
      "[BMP image (6.7KB, 61 x 37 pixels), not shown: no image decoder is configured here, and it cannot be passed on as it is. Convert it to PNG or JPEG and read that file.]",
    )
  })

  it.each(brokenImages())("never passes on a $name", async ({ bytes }) => {
    const result = await read(bytes)
    expect(imageOf(result)).toBeUndefined()
    await expectNoticeOrImage(result)
  })

  // Without decoding, damage within the coded pixels of a lossless WebP does not show.
  const breakable = whole.filter(({ name }) => !name.startsWith("WebP, lossless"))
  it.each(breakable)("never passes on broken forms of a $name", async (specimen) => {
    for (const broken of brokenForms(specimen)) {
      const result = await read(broken.bytes)
      // A hole in the coded pixels of a JPEG shows to a decoder alone: see the image engine's own tests.
      if (broken.mayDecode === true && broken.mimeType === "image/jpeg") continue
      if (broken.mayDecode !== true) expect([broken.name, imageOf(result)]).toEqual([broken.name, undefined])
      await expectNoticeOrImage(result)
    }
  })

  it("says that a damaged image is damaged", async () => {
    expect(textOf(await read(named("JPEG, baseline").bytes.subarray(0, 900)))).toBe(
      "[JPEG image (900B, 61 x 37 pixels), not shown: it is damaged or not complete.]",
    )
  })

  it("looks behind a camera's preview for the pixels", async () => {
    const bytes = buildJpeg({ width: 2_500, height: 8, orientation: 1, previewBytes: 60_000, colour: () => [9, 9, 9] })
    expect(textOf(await read(bytes))).toMatch(
      /^\[JPEG image \(\d+\.\dKB, 2500 x 8 pixels\), not shown: images over 2000 pixels/,
    )
  })

  it("refuses a side over the bound without reading on", async () => {
    const bytes = buildPng({ width: 2_001, height: 3, sample: shade })
    expect(textOf(await read(bytes))).toMatch(
      /2001 x 3 pixels\), not shown: images over 2000 pixels a side or 3\.4MB need/,
    )
  })

  it("refuses more bytes than base64 may take", async () => {
    const bytes = buildPng({ width: 40, height: 40, sample: shade })
    const limits = { ...DEFAULT_LIMITS, maxImageBase64Bytes: 4 * Math.ceil(bytes.length / 3) }
    expect(imageOf(await read(bytes, { limits }))).toBeDefined()
    expect(
      imageOf(await read(bytes, { limits: { ...limits, maxImageBase64Bytes: limits.maxImageBase64Bytes - 1 } })),
    ).toBeUndefined()
  })

  it("names each format that is recognized and no more", async () => {
    const heads = [
      ["HEIC", "00000018 66747970 68656963 00000000 6d696631 68656963"],
      ["AVIF", "0000001c 66747970 61766966 00000000 6d696631 61766966 6d696166"],
      ["TIFF", "49492a00 08000000"],
      ["JPEG XL", "0000000c4a584c20 0d0a870a"],
      ["ICO", "00000100 0100 10100000 0100 2000 68040000 16000000"],
    ]
    for (const [name, hex = ""] of heads) {
      const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex")
      expect(textOf(await read(bytes))).toMatch(
        new RegExp(`^\\[${name} image \\(\\d+B\\), not shown: .* Convert it to PNG`),
      )
    }
  })
})

describe("bounds", () => {
  it("asks for no more than the bound and one byte, whatever a file claims and however long it goes on", async () => {
    const endless = byteReader((position, length) => {
      const chunk = Buffer.alloc(length)
      for (let at = 0; at < length && position + at < 8; at += 1) chunk[at] = PNG_SIGNATURE[position + at] ?? 0
      return chunk
    })
    const request = {
      reader: endless,
      image: { format: "png", mimeType: "image/png" } as const,
      limits: DEFAULT_LIMITS,
    }
    const result = getOrThrow(await readImage({ ...request, imageProcessor: neverCalled }, BACKGROUND_CONTEXT))
    expect(textOf(result)).toMatch(/not shown: image files over 32\.0MB are not read/)
    expect(endless.served.last).toBe(DEFAULT_LIMITS.maxImageFileBytes + 1)
    expect(endless.served.longest).toBeLessThanOrEqual(262_144)
  })

  it("reads nothing of a file that is larger than the bound by its own word", async () => {
    const reader = byteReader(new Uint8Array(9), { claimedSize: DEFAULT_LIMITS.maxImageFileBytes + 1 })
    const request = { reader, image: { format: "gif", mimeType: "image/gif" } as const, limits: DEFAULT_LIMITS }
    const result = getOrThrow(await readImage({ ...request, imageProcessor: neverCalled }, BACKGROUND_CONTEXT))
    expect(textOf(result)).toMatch(/^\[GIF image \(32\.0MB\), not shown: image files over 32\.0MB are not read\./)
    expect(reader.served.bytes).toBe(0)
  })

  it.each([undefined, neverCalled])(
    "never hands on an image of more than 100 megapixels by its header",
    async (imageProcessor) => {
      const bomb = Buffer.concat([PNG_SIGNATURE, pngChunk("IHDR", pngHeader(10_001, 10_000, 8, 2)), Buffer.alloc(40)])
      const result = await read(bomb, { imageProcessor })
      expect(textOf(result)).toMatch(/10001 x 10000 pixels\), not shown: images over 100 megapixels are not decoded/)
    },
  )

  it.each([0, 7, 1_000_000])("reads a file that claims to hold %i bytes to its end", async (claimedSize) => {
    const { bytes } = named("JPEG, baseline")
    expect(imageOf(await read(bytes, { claimedSize, laterSize: claimedSize }))?.data).toBe(bytes.toString("base64"))
  })

  it("says so where the file was changed meanwhile", async () => {
    const result = await read(named("GIF").bytes, { laterSize: 5 })
    expect(textOf(result)).toContain("[File changed while it was read.]")
    expect(result?.receipt.changed).toBe(true)
  })
})

describe("an abort", () => {
  it("ends the call at each read", async () => {
    const { bytes } = named("PNG in many chunks")
    for (let reads = 0; reads < 4; reads += 1) {
      const abort = new AbortController()
      let left = reads
      const reader = byteReader((position, length) => {
        if (left === 0) abort.abort()
        left -= 1
        return bytes.subarray(position, position + Math.min(length, 700))
      })
      const request = { reader, image: { format: "png", mimeType: "image/png" } as const, limits: DEFAULT_LIMITS }
      const result = await readImage(request, withAbortSignal(abort.signal, BACKGROUND_CONTEXT))
      expect(result).toMatchObject({ ok: false, error: { code: "aborted" } })
    }
  })

  it("ends the call while the host's processor goes on for ever", async () => {
    const abort = new AbortController()
    const { bytes } = named("GIF")
    const imageProcessor = () => {
      abort.abort()
      return new Promise<never>(() => {})
    }
    const request = {
      reader: byteReader(bytes),
      image: { format: "gif", mimeType: "image/gif" } as const,
      imageProcessor,
    }
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const result = await readImage({ ...request, limits: DEFAULT_LIMITS }, context)
    expect(result).toMatchObject({ ok: false, error: { code: "aborted" } })
  })
})

describe("the options of the host", () => {
  it("names type, pixels and size to a model that takes no images", async () => {
    const result = await read(named("JPEG, baseline").bytes, { acceptsImages: false })
    expect(textOf(result)).toMatch(
      /^\[JPEG image \(\d\.\dKB, 61 x 37 pixels\), not shown: this model takes no images\.\]$/,
    )
    expect(result?.receipt).toMatchObject({ kind: "image", mimeType: "image/jpeg" })
  })

  it("hands every byte to the host's processor, in a Buffer, and shows what it answers as upstream does", async () => {
    const { bytes } = named("BMP of 24 bits")
    const calls: unknown[] = []
    const result = await read(bytes, {
      autoResizeImages: false,
      imageProcessor: async (data, mimeType, options) => {
        calls.push([Buffer.isBuffer(data) && bytes.equals(data), mimeType, options])
        return { ok: true, data: "AAAA", mimeType: "image/png", hints: ["[a hint]", "[another]"] }
      },
    })
    expect(calls).toEqual([[true, "image/bmp", { autoResizeImages: false }]])
    expect(result?.content).toEqual([
      { type: "text", text: "Read image file [image/png]\n[a hint]\n[another]" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ])
    expect(result?.details).toBeUndefined()
  })

  it("shows the message of a processor that failed", async () => {
    const result = await read(named("GIF").bytes, {
      imageProcessor: async () => ({ ok: false, message: "[no GIFs today]" }),
    })
    expect(result?.content).toEqual([{ type: "text", text: "Read image file [image/gif]\n[no GIFs today]" }])
  })

  it.each([
    ["throws", async () => Promise.reject(new Error("out of order")), "out of order"],
    [
      "answers nonsense",
      async () => ({ ok: true, data: 7 }) as never,
      "The host's imageProcessor answered something that is no image",
    ],
  ])("fails where the processor %s", async (_, imageProcessor, message) => {
    await expect(read(named("GIF").bytes, { imageProcessor })).rejects.toThrow(message)
  })
})

describe("a walk over blocks without end", () => {
  it("lets other work run", async () => {
    const chunks = Array.from({ length: 20_000 }, () => pngChunk("prVt", Buffer.alloc(0)))
    const bytes = buildPng({ width: 5, height: 5, sample: shade, before: chunks })
    let turns = 0
    let going = true
    const count = () => {
      turns += 1
      if (going) setImmediate(count)
    }
    setImmediate(count)
    expect(imageOf(await read(bytes))).toBeDefined()
    going = false
    expect(turns).toBeGreaterThan(15)
  })

  it.each([
    ["JPEG fill bytes", Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(2_000_000, 0xff)])],
    [
      "GIF extensions",
      Buffer.concat([buildGif({ width: 4, height: 4, index: () => 0 }).subarray(0, 25), Buffer.alloc(2_000_000, 0x21)]),
    ],
  ])("ends on %s", async (_, bytes) => {
    expect(imageOf(await read(bytes))).toBeUndefined()
  })
})

function named(name: string): Specimen {
  const specimen = whole.find((candidate) => candidate.name === name)
  if (specimen === undefined) throw new Error(`no ${name} in the corpus`)
  return specimen
}

const neverCalled = (): never => {
  throw new Error("the processor was called")
}
