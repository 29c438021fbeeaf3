import { crc32 } from "node:zlib"
import { byte, hasText, latin1, u16, u16be, u24, u32, u32be } from "./image-bytes.ts"
import { type ImageFormat, isFrameHeader } from "./image-signature.ts"

/** What a walk over a whole file found: every block in its place, to the end that the format demands. */
export interface ImageStructure {
  /** Pixels as stored, above zero. */
  width: number
  height: number
  /** At least 1. */
  frames: number
  /** Bytes of the file that hold its first frame and all before it, where the rest can be left out. */
  firstFrameEnd?: number
}

/** Blocks looked at between two yields: under a millisecond of work, however the blocks are made. */
const BLOCKS_PER_STEP = 1_024
/** Bytes of a checksum between two yields. */
const CHECKSUM_STEP_BYTES = 1024 * 1024

/** A walk that may be paused at every yield. Its outcome is `undefined` where the file is broken. */
export type StructureWalk = Generator<void, ImageStructure | undefined>

/**
 * Walks a whole image file: PNG chunks with their checksums to IEND, JPEG segments to EOI, GIF blocks to the trailer, WebP
 * chunks to the size in the RIFF header. `undefined` for a format that has no walk here. Pixels are not decoded: a file
 * whose blocks are whole may still hold nonsense in them.
 */
export function walkImage(format: ImageFormat, bytes: Uint8Array): StructureWalk | undefined {
  switch (format) {
    case "png":
      return walkPng(bytes)
    case "jpeg":
      return walkJpeg(bytes)
    case "gif":
      return walkGif(bytes)
    case "webp":
      return walkWebp(bytes)
    default:
      return undefined
  }
}

const PNG_COLOUR_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function* walkPng(bytes: Uint8Array): StructureWalk {
  if (u32be(bytes, 8) !== 13 || !hasText(bytes, 12, "IHDR")) return undefined
  const width = u32be(bytes, 16)
  const height = u32be(bytes, 20)
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) return undefined
  const colour = byte(bytes, 25)
  if (PNG_COLOUR_DEPTHS[colour]?.includes(byte(bytes, 24)) !== true || byte(bytes, 28) > 1) return undefined
  let frames = 1
  let palette = false
  let pixels = false
  for (let at = 8, blocks = 1; at + 12 <= bytes.length; blocks += 1) {
    const length = u32be(bytes, at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    const type = latin1(bytes, at + 4, at + 8)
    if (!/^[A-Za-z]{4}$/.test(type)) return undefined
    let checksum = 0
    for (let from = at + 4; from < end - 4; from += CHECKSUM_STEP_BYTES) {
      checksum = crc32(bytes.subarray(from, Math.min(from + CHECKSUM_STEP_BYTES, end - 4)), checksum)
      if (length > CHECKSUM_STEP_BYTES) yield
    }
    if (checksum !== u32be(bytes, end - 4)) return undefined
    if (type === "IHDR" && at !== 8) return undefined
    if (type === "PLTE") palette = true
    if (type === "acTL" && !pixels) frames = Math.max(1, u32be(bytes, at + 8))
    if (type === "IDAT") {
      if (colour === 3 && !palette) return undefined
      pixels ||= length > 0
    }
    if (type === "IEND") return pixels ? { width, height, frames } : undefined
    if (blocks % BLOCKS_PER_STEP === 0) yield
    at = end
  }
  return undefined
}

function* walkJpeg(bytes: Uint8Array): StructureWalk {
  let size: { width: number; height: number } | undefined
  let scans = 0
  let restarts = false
  for (let at = 2, blocks = 1; at + 2 <= bytes.length; blocks += 1) {
    if (byte(bytes, at) !== 0xff) return undefined
    const marker = byte(bytes, at + 1)
    if (marker === 0xd9) return size !== undefined && scans > 0 ? { ...size, frames: 1 } : undefined
    if (blocks % BLOCKS_PER_STEP === 0) yield
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = u16be(bytes, at + 2)
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || length < 2) return undefined
    if (isFrameHeader(marker)) {
      if (size !== undefined || length !== 8 + 3 * byte(bytes, at + 9)) return undefined
      size = { width: u16be(bytes, at + 7), height: u16be(bytes, at + 5) }
      if (size.width === 0 || size.height === 0) return undefined
    }
    if (marker === 0xdd) restarts = u16be(bytes, at + 4) > 0
    at += 2 + length
    if (marker !== 0xda) continue
    if (size === undefined) return undefined
    scans += 1
    // Entropy-coded bytes end at the next marker that is neither a stuffed FF nor a restart.
    const start = at
    for (let next = bytes.indexOf(0xff, at); ; next = bytes.indexOf(0xff, at)) {
      if (next < 0) return undefined
      const after = byte(bytes, next + 1)
      at = next
      if (after !== 0 && !(restarts && after >= 0xd0 && after <= 0xd7)) break
      at = next + 2
      blocks += 1
      if (blocks % BLOCKS_PER_STEP === 0) yield
    }
    if (at === start) return undefined
  }
  return undefined
}

function* walkGif(bytes: Uint8Array): StructureWalk {
  const width = u16(bytes, 6)
  const height = u16(bytes, 8)
  if (width === 0 || height === 0) return undefined
  const globalPalette = paletteBytes(byte(bytes, 10))
  let frames = 0
  let firstFrameEnd = 0
  let blocks = 1
  let at = 13 + globalPalette
  while (at < bytes.length) {
    const introducer = byte(bytes, at)
    if (introducer === 0x3b) return frames > 0 ? { width, height, frames, firstFrameEnd } : undefined
    const image = introducer === 0x2c
    if (image) {
      const palette = paletteBytes(byte(bytes, at + 9))
      if (u16(bytes, at + 5) === 0 || u16(bytes, at + 7) === 0 || globalPalette + palette === 0) return undefined
      at += 10 + palette
      const codeBits = byte(bytes, at)
      if (codeBits < 2 || codeBits > 8 || byte(bytes, at + 1) === 0) return undefined
      at += 1
    } else if (introducer === 0x21) at += 2
    else return undefined
    for (let length = byte(bytes, at); length > 0; length = byte(bytes, at)) {
      at += 1 + length
      if (at >= bytes.length) return undefined
      blocks += 1
      if (blocks % BLOCKS_PER_STEP === 0) yield
    }
    at += 1
    blocks += 1
    if (!image) continue
    frames += 1
    if (frames === 1) firstFrameEnd = at
  }
  return undefined
}

/** Bytes of a colour table, by the flags of the block that it follows. */
function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function* walkWebp(bytes: Uint8Array): StructureWalk {
  const end = 8 + u32(bytes, 4)
  if (end !== bytes.length && end + 1 !== bytes.length) return undefined
  let canvas: { width: number; height: number } | undefined
  let frames = 0
  let pixels = false
  let blocks = 1
  for (let at = 12; at < end; blocks += 1) {
    const length = u32(bytes, at + 4)
    const body = at + 8
    const next = body + length + (length & 1)
    if (body > end || body + length > end) return undefined
    const type = latin1(bytes, at, at + 4)
    if (type === "VP8X") canvas = { width: 1 + u24(bytes, body + 4), height: 1 + u24(bytes, body + 7) }
    else if (type === "ANMF") frames += 1
    else if (type === "VP8 " || type === "VP8L") {
      const size = type === "VP8 " ? lossySize(bytes, body, length) : losslessSize(bytes, body, length)
      if (size === undefined || pixels) return undefined
      pixels = true
      canvas ??= size
    }
    if (blocks % BLOCKS_PER_STEP === 0) yield
    at = next
  }
  return canvas !== undefined && (pixels || frames > 0) ? { ...canvas, frames: Math.max(1, frames) } : undefined
}

function lossySize(bytes: Uint8Array, body: number, length: number): { width: number; height: number } | undefined {
  const keyFrame = (byte(bytes, body) & 1) === 0
  const startCode = byte(bytes, body + 3) === 0x9d && byte(bytes, body + 4) === 0x01 && byte(bytes, body + 5) === 0x2a
  const size = { width: u16(bytes, body + 6) & 0x3fff, height: u16(bytes, body + 8) & 0x3fff }
  const firstPartition = u24(bytes, body) >>> 5
  const whole = length > 10 && firstPartition <= length - 10
  return keyFrame && startCode && whole && size.width > 0 && size.height > 0 ? size : undefined
}

function losslessSize(bytes: Uint8Array, body: number, length: number): { width: number; height: number } | undefined {
  if (length < 6 || byte(bytes, body) !== 0x2f) return undefined
  const bits = u32(bytes, body + 1)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}
