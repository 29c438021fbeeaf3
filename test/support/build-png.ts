import { crc32, deflateSync } from "node:zlib"

export interface PngOptions {
  width: number
  height: number
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  colour?: 0 | 2 | 3 | 4 | 6
  /** Bits of a sample. */
  depth?: 1 | 2 | 4 | 8 | 16
  /** Adam7. */
  interlaced?: boolean
  /** Red, green, blue triples, for colour 3. */
  palette?: readonly (readonly [number, number, number])[]
  /** Sample `channel` of the pixel, 0 to 2^depth - 1. */
  sample: (x: number, y: number, channel: number) => number
  /** Chunks between the header and the pixels. */
  before?: readonly Uint8Array[]
  /** Chunks between the pixels and the end. */
  after?: readonly Uint8Array[]
  /** Bytes of one IDAT chunk. */
  chunkBytes?: number
  level?: number
}

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const

/** A PNG file, filter 0 on every row. */
export function buildPng(options: PngOptions): Buffer {
  const { width, height, colour = 2, depth = 8, interlaced = false, palette, before = [], after = [] } = options
  const rows = interlaced ? ADAM7.map((pass) => passRows(options, pass)) : [passRows(options, [0, 0, 1, 1])]
  const pixels = deflateSync(Buffer.concat(rows), { level: options.level ?? 6 })
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk("IHDR", pngHeader(width, height, depth, colour, interlaced)),
    ...before,
    ...(palette === undefined ? [] : [pngChunk("PLTE", Buffer.from(palette.flat()))]),
    ...slices(pixels, options.chunkBytes ?? pixels.length).map((part) => pngChunk("IDAT", part)),
    ...after,
    pngChunk("IEND", Buffer.alloc(0)),
  ])
}

export const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex")

/** The 13 bytes of IHDR. */
export function pngHeader(width: number, height: number, depth: number, colour: number, interlaced = false): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8)
  return header
}

/** Length, type, data and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, "latin1")
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** An animated PNG of `frames` frames, each a full picture that `sample` draws. */
export function buildApng(options: Omit<PngOptions, "before" | "after" | "interlaced">, frames: number): Buffer {
  const still = { ...options, interlaced: false }
  const control = (sequence: number) => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence, 0)
    data.writeUInt32BE(options.width, 4)
    data.writeUInt32BE(options.height, 8)
    data.writeUInt16BE(1, 20)
    data.writeUInt16BE(10, 22)
    return pngChunk("fcTL", data)
  }
  const counts = Buffer.alloc(8)
  counts.writeUInt32BE(frames, 0)
  const later = Array.from({ length: frames - 1 }, (_, index) => {
    const data = deflateSync(passRows(still, [0, 0, 1, 1]))
    const sequence = Buffer.alloc(4)
    sequence.writeUInt32BE(2 + 2 * index)
    return [control(1 + 2 * index), pngChunk("fdAT", Buffer.concat([sequence, data]))]
  })
  return buildPng({ ...still, before: [pngChunk("acTL", counts), control(0)], after: later.flat() })
}

/** First column and row, and the steps between columns and rows, of the seven passes. */
const ADAM7: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

function passRows(options: PngOptions, [x0, y0, dx, dy]: readonly [number, number, number, number]): Buffer {
  const { width, height, colour = 2, depth = 8, sample } = options
  const columns = Math.ceil((width - x0) / dx)
  if (columns <= 0) return Buffer.alloc(0)
  const channels = CHANNELS[colour]
  const rowBytes = Math.ceil((columns * channels * depth) / 8)
  const rows: Buffer[] = []
  for (let y = y0; y < height; y += dy) {
    const row = Buffer.alloc(1 + rowBytes)
    for (let index = 0; index < columns * channels; index += 1) {
      const value = sample(x0 + Math.floor(index / channels) * dx, y, index % channels)
      if (depth === 16) row.writeUInt16BE(value, 1 + 2 * index)
      else {
        const bit = index * depth
        const at = 1 + Math.floor(bit / 8)
        row[at] = (row[at] ?? 0) | (value << (8 - depth - (bit % 8)))
      }
    }
    rows.push(row)
  }
  return Buffer.concat(rows)
}

function slices(bytes: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size))
  return parts
}
