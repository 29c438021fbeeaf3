// The packer alone: the package's main module pulls in a decoder and its streams.
import packPng from "pngjs/lib/packer-sync.js"
import type { EncodedImage } from "./engine.ts"

/** Filter "up": documents repeat themselves from line to line, and choosing a filter for each line takes five times as long. */
const FILTER_UP = 2
const DEFLATE_LEVEL = 6
const DEFAULT_STRATEGY = 0
const GRAY = 0
const RGB = 2

/** A PNG of `pixels`, four bytes each of which the last is not looked at; gray where every pixel is. */
export function encodePng(pixels: Uint8Array, width: number, height: number, stride: number): EncodedImage {
  const gray = isGray(pixels, width, height, stride)
  const channels = gray ? 1 : 3
  const packed = Buffer.allocUnsafeSlow(width * height * channels)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = y * stride; x < width; x++, from += 4) {
      packed[to++] = pixels[from] ?? 0
      if (gray) continue
      packed[to++] = pixels[from + 1] ?? 0
      packed[to++] = pixels[from + 2] ?? 0
    }
  }
  const colorType = gray ? GRAY : RGB
  const data = packPng(
    { width, height, data: packed },
    {
      colorType,
      inputColorType: colorType,
      inputHasAlpha: false,
      bitDepth: 8,
      filterType: FILTER_UP,
      deflateLevel: DEFLATE_LEVEL,
      deflateStrategy: DEFAULT_STRATEGY,
    },
  )
  return { data, mimeType: "image/png", width, height }
}

function isGray(pixels: Uint8Array, width: number, height: number, stride: number): boolean {
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at += 4) {
      if (pixels[at] !== pixels[at + 1] || pixels[at] !== pixels[at + 2]) return false
    }
  }
  return true
}
