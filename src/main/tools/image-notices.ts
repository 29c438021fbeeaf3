import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { ImageRegion } from "../documents/document-extractor.ts"
import type { ImageFormat } from "../documents/image-signature.ts"
import type { ImageFacts } from "./read-result.ts"

const NAMES: Readonly<Record<ImageFormat, string>> = Object.freeze({
  png: "PNG",
  jpeg: "JPEG",
  gif: "GIF",
  webp: "WebP",
  bmp: "BMP",
  tiff: "TIFF",
  avif: "AVIF",
  heic: "HEIC",
  jxl: "JPEG XL",
  ico: "ICO",
})

/** What a notice says of the file, beside the reason. */
export interface NamedImage {
  format: ImageFormat
  /** Bytes. */
  bytes: number
  width?: number | undefined
  height?: number | undefined
}

/** `[JPEG image (2.1MB, 9600 x 7734 pixels), not shown: it is damaged. ...]` */
export function imageNotShown(image: NamedImage, reason: string, next?: string): string {
  const pixels =
    image.width === undefined || image.height === undefined ? "" : `, ${image.width} x ${image.height} pixels`
  const text = `${NAMES[image.format]} image (${formatSize(image.bytes)}${pixels}), not shown: ${reason}.`
  return `[${text}${next === undefined ? "" : ` ${next}`}]`
}

export const IMAGE_REASONS = {
  damaged: "it is damaged or not complete",
  notTaken: "this model takes no images",
  noDecoder: "no image decoder is configured here, and it cannot be passed on as it is",
  fileTooLarge: (maxBytes: number) => `image files over ${formatSize(maxBytes)} are not read`,
  tooManyPixels: (maxPixels: number) => `images over ${maxPixels / 1_000_000} megapixels are not decoded`,
  tooLargeUndecoded: (maxSide: number, maxBase64Bytes: number) =>
    `images over ${maxSide} pixels a side or ${formatSize(Math.floor(maxBase64Bytes / 4) * 3)} need a decoder to be shrunk, and none is configured here`,
  tooLargeDecoded: (maxPixels: number) =>
    `it takes more than ${maxPixels / 1_000_000} megapixels or more memory than an image may to be decoded`,
  timeout: "decoding it took too long",
  unavailable: "the process that decodes images could not be started",
  wrongAnswer: "the document extractor answered something that is no image within the limits",
  noRegion: "a region is read only where this package decodes the image itself",
} as const

export const IMAGE_ADVICE = {
  convert: "Convert it to PNG or JPEG and read that file.",
  shrink: "Make a smaller PNG or JPEG of it and read that file.",
  regionWithin: "Read it with a region within its pixels.",
  wholeImage: "Read it without region.",
} as const

export const FILE_CHANGED = "[File changed while it was read.]"

/** The first line of every image that is shown, as upstream has it. */
export function imageHeader(mimeType: string): string {
  return `Read image file [${mimeType}]`
}

/** What was done to the image, and how to map coordinates back; nothing for an image that is shown as it is. */
export function imageChanges(facts: ImageFacts, originalMimeType: string, region?: ImageRegion): string[] {
  const lines = facts.frames !== undefined && facts.frames > 1 ? [`[First of ${facts.frames} frames.]`] : []
  if (!facts.converted) return lines
  const of = facts.mimeType === originalMimeType ? "" : ` (${originalMimeType})`
  const original = `${facts.originalWidth} x ${facts.originalHeight} pixels${of}`
  const shown = `shown at ${facts.width} x ${facts.height}`
  if (region === undefined) {
    const back = factorText(facts.originalWidth / facts.width, facts.originalHeight / facts.height)
    const rule = back === undefined ? "Coordinates are those of the original" : `Multiply ${back} for the original`
    return [...lines, `[Original ${original}, ${shown}. ${rule}.]`]
  }
  const back = factorText(region.width / facts.width, region.height / facts.height)
  const rule = `${back === undefined ? "Add" : `Multiply ${back}, then add`} ${region.x} to x and ${region.y} to y`
  const cut = `Region x=${region.x} y=${region.y}, ${region.width} x ${region.height}`
  return [...lines, `[${cut}, of the original ${original}, ${shown}. ${rule} for the original.]`]
}

/** One factor where both sides shrank alike, as far as whole pixels allow; `undefined` where neither did. */
function factorText(x: number, y: number): string | undefined {
  if (x === 1 && y === 1) return undefined
  const alike = Math.abs(x - y) <= 0.01 * Math.max(x, y)
  return alike ? `coordinates by ${factor(Math.max(x, y))}` : `x by ${factor(x)} and y by ${factor(y)}`
}

function factor(value: number): string {
  return String(Number(value.toPrecision(4)))
}
