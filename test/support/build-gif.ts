import { GifWriter } from "omggif"

export interface GifOptions {
  width: number
  height: number
  frames?: number
  /** `0xRRGGBB`, a power of two of them. */
  palette?: readonly number[]
  /** Palette index of a pixel. */
  index: (x: number, y: number, frame: number) => number
}

/** A GIF file; more than one frame loop for ever. */
export function buildGif({
  width,
  height,
  frames = 1,
  palette = [0, 0xff0000, 0xff00, 0xffffff],
  index,
}: GifOptions): Buffer {
  const out = Buffer.alloc(1024 + frames * (2 * width * height + 1024))
  const writer = new GifWriter(out, width, height, { palette: [...palette], ...(frames > 1 ? { loop: 0 } : {}) })
  for (let frame = 0; frame < frames; frame += 1) {
    const pixels = Array.from({ length: width * height }, (_, at) => index(at % width, Math.floor(at / width), frame))
    writer.addFrame(0, 0, width, height, pixels, { delay: 10 })
  }
  return Buffer.from(out.subarray(0, writer.end()))
}
