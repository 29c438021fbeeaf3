import { byte, hasText, latin1, u16, u16be, u24, u32, u32be } from "./image-bytes.ts"

/** Image formats that are recognized. The first five may be shown; the others only where a decoder takes them. */
export type ImageFormat = "png" | "jpeg" | "gif" | "webp" | "bmp" | "tiff" | "avif" | "heic" | "jxl" | "ico"

/** What the first bytes of an image say of it. A claim: nothing behind the head was looked at. */
export interface ImageSignature {
  format: ImageFormat
  mimeType: string
  /** Pixels as stored, before any EXIF turn; both present and above zero, or both absent. */
  width?: number
  height?: number
}

export const IMAGE_MIME_TYPES: Readonly<Record<ImageFormat, string>> = Object.freeze({
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  tiff: "image/tiff",
  avif: "image/avif",
  heic: "image/heic",
  jxl: "image/jxl",
  ico: "image/x-icon",
})

/**
 * The image format of a file by its first bytes, or `undefined`. Text that happens to start with a signature is not an
 * image: `BM` needs a whole bitmap header, `GIF89a` and `RIFF` need the control bytes that no note has. A file that starts
 * with a signature no text has, and is broken behind it, is still named: what shows it then finds it damaged.
 */
export function sniffImage(head: Uint8Array): ImageSignature | undefined {
  const format = formatOf(head)
  if (format === undefined) return undefined
  const size = headerSize(format, head)
  const known = size !== undefined && size.width > 0 && size.height > 0
  return { format, mimeType: IMAGE_MIME_TYPES[format], ...(known ? size : {}) }
}

interface Size {
  width: number
  height: number
}

function formatOf(head: Uint8Array): ImageFormat | undefined {
  if (startsWith(head, 0, PNG_SIGNATURE)) return "png"
  if (startsWith(head, 0, [0xff, 0xd8, 0xff]) && (head.length === 3 || byte(head, 3) >= 0xc0)) return "jpeg"
  if ((hasText(head, 0, "GIF87a") || hasText(head, 0, "GIF89a")) && isGif(head)) return "gif"
  if (hasText(head, 0, "RIFF") && hasText(head, 8, "WEBP") && hasControlByte(head, 4, 32)) return "webp"
  if (hasText(head, 0, "BM") && isBmp(head)) return "bmp"
  if (isTiff(head)) return "tiff"
  if (hasText(head, 4, "ftyp") && byte(head, 0) === 0) return brandFormat(head)
  if (startsWith(head, 0, JXL_CONTAINER)) return "jxl"
  if (startsWith(head, 0, [0xff, 0x0a]) && hasControlByte(head, 2, 64)) return "jxl"
  return isIco(head) ? "ico" : undefined
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JXL_CONTAINER = [0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]

/** The 7 bytes of the screen descriptor hold a control byte in all but giants of 8,192 pixels and more. */
function isGif(head: Uint8Array): boolean {
  if (hasControlByte(head, 6, 13)) return true
  const flags = byte(head, 10)
  const block = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  return block < head.length && [0x21, 0x2c, 0x3b].includes(byte(head, block)) && hasControlByte(head, 13, head.length)
}

const BMP_HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124]
const BMP_BIT_DEPTHS = [1, 2, 4, 8, 16, 24, 32]

function isBmp(head: Uint8Array): boolean {
  if (head.length < 30) return false
  const headerSize = u32(head, 14)
  const at = headerSize === 12 ? 22 : 26
  return (
    u32(head, 6) === 0 &&
    BMP_HEADER_SIZES.includes(headerSize) &&
    u32(head, 10) >= 14 + headerSize &&
    u16(head, at) === 1 &&
    BMP_BIT_DEPTHS.includes(u16(head, at + 2))
  )
}

/** Classic and BigTIFF, either byte order. The first directory stands behind the header. */
function isTiff(head: Uint8Array): boolean {
  if (head.length < 8) return false
  if (hasText(head, 0, "II*\0")) return u32(head, 4) >= 8
  if (hasText(head, 0, "MM\0*")) return u32be(head, 4) >= 8
  return (
    startsWith(head, 0, [0x49, 0x49, 0x2b, 0, 8, 0, 0, 0]) || startsWith(head, 0, [0x4d, 0x4d, 0, 0x2b, 0, 8, 0, 0])
  )
}

const HEIC_BRANDS = ["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1"]

/** ISO media files name their kind by brands; `mif1` alone leaves open which codec, HEIC being the usual one. */
function brandFormat(head: Uint8Array): ImageFormat | undefined {
  const end = Math.min(u32be(head, 0), head.length)
  const brands: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(latin1(head, at, at + 4))
  if (brands.includes("avif") || brands.includes("avis")) return "avif"
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? "heic" : undefined
}

function isIco(head: Uint8Array): boolean {
  if (head.length < 22 || !startsWith(head, 0, [0, 0, 1, 0])) return false
  const images = u16(head, 4)
  return (
    images >= 1 &&
    images <= 256 &&
    byte(head, 9) === 0 &&
    u16(head, 10) <= 1 &&
    u32(head, 14) > 0 &&
    u32(head, 18) >= 6 + 16 * images
  )
}

function headerSize(format: ImageFormat, head: Uint8Array): Size | undefined {
  switch (format) {
    case "png":
      return hasText(head, 12, "IHDR") && head.length >= 24
        ? { width: u32be(head, 16), height: u32be(head, 20) }
        : undefined
    case "jpeg":
      return jpegSize(head)
    case "gif":
      return head.length >= 10 ? { width: u16(head, 6), height: u16(head, 8) } : undefined
    case "webp":
      return webpSize(head)
    case "bmp":
      return u32(head, 14) === 12
        ? { width: u16(head, 18), height: u16(head, 20) }
        : { width: Math.abs(u32(head, 18) | 0), height: Math.abs(u32(head, 22) | 0) }
    default:
      return undefined
  }
}

/** The frame header's size, where it stands within `bytes`. */
function jpegSize(bytes: Uint8Array): Size | undefined {
  let at = 2
  while (at + 9 <= bytes.length && byte(bytes, at) === 0xff) {
    const marker = byte(bytes, at + 1)
    if (isFrameHeader(marker)) return { width: u16be(bytes, at + 7), height: u16be(bytes, at + 5) }
    if (marker === 0xff) at += 1
    else if (marker === 0xda || marker < 0xc0) return undefined
    else at += 2 + u16be(bytes, at + 2)
  }
  return undefined
}

/** SOF0 to SOF15 without the tables and the reserved marker that stand between them. */
export function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function webpSize(head: Uint8Array): Size | undefined {
  if (head.length < 30) return undefined
  switch (latin1(head, 12, 16)) {
    case "VP8X":
      return { width: 1 + u24(head, 24), height: 1 + u24(head, 27) }
    case "VP8L": {
      const bits = u32(head, 21)
      return byte(head, 20) === 0x2f ? { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) } : undefined
    }
    case "VP8 ":
      return startsWith(head, 23, [0x9d, 0x01, 0x2a])
        ? { width: u16(head, 26) & 0x3fff, height: u16(head, 28) & 0x3fff }
        : undefined
    default:
      return undefined
  }
}

/** Whether a byte that no text has stands in `from` to `to`: C0 controls but TAB, LF, FF, CR and ESC. */
function hasControlByte(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < Math.min(to, bytes.length); at += 1) {
    const value = byte(bytes, at)
    if (value < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(value)) return true
  }
  return false
}

function startsWith(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return bytes.length >= at + expected.length && expected.every((value, index) => bytes[at + index] === value)
}
