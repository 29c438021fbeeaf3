import type { Metadata, Sharp, SharpConstructor, SharpOptions } from "sharp"
import { sniffImage } from "../image-signature.ts"
import { decodeBmp, readBmpSize } from "./bmp.ts"
import { countPngFrames } from "./png-frames.ts"

/** An image file whose header was read: what it says, and where libvips gets its pixels from. */
export interface ImageSource {
  open: () => Sharp
  /** Pixels of the upright image. */
  width: number
  height: number
  frames: number
  /** Shown upright, in colours that every viewer takes for sRGB. */
  plain: boolean
  /** Its first rows are coded before all others, and are at the top: not interlaced, not progressive, upright. */
  topDown: boolean
}

/** The names that libvips gives to what it takes the bytes for. */
const FORMATS: Readonly<Record<string, Metadata["format"]>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tiff",
  "image/avif": "heif",
}

/** `undefined` where the bytes are not what `mimeType` says. Throws what libvips throws. */
export async function openImage(
  sharp: SharpConstructor,
  mimeType: string,
  bytes: Uint8Array,
  maxPixels: number,
): Promise<ImageSource | undefined> {
  if (mimeType === "image/bmp") return openBmp(sharp, bytes)
  // Pixels in a screen of no size: its header lies.
  if (mimeType === "image/gif" && sniffImage(bytes)?.width === undefined) return undefined
  const options: SharpOptions = {
    // A warning is what libjpeg says of a hole in the coded pixels.
    failOn: "warning",
    limitInputPixels: maxPixels,
    sequentialRead: true,
    pages: 1,
    autoOrient: true,
  }
  const metadata = await sharp(bytes, options).metadata()
  if (FORMATS[mimeType] !== metadata.format) return undefined
  const { width, height } = metadata.autoOrient
  const upright = (metadata.orientation ?? 1) === 1
  return {
    open: () => sharp(bytes, options),
    width,
    height,
    frames: Math.max(metadata.pages ?? 1, mimeType === "image/png" ? countPngFrames(bytes) : 1),
    plain: upright && metadata.space !== "cmyk",
    topDown: upright && !metadata.isProgressive,
  }
}

function openBmp(sharp: SharpConstructor, bytes: Uint8Array): ImageSource | undefined {
  const size = readBmpSize(bytes)
  if (size === undefined) return undefined
  const open = () => {
    const bmp = decodeBmp(bytes)
    if (bmp === undefined) throw new Error("a damaged bitmap")
    const { data, width, height, channels } = bmp
    return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  }
  return { open, ...size, frames: 1, plain: false, topDown: false }
}
