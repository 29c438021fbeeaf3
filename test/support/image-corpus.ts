import sharp, { type Sharp } from "sharp"
import { buildBmp } from "./build-bmp.ts"
import { buildGif } from "./build-gif.ts"
import { buildJpeg } from "./build-jpeg.ts"
import { buildApng, buildPng, PNG_SIGNATURE, pngChunk, pngHeader } from "./build-png.ts"

/** A file of the corpus. */
export interface Specimen {
  name: string
  bytes: Buffer
  /** As the file's own head says. */
  mimeType: string
  /** Pixels as stored. */
  width: number
  height: number
  frames?: number
  /** EXIF. */
  orientation?: number
  /** Whether a decoder may find pixels in it all the same, as in a JPEG with a hole. */
  mayDecode?: boolean
}

const WIDTH = 61
const HEIGHT = 37

/** A gradient with an edge in it, 0 to 255: no two rows or columns are alike. */
export function shade(x: number, y: number, channel: number): number {
  const edge = x + y > 50 ? 96 : 0
  return (x * (3 - channel) + y * (channel + 2) + edge) % 256
}

const GREYS = (count: number) =>
  Array.from({ length: count }, (_, index): [number, number, number] => {
    const grey = Math.round((index * 255) / (count - 1))
    return [grey, 255 - grey, grey]
  })

function pngs(): Specimen[] {
  const size = { width: WIDTH, height: HEIGHT }
  const scaled = (depth: number) => (x: number, y: number, channel: number) =>
    depth === 16 ? shade(x, y, channel) * 257 : shade(x, y, channel) >> (8 - depth)
  const kinds = [
    ...([1, 2, 4, 8, 16] as const).map((depth) => ({ colour: 0, depth }) as const),
    ...([8, 16] as const).flatMap((depth) => ([2, 4, 6] as const).map((colour) => ({ colour, depth }) as const)),
  ]
  const plain = kinds.flatMap(({ colour, depth }) =>
    [false, true].map((interlaced) => ({
      name: `PNG of colour type ${colour}, ${depth} bits${interlaced ? ", interlaced" : ""}`,
      bytes: buildPng({ ...size, colour, depth, interlaced, sample: scaled(depth) }),
    })),
  )
  const palettes = ([1, 2, 4, 8] as const).map((depth) => ({
    name: `PNG of a palette, ${depth} bits`,
    bytes: buildPng({ ...size, colour: 3, depth, palette: GREYS(2 ** depth), sample: scaled(depth) }),
  }))
  const see = pngChunk("tRNS", Buffer.from([0, 0, 0, 0, 0, 0]))
  const others = [
    { name: "PNG with a transparent colour", bytes: buildPng({ ...size, before: [see], sample: shade }) },
    { name: "PNG in many chunks", bytes: buildPng({ ...size, chunkBytes: 50, sample: shade }) },
    {
      name: "PNG with text and an unknown chunk",
      bytes: buildPng({
        ...size,
        sample: shade,
        before: [pngChunk("tEXt", Buffer.from("Author\0x"))],
        after: [pngChunk("prVt", see)],
      }),
    },
  ]
  return [...plain, ...palettes, ...others].map((png) => ({ ...png, ...size, mimeType: "image/png" }))
}

function rgb(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const raw = Buffer.alloc(width * height * channels)
  for (let at = 0; at < raw.length; at += 1) {
    const pixel = Math.floor(at / channels)
    raw[at] = shade(pixel % width, Math.floor(pixel / width), at % channels)
  }
  return sharp(raw, { raw: { width, height, channels } })
}

async function jpegs(): Promise<Specimen[]> {
  const size = { width: WIDTH, height: HEIGHT }
  const colour = (x: number, y: number) => [shade(x, y, 0), shade(x, y, 1), shade(x, y, 2)] as const
  const turned = Array.from({ length: 8 }, (_, index) => ({
    name: `JPEG of EXIF orientation ${index + 1}`,
    bytes: buildJpeg({ ...size, orientation: index + 1, colour }),
    orientation: index + 1,
  }))
  const made = [
    { name: "JPEG, baseline", bytes: buildJpeg({ ...size, colour }) },
    {
      name: "JPEG with a preview before its header",
      bytes: buildJpeg({ ...size, orientation: 1, previewBytes: 60_000, colour }),
    },
    { name: "JPEG, progressive", bytes: await rgb(WIDTH, HEIGHT).jpeg({ progressive: true }).toBuffer() },
    { name: "JPEG, grey", bytes: await rgb(WIDTH, HEIGHT).greyscale().jpeg().toBuffer() },
    { name: "JPEG, CMYK", bytes: await rgb(WIDTH, HEIGHT).toColourspace("cmyk").jpeg().toBuffer() },
    { name: "JPEG with an ICC profile", bytes: await rgb(WIDTH, HEIGHT).withIccProfile("p3").jpeg().toBuffer() },
  ]
  return [...turned, ...made].map((jpeg) => ({ ...jpeg, ...size, mimeType: "image/jpeg" }))
}

function gifs(): Specimen[] {
  const size = { width: WIDTH, height: HEIGHT }
  const index = (x: number, y: number, frame: number) => ((shade(x, y, 0) + frame * 64) >> 6) & 3
  return [
    { name: "GIF", bytes: buildGif({ ...size, index }), ...size, mimeType: "image/gif" },
    {
      name: "GIF of 5 frames",
      bytes: buildGif({ ...size, index, frames: 5 }),
      ...size,
      mimeType: "image/gif",
      frames: 5,
    },
  ]
}

async function webps(): Promise<Specimen[]> {
  const size = { width: WIDTH, height: HEIGHT }
  const strip = await rgb(WIDTH, HEIGHT * 4)
    .raw()
    .toBuffer()
  const animation = sharp(strip, { raw: { width: WIDTH, height: HEIGHT * 4, channels: 3, pageHeight: HEIGHT } })
  const made: Pick<Specimen, "name" | "bytes" | "frames">[] = [
    { name: "WebP, lossy", bytes: await rgb(WIDTH, HEIGHT).webp().toBuffer() },
    { name: "WebP, lossless", bytes: await rgb(WIDTH, HEIGHT).webp({ lossless: true }).toBuffer() },
    { name: "WebP with alpha", bytes: await rgb(WIDTH, HEIGHT, 4).webp().toBuffer() },
    { name: "WebP of 4 frames", bytes: await animation.webp().toBuffer(), frames: 4 },
  ]
  return made.map((webp) => ({ ...webp, ...size, mimeType: "image/webp" }))
}

function bmps(): Specimen[] {
  const size = { width: WIDTH, height: HEIGHT }
  const grey = (x: number, y: number) => shade(x, y, 0)
  const colour = (x: number, y: number) => (shade(x, y, 0) << 16) | (shade(x, y, 1) << 8) | shade(x, y, 2)
  const made = [
    ...([1, 4, 8] as const).map((depth) => ({
      name: `BMP of ${depth} bits`,
      bytes: buildBmp({ ...size, depth, palette: GREYS(2 ** depth), pixel: (x, y) => grey(x, y) >> (8 - depth) }),
    })),
    { name: "BMP of 16 bits", bytes: buildBmp({ ...size, depth: 16, pixel: (x, y) => colour(x, y) & 0x7fff }) },
    { name: "BMP of 24 bits", bytes: buildBmp({ ...size, depth: 24, pixel: colour }) },
    { name: "BMP of 24 bits, top down", bytes: buildBmp({ ...size, depth: 24, topDown: true, pixel: colour }) },
    { name: "BMP of 32 bits", bytes: buildBmp({ ...size, depth: 32, pixel: colour }) },
    { name: "BMP of OS/2", bytes: buildBmp({ ...size, depth: 24, headerBytes: 12, pixel: colour }) },
    {
      name: "BMP of 565 bits",
      bytes: buildBmp({
        ...size,
        depth: 16,
        masks: [0xf800, 0x07e0, 0x001f, 0],
        pixel: (x, y) => colour(x, y) & 0xffff,
      }),
    },
    {
      name: "BMP with alpha",
      bytes: buildBmp({
        ...size,
        depth: 32,
        headerBytes: 124,
        masks: [0xff0000, 0xff00, 0xff, 0xff000000],
        pixel: (x, y) => (colour(x, y) | 0x80000000) >>> 0,
      }),
    },
  ]
  return made.map((bmp) => ({ ...bmp, ...size, mimeType: "image/bmp" }))
}

/** Whole files of every format that may be shown, each small. */
export async function wholeImages(): Promise<Specimen[]> {
  const apng = buildApng({ width: WIDTH, height: HEIGHT, sample: shade }, 3)
  const animated = {
    name: "APNG of 3 frames",
    bytes: apng,
    mimeType: "image/png",
    width: WIDTH,
    height: HEIGHT,
    frames: 3,
  }
  return [...pngs(), animated, ...(await jpegs()), ...gifs(), ...(await webps()), ...bmps()]
}

/** Whole files of formats that no provider takes, but libvips decodes. */
export async function foreignImages(): Promise<Specimen[]> {
  const picture = () => rgb(WIDTH, HEIGHT)
  const made = [
    { name: "TIFF", mimeType: "image/tiff", bytes: await picture().tiff({ compression: "none" }).toBuffer() },
    { name: "TIFF, packed", mimeType: "image/tiff", bytes: await picture().tiff({ compression: "lzw" }).toBuffer() },
    { name: "TIFF, JPEG inside", mimeType: "image/tiff", bytes: await picture().tiff().toBuffer() },
    { name: "AVIF", mimeType: "image/avif", bytes: await picture().avif({ effort: 0 }).toBuffer() },
  ]
  return made.map((image) => ({ ...image, width: WIDTH, height: HEIGHT }))
}

/** The ways to break a whole file, without regard to its format. */
export function brokenForms({ name, bytes, mimeType, ...rest }: Specimen): Specimen[] {
  const cuts = Array.from({ length: 20 }, (_, index) => Math.floor((bytes.length * (index + 1)) / 21))
  const holed = Buffer.from(bytes).fill(0, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.7))
  const noise = Buffer.from(bytes)
  for (let at = SIGNATURE_BYTES[mimeType] ?? 12, seed = 1; at < noise.length; at += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    noise[at] = seed >>> 24
  }
  const same = { ...rest, mimeType }
  return [
    ...cuts.map((cut) => ({
      ...same,
      name: `${name}, cut at ${cut} of ${bytes.length}`,
      bytes: bytes.subarray(0, cut),
    })),
    { ...same, name: `${name}, with a hole`, bytes: holed, mayDecode: true },
    { ...same, name: `${name}, random behind the signature`, bytes: noise },
  ]
}

const SIGNATURE_BYTES: Readonly<Record<string, number>> = {
  "image/png": 8,
  "image/jpeg": 4,
  "image/gif": 6,
  "image/bmp": 2,
}

/** Files that are broken in a way of their own format. */
export function brokenImages(): Specimen[] {
  const png = (width: number, height: number, pixels: Uint8Array) =>
    Buffer.concat([
      PNG_SIGNATURE,
      pngChunk("IHDR", pngHeader(width, height, 8, 2)),
      pngChunk("IDAT", pixels),
      pngChunk("IEND", Buffer.alloc(0)),
    ])
  const good = buildPng({ width: WIDTH, height: HEIGHT, sample: shade })
  const wrongSum = Buffer.from(good)
  const sum = wrongSum.length - 13
  wrongSum[sum] = (wrongSum[sum] ?? 0) ^ 1
  const pixels = good.subarray(41, good.length - 16)
  const jpeg = buildJpeg({ width: WIDTH, height: HEIGHT, colour: () => [1, 2, 3] })
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const flatJpeg = Buffer.from(jpeg)
  flatJpeg.writeUInt16BE(0, frame + 7)
  const gif = buildGif({ width: WIDTH, height: HEIGHT, index: () => 0 })
  const flatGif = Buffer.from(gif)
  flatGif.writeUInt16LE(0, 6)
  const size = { width: WIDTH, height: HEIGHT }
  return [
    { name: "PNG with a wrong checksum", bytes: wrongSum, mimeType: "image/png", ...size },
    { name: "PNG without pixels", bytes: png(WIDTH, HEIGHT, Buffer.alloc(0)), mimeType: "image/png", ...size },
    { name: "PNG of no width", bytes: png(0, HEIGHT, pixels), mimeType: "image/png", ...size },
    { name: "PNG of no height", bytes: png(WIDTH, 0, pixels), mimeType: "image/png", ...size },
    { name: "JPEG of no width", bytes: flatJpeg, mimeType: "image/jpeg", ...size },
    { name: "GIF of no width", bytes: flatGif, mimeType: "image/gif", ...size },
    {
      name: "BMP of no width",
      bytes: buildBmp({ width: 0, height: 9, depth: 24, pixel: () => 0 }),
      mimeType: "image/bmp",
      ...size,
    },
    {
      name: "PNG of 5 KB that claims 64,250 x 64,250",
      bytes: png(64_250, 64_250, Buffer.alloc(5_000, 0x78)),
      mimeType: "image/png",
      width: 64_250,
      height: 64_250,
    },
    { name: "PNG stub of 69 bytes", bytes: good.subarray(0, 69), mimeType: "image/png", ...size },
  ]
}
