import { FLAT_SHARE, flatShare, NOISY_SHARE, type ShownPixels } from "./image-encoding.ts"

/** What is known of an image before its pixels are. */
export interface UndecodedImage {
  mimeType: string
  /** Of the file. */
  byteLength: number
  width: number
  height: number
  /** Its first rows are coded before all others, and are at its top. */
  topDown: boolean
}

/** Bits of the file a pixel. Screenshots as JPEG stay under the one, photographs as PNG over the other. */
const MIN_JPEG_BITS = 1.5
const MAX_PNG_BITS = 2
/** Decoding so few costs some 2 ms of an image that takes 80. */
const TOP_ROWS = 64

/**
 * What the image will be encoded as, where that is clear from the size of its file and its top rows: a photograph that
 * came as JPEG, a flat graphic that came as PNG. Decoder and encoder then work at the same time, row by row, which takes a
 * third less than to hold all pixels and choose. `undefined` where all pixels must be seen.
 */
export async function guessImageEncoding(
  image: UndecodedImage,
  readTopRows: (rows: number) => Promise<ShownPixels>,
): Promise<"image/png" | "image/jpeg" | undefined> {
  const { mimeType, byteLength, width, height, topDown } = image
  const bits = (byteLength * 8) / (width * height)
  if (!topDown) return undefined
  if (mimeType === "image/jpeg" && bits >= MIN_JPEG_BITS) {
    return flatShare(await readTopRows(Math.min(TOP_ROWS, height))) < NOISY_SHARE ? mimeType : undefined
  }
  if (mimeType === "image/png" && bits <= MAX_PNG_BITS) {
    return flatShare(await readTopRows(Math.min(TOP_ROWS, height))) >= FLAT_SHARE ? mimeType : undefined
  }
  return undefined
}
