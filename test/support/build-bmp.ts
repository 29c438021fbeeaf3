export interface BmpOptions {
  width: number
  height: number
  /** Bits of a pixel. */
  depth: 1 | 4 | 8 | 16 | 24 | 32
  /** 12 OS/2, 40 classic, 108 and 124 with masks. */
  headerBytes?: 12 | 40 | 56 | 108 | 124
  topDown?: boolean
  /** Red, green, blue triples, for depths up to 8. */
  palette?: readonly (readonly [number, number, number])[]
  /** Red, green, blue, alpha: fields of a pixel, for depths 16 and 32. */
  masks?: readonly [number, number, number, number]
  /** 0 none, 1 RLE8, 2 RLE4, 3 masks. */
  compression?: number
  /** Encoded rows that replace those of `pixel`. */
  data?: Uint8Array
  /** Bytes between the headers and the pixels. */
  gap?: number
  /** The pixel as a number of `depth` bits. */
  pixel: (x: number, y: number) => number
}

/** A BMP file. */
export function buildBmp(options: BmpOptions): Buffer {
  const { width, height, depth, headerBytes = 40, topDown = false, palette = [], gap = 0 } = options
  const compression = options.compression ?? (options.masks === undefined ? 0 : 3)
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(headerBytes, 0)
  if (headerBytes === 12) {
    header.writeUInt16LE(width, 4)
    header.writeUInt16LE(height, 6)
    header.writeUInt16LE(1, 8)
    header.writeUInt16LE(depth, 10)
  } else {
    header.writeInt32LE(width, 4)
    header.writeInt32LE(topDown ? -height : height, 8)
    header.writeUInt16LE(1, 12)
    header.writeUInt16LE(depth, 14)
    header.writeUInt32LE(compression, 16)
    header.writeUInt32LE(palette.length, 32)
  }
  const masks = Buffer.alloc(16)
  options.masks?.forEach((mask, index) => {
    masks.writeUInt32LE(mask, 4 * index)
  })
  if (headerBytes >= 56) header.set(masks, 40)
  const looseMasks = headerBytes === 40 && options.masks !== undefined ? masks.subarray(0, 12) : Buffer.alloc(0)
  const colours = Buffer.from(palette.flatMap(([r, g, b]) => (headerBytes === 12 ? [b, g, r] : [b, g, r, 0])))
  const data = options.data ?? rowsOf(options)
  const file = Buffer.alloc(14)
  file.write("BM", 0, "latin1")
  const offset = 14 + headerBytes + looseMasks.length + colours.length + gap
  file.writeUInt32LE(offset + data.length, 2)
  file.writeUInt32LE(offset, 10)
  return Buffer.concat([file, header, looseMasks, colours, Buffer.alloc(gap), data])
}

function rowsOf({ width, height, depth, topDown = false, pixel }: BmpOptions): Buffer {
  const rowBytes = Math.ceil((width * depth) / 32) * 4
  const data = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const start = rowBytes * (topDown ? y : height - 1 - y)
    for (let x = 0; x < width; x += 1) {
      const value = pixel(x, y)
      if (depth < 8) {
        const at = start + Math.floor((x * depth) / 8)
        data[at] = (data[at] ?? 0) | (value << (8 - depth - ((x * depth) % 8)))
      } else data.writeUIntLE(value, start + (x * depth) / 8, depth / 8)
    }
  }
  return data
}
