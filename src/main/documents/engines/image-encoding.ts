import type { Sharp, SharpConstructor } from "sharp"
import type { EncodedImage } from "./engine.ts"

/** Pixels as they will be shown, sRGB, rows from the top without padding. */
export interface ShownPixels {
  data: Uint8Array
  width: number
  height: number
  /** 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha. */
  channels: 1 | 2 | 3 | 4
}

/** From this share of pixels that equal their left neighbour on, an image is a flat graphic: text, charts, windows. */
export const FLAT_SHARE = 0.5
/** Below this share a PNG is never the smaller one, and is not tried. */
export const NOISY_SHARE = 0.15
/** Of so few pixels the PNG costs nothing to try, and loses nothing. */
const SMALL_IMAGE_PIXELS = 65_536
/** The first is what photographs are commonly saved with. */
const JPEG_QUALITIES = [85, 70, 55, 40] as const
const SIDE_STEP = 0.75
/** Smaller than this, and a provider would make nothing of it. */
const MIN_SIDE_PIXELS = 16

/**
 * The pixels as PNG or JPEG of at most `maxBytes`. A flat graphic stays PNG where that fits, since JPEG smears text; of
 * anything else the smaller one is taken. What does not fit steps down in quality, then in size. `undefined` where
 * nothing fits. `withTime` puts the job's deadline on a pipeline.
 */
export async function encodeToFit(
  sharp: SharpConstructor,
  pixels: ShownPixels,
  maxBytes: number,
  withTime: (pipeline: Sharp) => Sharp,
): Promise<EncodedImage | undefined> {
  const share = flatShare(pixels)
  const transparent = hasTransparency(pixels)
  for (let scale = 1; ; scale *= SIDE_STEP) {
    const width = Math.max(1, Math.round(pixels.width * scale))
    const height = Math.max(1, Math.round(pixels.height * scale))
    if (scale < 1 && Math.max(width, height) < MIN_SIDE_PIXELS) return undefined
    const source = () => {
      const { data, width: rawWidth, height: rawHeight, channels } = pixels
      const raw = sharp(data, { raw: { width: rawWidth, height: rawHeight, channels }, limitInputPixels: false })
      return withTime(scale === 1 ? raw : raw.resize(width, height, { fit: "fill" }))
    }
    const keepsPng = share >= FLAT_SHARE || transparent
    const triesPng = keepsPng || share >= NOISY_SHARE || width * height <= SMALL_IMAGE_PIXELS
    const png = triesPng ? await asPng(transparent ? source() : source().removeAlpha()).toBuffer() : undefined
    const pngFits = png !== undefined && png.byteLength <= maxBytes
    if (pngFits && keepsPng) return { data: png, mimeType: "image/png", width, height }
    for (const quality of JPEG_QUALITIES) {
      const jpeg = await asJpeg(source(), quality).toBuffer()
      if (pngFits && png.byteLength <= jpeg.byteLength) return { data: png, mimeType: "image/png", width, height }
      if (jpeg.byteLength <= maxBytes) return { data: jpeg, mimeType: "image/jpeg", width, height }
    }
    if (pngFits) return { data: png, mimeType: "image/png", width, height }
  }
}

/** The pipeline, its end an encoder at its best: nothing is tried that would make it smaller. */
export function encodedAs(mimeType: "image/png" | "image/jpeg", pipeline: Sharp): Sharp {
  return mimeType === "image/png" ? asPng(pipeline) : asJpeg(pipeline, JPEG_QUALITIES[0])
}

function asPng(pipeline: Sharp): Sharp {
  return pipeline.png({ compressionLevel: 6 })
}

function asJpeg(pipeline: Sharp, quality: number): Sharp {
  return pipeline.flatten({ background: "white" }).jpeg({ quality })
}

/** Share of pixels that equal their left neighbour, over some hundred rows. */
export function flatShare({ data, width, height, channels }: ShownPixels): number {
  const rowStep = Math.max(1, Math.floor(height / 128))
  let equal = 0
  let seen = 0
  for (let y = 0; y < height; y += rowStep) {
    const end = (y + 1) * width * channels
    for (let at = (y * width + 1) * channels; at < end; at += channels) {
      let channel = 0
      while (channel < channels && data[at + channel] === data[at + channel - channels]) channel += 1
      if (channel === channels) equal += 1
      seen += 1
    }
  }
  return seen === 0 ? 1 : equal / seen
}

function hasTransparency({ data, channels }: ShownPixels): boolean {
  if (channels === 1 || channels === 3) return false
  if (channels === 4 && data.byteOffset % 4 === 0) {
    // Four bytes at a time, which takes half as long before it is compiled well.
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
    let inAll = OPAQUE
    for (let at = 0; at < pixels.length; at += 1) inAll &= pixels[at] ?? 0
    return inAll !== OPAQUE
  }
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true
  return false
}

/** The last of four bytes, in this machine's order. */
const OPAQUE = new Int32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0] ?? 0
