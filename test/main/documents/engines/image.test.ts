import sharp from "sharp"
import { describe, expect, it } from "vitest"
import type { EncodedImage } from "../../../../src/main/documents/engines/engine.ts"
import { createImageEngine } from "../../../../src/main/documents/engines/image.ts"
import type { ImageJob, JobOutcome } from "../../../../src/main/documents/extractor-protocol.ts"
import { buildBmp } from "../../../support/build-bmp.ts"
import { buildJpeg } from "../../../support/build-jpeg.ts"
import { buildPng } from "../../../support/build-png.ts"
import { decodeImage } from "../../../support/decode-image.ts"
import {
  brokenForms,
  brokenImages,
  foreignImages,
  type Specimen,
  shade,
  wholeImages,
} from "../../../support/image-corpus.ts"

const LIMITS = { maxPixels: 100_000_000, maxSidePixels: 2_000, maxImageBytes: 3_538_944 }
const engine = await createImageEngine()

interface Converted {
  outcome: JobOutcome
  image: EncodedImage | undefined
}

async function convert(bytes: Uint8Array, mimeType: string, asked: Partial<ImageJob> = {}): Promise<Converted> {
  const session = engine.begin({ kind: "image", mimeType, limits: LIMITS, ...asked } as ImageJob, bytes.length)
  session.write(bytes)
  let image: EncodedImage | undefined
  const outcome = await session.finish({
    opened: async () => undefined,
    page: async () => undefined,
    image: async (_page, encoded) => {
      image = encoded
    },
    remainingMs: () => 60_000,
  })
  return { outcome, image }
}

/** Either one reason, or an image that a second decoder opens with the promised size and type. */
async function expectReasonOrImage({ outcome, image }: Converted, name: string): Promise<void> {
  if (image === undefined) {
    expect([name, outcome.notRead]).not.toEqual([name, undefined])
    return
  }
  expect([name, outcome.notRead]).toEqual([name, undefined])
  const decoded = await decodeImage(Buffer.from(image.data), image.mimeType)
  expect([name, decoded.width, decoded.height]).toEqual([name, image.width, image.height])
}

const whole = await wholeImages()
const foreign = await foreignImages()
const named = (name: string): Specimen => {
  const found = whole.find((specimen) => specimen.name === name)
  if (found === undefined) throw new Error(`No specimen: ${name}`)
  return found
}

describe("The image engine", () => {
  it.each(whole)("shows a whole $name", async ({ bytes, mimeType, width, height, frames, orientation = 1 }) => {
    const converted = await convert(bytes, mimeType)
    await expectReasonOrImage(converted, mimeType)
    const turned = orientation > 4
    const upright = { width: turned ? height : width, height: turned ? width : height }
    expect(converted.image).toMatchObject(upright)
    expect(converted.outcome.original).toEqual({ ...upright, ...(frames === undefined ? {} : { frames }) })
  })

  it.each(whole)(
    "answers every broken form of a $name with a reason, or with an image that is whole",
    async (specimen) => {
      for (const broken of brokenForms(specimen)) {
        await expectReasonOrImage(await convert(broken.bytes, broken.mimeType), broken.name)
      }
    },
  )

  it.each(foreign)("makes an image that providers take of a $name", async ({ bytes, mimeType, width, height }) => {
    const converted = await convert(bytes, mimeType)
    await expectReasonOrImage(converted, mimeType)
    expect(converted.outcome).toMatchObject({ converted: true, original: { width, height } })
    expect(converted.image).toMatchObject({ width, height })
  })

  it.each(foreign)("never shows half of a $name", async (specimen) => {
    for (const broken of brokenForms(specimen)) {
      const converted = await convert(broken.bytes, broken.mimeType)
      await expectReasonOrImage(converted, broken.name)
      if (broken.mayDecode === true || converted.image === undefined) continue
      // What was cut off or overwritten held no pixel: the picture is the whole one.
      const whole = await convert(specimen.bytes, specimen.mimeType)
      expect([broken.name, Buffer.from(converted.image.data)]).toEqual([
        broken.name,
        Buffer.from(whole.image?.data ?? []),
      ])
    }
  })

  it.each(brokenImages())("refuses a $name", async ({ bytes, mimeType, name }) => {
    const { outcome, image } = await convert(bytes, mimeType)
    expect([name, image]).toEqual([name, undefined])
    expect(outcome.notRead).toBeDefined()
  })

  it.each(["PNG of colour type 2, 8 bits", "JPEG, baseline", "GIF", "WebP, lossy"])(
    "passes a %s on byte for byte",
    async (name) => {
      const { bytes, mimeType } = named(name)
      const { image, outcome } = await convert(bytes, mimeType)
      expect(Buffer.from(image?.data ?? []).equals(bytes)).toBe(true)
      expect(outcome.converted).toBe(false)
    },
  )

  it("turns every EXIF orientation upright, and strips what says so", async () => {
    const upright = await decodeImage(named("JPEG of EXIF orientation 1").bytes, "image/jpeg")
    const corner = (data: Uint8Array, width: number, x: number, y: number) => data[(y * width + x) * 4] ?? 0
    for (let orientation = 2; orientation <= 8; orientation++) {
      // The stored image is the same: seen upright, its first pixel lies in another corner.
      const { image } = await convert(named(`JPEG of EXIF orientation ${orientation}`).bytes, "image/jpeg")
      if (image === undefined) throw new Error("No image")
      const { width, height, data } = await decodeImage(Buffer.from(image.data), image.mimeType)
      const [x, y] = [
        [0, 0],
        [width - 1, 0],
        [width - 1, height - 1],
        [0, height - 1],
        [0, 0],
        [width - 1, 0],
        [width - 1, height - 1],
        [0, height - 1],
      ][orientation - 1] as [number, number]
      expect(Math.abs(corner(data, width, x, y) - corner(upright.data, upright.width, 0, 0))).toBeLessThan(24)
      expect((await sharp(image.data).metadata()).orientation ?? 1).toBe(1)
    }
  })

  it("shrinks a long side to the bound, and says what it was", async () => {
    const bytes = buildPng({ width: 4_000, height: 500, sample: (x, y) => (x ^ y) & 255 })
    const { image, outcome } = await convert(bytes, "image/png")
    expect(image).toMatchObject({ width: 2_000, height: 250 })
    expect(outcome).toMatchObject({ converted: true, original: { width: 4_000, height: 500 } })
  })

  it("keeps flat graphics PNG, and makes photographs JPEG", async () => {
    const flat = buildPng({ width: 2_400, height: 900, sample: (x, y) => (((x >> 5) + (y >> 5)) % 2 === 0 ? 250 : 20) })
    expect((await convert(flat, "image/png")).image?.mimeType).toBe("image/png")
    let state = 1
    const noise = Buffer.alloc(2_200 * 900 * 3)
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      noise[at] = 96 + (state >>> 26)
    }
    const photo = await sharp(noise, { raw: { width: 2_200, height: 900, channels: 3 } })
      .png()
      .toBuffer()
    expect((await convert(photo, "image/png")).image?.mimeType).toBe("image/jpeg")
  })

  it("steps down until the bytes fit", async () => {
    const bytes = buildPng({
      width: 600,
      height: 600,
      sample: (x, y, c) => (Math.imul(x * 7919 + y * 104_729 + c, 2_654_435_761) >>> 24) & 255,
    })
    const { image } = await convert(bytes, "image/png", { limits: { ...LIMITS, maxImageBytes: 20_000 } })
    expect(image?.data.byteLength).toBeLessThanOrEqual(20_000)
    if (image !== undefined) await decodeImage(Buffer.from(image.data), image.mimeType)
  })

  it("reads a region at full detail, cut at the edge", async () => {
    const bytes = buildPng({ width: 3_000, height: 40, sample: shade })
    const { image } = await convert(bytes, "image/png", { region: { x: 2_900, y: 10, width: 500, height: 20 } })
    expect(image).toMatchObject({ width: 100, height: 20 })
    const outside = await convert(bytes, "image/png", { region: { x: 3_000, y: 0, width: 1, height: 1 } })
    expect(outside.outcome).toMatchObject({ notRead: "unsupported", message: expect.stringContaining("3000 x 40") })
  })

  it("converts colours to sRGB", async () => {
    const red = { width: 8, height: 8, channels: 3 as const, background: { r: 255, g: 0, b: 0 } }
    const cmyk = await sharp({ create: red }).toColourspace("cmyk").jpeg().toBuffer()
    const { image } = await convert(cmyk, "image/jpeg")
    if (image === undefined) throw new Error("No image")
    expect((await sharp(image.data).metadata()).space).toBe("srgb")
    const { data } = await decodeImage(Buffer.from(image.data), image.mimeType)
    expect(data[0]).toBeGreaterThan(180)
    expect(data[1]).toBeLessThan(80)
  })

  it("decodes bitmaps to the colours that they hold", async () => {
    const bytes = buildBmp({
      width: 3,
      height: 2,
      depth: 24,
      pixel: (x, y) => ((x * 100) << 16) | ((y * 200) << 8) | 7,
    })
    const { image } = await convert(bytes, "image/bmp")
    if (image === undefined) throw new Error("No image")
    const { data } = await decodeImage(Buffer.from(image.data), image.mimeType)
    expect([...data.subarray(0, 3), ...data.subarray(8, 11), ...data.subarray(12, 15)]).toEqual([
      0, 0, 7, 200, 0, 7, 0, 200, 7,
    ])
  })

  it.each([1, 4, 8] as const)("decodes bitmaps of %i bits to the colours of their palette", async (depth) => {
    const palette = Array.from({ length: 2 ** depth }, (_, nth): [number, number, number] => [nth * 3, 255 - nth, 7])
    const pixel = (x: number, y: number) => (x + y * 2) % 2 ** depth
    const { image } = await convert(buildBmp({ width: 13, height: 5, depth, palette, pixel }), "image/bmp")
    if (image === undefined) throw new Error("No image")
    const { data } = await decodeImage(Buffer.from(image.data), image.mimeType)
    for (let y = 0; y < 5; y++) {
      for (let x = 0; x < 13; x++) {
        const at = (y * 13 + x) * 4
        expect([...data.subarray(at, at + 3)]).toEqual(palette[pixel(x, y)]?.map((value) => value & 255))
      }
    }
  })

  it.each([
    ["image/heic", "HEIC"],
    ["image/jxl", "JPEG XL"],
    ["image/x-icon", "ICO"],
  ])("names %s, which it has no decoder for", async (mimeType, name) => {
    const { outcome } = await convert(Buffer.from("whatever"), mimeType)
    expect(outcome).toMatchObject({ notRead: "unsupported", message: `${name} is not decoded here` })
  })

  it("says that sharp could not be loaded, and nothing else", async () => {
    const broken = await createImageEngine(async () => {
      throw new Error('Could not load the "sharp" module\nmore')
    })
    const session = broken.begin({ kind: "image", mimeType: "image/png", limits: LIMITS }, 4)
    const outcome = await session.finish({} as never)
    expect(outcome).toMatchObject({
      notRead: "unavailable",
      message: 'sharp could not be loaded: Could not load the "sharp" module',
    })
  })

  it("takes bytes by what they are, whatever was said of them", async () => {
    const jpeg = buildJpeg({ width: 9, height: 9, colour: () => [1, 2, 3] })
    expect((await convert(jpeg, "image/png")).outcome.notRead).toBe("unsupported")
  })
})
