import sharp from "sharp"
import { describe, expect, it } from "vitest"
import type { EncodedImage } from "../../../../src/main/documents/engines/engine.ts"
import { createImageEngine } from "../../../../src/main/documents/engines/image.ts"
import { guessImageEncoding } from "../../../../src/main/documents/engines/image-encoding-guess.ts"
import type { ImageJob } from "../../../../src/main/documents/extractor-protocol.ts"
import { buildPng } from "../../../support/build-png.ts"
import { decodeImage } from "../../../support/decode-image.ts"
import { brokenForms } from "../../../support/image-corpus.ts"

const WIDTH = 600
const HEIGHT = 400

/** No pixel like the next. */
function photograph() {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  let state = 1
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[at] = (at >>> 13) * 2 + (state >>> 26)
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
}

/** Marks on a ground with a margin, as text is. */
const isInk = (x: number, y: number) => x < 360 && y % 20 < 9 && x % 40 < 34 && ((x >> 2) * 7 + (y >> 1) * 3) % 5 < 2
const sheet = (colour: 0 | 2 | 4 | 6, depth: 8 | 16, alpha: (x: number) => number = () => 1) => {
  const most = 2 ** depth - 1
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colour]
  const sample = (x: number, y: number, channel: number) =>
    channels % 2 === 0 && channel === channels - 1 ? Math.round(most * alpha(x)) : isInk(x, y) ? 40 * channel : most
  return buildPng({ width: WIDTH, height: HEIGHT, colour, depth, sample })
}
const PALETTE = [
  [255, 255, 255],
  [20, 40, 160],
] as const

const straight = [
  { name: "photograph", mimeType: "image/jpeg", bytes: await photograph().jpeg({ quality: 90 }).toBuffer() },
  { name: "grey photograph", mimeType: "image/jpeg", bytes: await photograph().greyscale().jpeg().toBuffer() },
  {
    name: "CMYK photograph",
    mimeType: "image/jpeg",
    bytes: await photograph().toColourspace("cmyk").jpeg().toBuffer(),
  },
  { name: "sheet", mimeType: "image/png", bytes: sheet(2, 8) },
  { name: "sheet of 16 bits", mimeType: "image/png", bytes: sheet(2, 16) },
  { name: "grey sheet", mimeType: "image/png", bytes: sheet(0, 8) },
  { name: "grey sheet with holes", mimeType: "image/png", bytes: sheet(4, 8, (x) => (x < 300 ? 1 : 0.5)) },
  { name: "opaque sheet with an alpha channel", mimeType: "image/png", bytes: sheet(6, 8) },
  { name: "sheet with holes", mimeType: "image/png", bytes: sheet(6, 8, (x) => (x < 300 ? 1 : 0)) },
  {
    name: "sheet of a palette",
    mimeType: "image/png",
    bytes: buildPng({
      width: WIDTH,
      height: HEIGHT,
      colour: 3,
      depth: 1,
      palette: PALETTE,
      sample: (x, y) => (isInk(x, y) ? 1 : 0),
    }),
  },
].map((specimen) => ({ ...specimen, width: WIDTH, height: HEIGHT }))

const held = [
  { name: "photograph as PNG", mimeType: "image/png", bytes: await photograph().png().toBuffer() },
  { name: "sheet as JPEG", mimeType: "image/jpeg", bytes: await sharp(sheet(2, 8)).jpeg({ quality: 95 }).toBuffer() },
  {
    name: "photograph that is progressive",
    mimeType: "image/jpeg",
    bytes: await photograph().jpeg({ progressive: true }).toBuffer(),
  },
  {
    name: "photograph on its side",
    mimeType: "image/jpeg",
    bytes: await photograph().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  },
  {
    name: "interlaced sheet",
    mimeType: "image/png",
    bytes: await sharp(sheet(2, 8)).png({ progressive: true }).toBuffer(),
  },
  { name: "photograph as WebP", mimeType: "image/webp", bytes: await photograph().webp().toBuffer() },
  {
    name: "sheet under a photograph as PNG",
    mimeType: "image/png",
    bytes: await sharp(sheet(2, 8))
      .composite([{ input: await photograph().resize(WIDTH, 80).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer(),
  },
]

const engine = await createImageEngine()
const LIMITS = { maxPixels: WIDTH * HEIGHT, maxSidePixels: 300, maxImageBytes: 1_000_000 }

async function convert(bytes: Uint8Array, mimeType: string, asked: Partial<ImageJob> = {}) {
  const session = engine.begin({ kind: "image", mimeType, limits: LIMITS, ...asked } as ImageJob, bytes.byteLength)
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
  return { ...outcome, image }
}

async function guessOf(bytes: Buffer, mimeType: string) {
  const { width, height, orientation = 1, isProgressive } = await sharp(bytes).metadata()
  const topDown = orientation === 1 && isProgressive !== true
  return guessImageEncoding({ mimeType, byteLength: bytes.byteLength, width, height, topDown }, async (rows) => {
    const top = sharp(bytes).extract({ left: 0, top: 0, width, height: rows }).toColourspace("srgb").raw()
    const { data, info } = await top.toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels as 1 | 2 | 3 | 4 }
  })
}

describe("The guess of an encoding", () => {
  it.each(straight)("keeps the type of a $name", async ({ bytes, mimeType }) => {
    expect(await guessOf(bytes, mimeType)).toBe(mimeType)
  })

  it.each(held)("leaves a $name to be decoded first", async ({ bytes, mimeType }) => {
    expect(await guessOf(bytes, mimeType)).toBeUndefined()
  })

  it("asks for no more rows than there are", async () => {
    const asked: number[] = []
    const image = { mimeType: "image/png", byteLength: 60, width: 100, height: 3, topDown: true }
    await guessImageEncoding(image, async (rows) => {
      asked.push(rows)
      return { data: new Uint8Array(100 * rows), width: 100, height: rows, channels: 1 }
    })
    expect(asked).toEqual([3])
  })
})

describe("An image that is encoded straight from its file", () => {
  /** A region, be it all of the image, is decoded first. */
  const region = { x: 0, y: 0, width: WIDTH, height: HEIGHT }

  it.each(straight)("shows the pixels that a $name has when it is decoded first", async ({ bytes, mimeType }) => {
    const [one, other] = [await convert(bytes, mimeType), await convert(bytes, mimeType, { region })]
    if (one.image === undefined || other.image === undefined) throw new Error("No image")
    expect([one.image.mimeType, one.image.width, one.image.height]).toEqual([mimeType, 300, 200])
    expect(other.image.mimeType).toBe(mimeType)
    const shown = await decodeImage(Buffer.from(one.image.data), mimeType)
    const first = await decodeImage(Buffer.from(other.image.data), mimeType)
    const furthest = shown.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (first.data[at] ?? 0))), 0)
    // Rounded twice where there is an alpha channel, or 16 bits.
    expect(furthest).toBeLessThanOrEqual(2)
  })

  it.each(straight)("is whole, or refused: a $name", async (specimen) => {
    const { image: whole } = await convert(specimen.bytes, specimen.mimeType)
    for (const { name, bytes, mimeType, mayDecode } of brokenForms(specimen)) {
      const { image, notRead } = await convert(bytes, mimeType)
      if (image === undefined) expect([name, notRead]).not.toEqual([name, undefined])
      else if (mayDecode !== true)
        expect([name, Buffer.from(image.data).equals(whole?.data ?? new Uint8Array())]).toEqual([name, true])
    }
  })

  it("steps down where it does not fit", async () => {
    const [photo] = straight
    const limits = { ...LIMITS, maxImageBytes: 9_000 }
    const { image } = await convert(photo?.bytes ?? new Uint8Array(), "image/jpeg", { limits })
    expect(image?.data.byteLength).toBeLessThanOrEqual(9_000)
    expect((await decodeImage(Buffer.from(image?.data ?? new Uint8Array()), "image/jpeg")).width).toBe(image?.width)
  })
})
