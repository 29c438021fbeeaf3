/** Pixels of a bitmap, rows from the top, without padding. */
export interface BmpPixels {
  width: number
  height: number
  /** 3: red, green, blue. 4: and alpha. */
  channels: 3 | 4
  data: Uint8Array
}

/** Compression methods of the header. */
const RGB = 0
const RLE8 = 1
const RLE4 = 2
const BITFIELDS = 3
const ALPHA_BITFIELDS = 6

interface BmpHeader {
  width: number
  height: number
  topDown: boolean
  depth: number
  compression: number
  /** Red, green, blue, alpha; 0 where there is no such channel. */
  masks: readonly [number, number, number, number]
  /** Where the colours stand, their number and the bytes of one. */
  palette: { at: number; count: number; bytes: number }
  pixelsAt: number
}

/** Width and height of a bitmap whose header is sound; `undefined` for any other bytes. */
export function readBmpSize(file: Uint8Array): { width: number; height: number } | undefined {
  return readHeader(file)
}

/**
 * Decodes a bitmap of 1, 4, 8, 16, 24 or 32 bits, run lengths and colour masks included. `undefined` where it is damaged,
 * cut short or of a kind that is not decoded (embedded JPEG and PNG). The caller has bounded width x height.
 */
export function decodeBmp(file: Uint8Array): BmpPixels | undefined {
  const header = readHeader(file)
  if (header === undefined) return undefined
  const { compression, depth } = header
  if (depth <= 8) {
    const indexes = compression === RGB ? packedIndexes(file, header) : runLengthIndexes(file, header)
    return indexes && colouredPixels(file, header, indexes)
  }
  return maskedPixels(file, header)
}

function readHeader(file: Uint8Array): BmpHeader | undefined {
  if (file.length < 26) return undefined
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const size = view.getUint32(14, true)
  const core = size === 12
  if (view.getUint16(0, true) !== 0x4d42 || (!core && (size < 40 || size > 124 || file.length < 14 + size))) {
    return undefined
  }
  const storedHeight = core ? view.getUint16(20, true) : view.getInt32(22, true)
  const depth = view.getUint16(core ? 24 : 28, true)
  const compression = core ? RGB : view.getUint32(30, true)
  const used = core ? 0 : view.getUint32(46, true)
  const looseMasks = size === 40 ? (compression === BITFIELDS ? 12 : compression === ALPHA_BITFIELDS ? 16 : 0) : 0
  if (file.length < 54 + looseMasks && !core) return undefined
  const masks = readMasks(view, size, depth, compression)
  const header: BmpHeader = {
    width: core ? view.getUint16(18, true) : view.getInt32(18, true),
    height: Math.abs(storedHeight),
    topDown: storedHeight < 0,
    depth,
    compression,
    masks,
    palette: { at: 14 + size + looseMasks, count: depth > 8 ? 0 : used === 0 ? 2 ** depth : used, bytes: core ? 3 : 4 },
    pixelsAt: view.getUint32(10, true),
  }
  return isSound(header, file.length) ? header : undefined
}

function isSound({ width, height, topDown, depth, compression, masks, palette, pixelsAt }: BmpHeader, length: number) {
  const allowed: Readonly<Record<number, readonly number[]>> = {
    [RGB]: [1, 4, 8, 16, 24, 32],
    [RLE8]: [8],
    [RLE4]: [4],
    [BITFIELDS]: [16, 32],
    [ALPHA_BITFIELDS]: [16, 32],
  }
  const encoded = compression === RLE8 || compression === RLE4
  return (
    width > 0 &&
    height > 0 &&
    allowed[compression]?.includes(depth) === true &&
    !(encoded && topDown) &&
    palette.count <= 256 &&
    palette.at + palette.count * palette.bytes <= length &&
    pixelsAt >= palette.at &&
    pixelsAt <= length &&
    (depth <= 8 || depth === 24 || masks.slice(0, 3).every((mask) => mask !== 0))
  )
}

function readMasks(view: DataView, size: number, depth: number, compression: number): BmpHeader["masks"] {
  const given = compression === BITFIELDS || compression === ALPHA_BITFIELDS
  if (!given) return depth === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, 0]
  const alpha = size >= 56 || compression === ALPHA_BITFIELDS
  const mask = (index: number) => (54 + 4 * index + 4 <= view.byteLength ? view.getUint32(54 + 4 * index, true) : 0)
  return [mask(0), mask(1), mask(2), alpha ? mask(3) : 0]
}

/** Bytes of a row, padded to four. */
function rowBytesOf({ width, depth }: BmpHeader): number {
  return Math.ceil((width * depth) / 32) * 4
}

/** Offset in the file of row `y` from the top. */
function rowStart({ height, topDown, pixelsAt }: BmpHeader, rowBytes: number, y: number): number {
  return pixelsAt + rowBytes * (topDown ? y : height - 1 - y)
}

/** Whether every row but the padding of the last is there. */
function hasAllRows(file: Uint8Array, header: BmpHeader): boolean {
  const rowBytes = rowBytesOf(header)
  const padding = rowBytes - Math.ceil((header.width * header.depth) / 8)
  return header.pixelsAt + rowBytes * header.height - padding <= file.length
}

function packedIndexes(file: Uint8Array, header: BmpHeader): Uint8Array | undefined {
  if (!hasAllRows(file, header)) return undefined
  const { width, height, depth } = header
  const rowBytes = rowBytesOf(header)
  const indexes = new Uint8Array(width * height)
  const perByte = 8 / depth
  const mask = 2 ** depth - 1
  for (let y = 0, out = 0; y < height; y += 1) {
    const start = rowStart(header, rowBytes, y)
    for (let x = 0; x < width; x += 1, out += 1) {
      const packed = file[start + Math.floor(x / perByte)] ?? 0
      indexes[out] = (packed >> (8 - depth - (x % perByte) * depth)) & mask
    }
  }
  return indexes
}

/** Pixels that no run names stay colour 0. The data ends with its mark; without it the file is cut short. */
function runLengthIndexes(file: Uint8Array, { width, height, depth, pixelsAt }: BmpHeader): Uint8Array | undefined {
  const indexes = new Uint8Array(width * height)
  let x = 0
  let y = height - 1
  const put = (index: number) => {
    if (x < width && y >= 0) indexes[y * width + x] = index
    x += 1
  }
  const nibble = (packed: number, position: number) => (position % 2 === 0 ? packed >> 4 : packed & 15)
  for (let at = pixelsAt; at + 2 <= file.length; ) {
    const count = file[at] ?? 0
    const value = file[at + 1] ?? 0
    at += 2
    if (count > 0) {
      for (let i = 0; i < count; i += 1) put(depth === 8 ? value : nibble(value, i))
    } else if (value === 0) {
      x = 0
      y -= 1
    } else if (value === 1) {
      return indexes
    } else if (value === 2) {
      x += file[at] ?? 0
      y -= file[at + 1] ?? 0
      at += 2
    } else {
      for (let i = 0; i < value; i += 1) put(depth === 8 ? (file[at + i] ?? 0) : nibble(file[at + (i >> 1)] ?? 0, i))
      at += Math.ceil((depth === 8 ? value : Math.ceil(value / 2)) / 2) * 2
    }
  }
  return undefined
}

function colouredPixels(file: Uint8Array, { width, height, palette }: BmpHeader, indexes: Uint8Array): BmpPixels {
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < indexes.length; i += 1) {
    const index = indexes[i] ?? 0
    // An index without a colour is black, as with every viewer.
    if (index >= palette.count) continue
    const at = palette.at + index * palette.bytes
    data[3 * i] = file[at + 2] ?? 0
    data[3 * i + 1] = file[at + 1] ?? 0
    data[3 * i + 2] = file[at] ?? 0
  }
  return { width, height, channels: 3, data }
}

function maskedPixels(file: Uint8Array, header: BmpHeader): BmpPixels | undefined {
  if (!hasAllRows(file, header)) return undefined
  const { width, height, depth } = header
  const fields = header.masks.map(fieldOf)
  const channels = header.masks[3] === 0 ? 3 : 4
  const data = new Uint8Array(width * height * channels)
  const rowBytes = rowBytesOf(header)
  const step = depth / 8
  for (let y = 0, out = 0; y < height; y += 1) {
    let at = rowStart(header, rowBytes, y)
    for (let x = 0; x < width; x += 1, at += step) {
      let pixel = 0
      for (let i = step - 1; i >= 0; i -= 1) pixel = pixel * 256 + (file[at + i] ?? 0)
      for (let channel = 0; channel < channels; channel += 1, out += 1) {
        const { divisor, max } = fields[channel] ?? { divisor: 1, max: 0 }
        data[out] = max === 0 ? 0 : Math.round(((Math.floor(pixel / divisor) % (max + 1)) * 255) / max)
      }
    }
  }
  return { width, height, channels, data }
}

/** A mask as the power of two below its field and the largest value in it. */
function fieldOf(mask: number): { divisor: number; max: number } {
  if (mask === 0) return { divisor: 1, max: 0 }
  const divisor = 2 ** (31 - Math.clz32(mask & -mask))
  return { divisor, max: 2 ** (32 - Math.clz32(mask / divisor)) - 1 }
}
