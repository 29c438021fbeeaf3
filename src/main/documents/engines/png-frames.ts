/** Frames of an animated PNG by its `acTL` chunk, which stands before the pixels; 1 for any other. */
export function countPngFrames(png: Uint8Array): number {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at)
    const type = view.getUint32(at + 4)
    if (type === IDAT) return 1
    if (type === ACTL && length >= 8 && at + 16 <= png.length) return Math.max(1, view.getUint32(at + 8))
    at += 12 + length
  }
  return 1
}

const IDAT = 0x49444154
const ACTL = 0x6163544c
