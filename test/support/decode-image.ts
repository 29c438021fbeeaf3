import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js"
import { decode as decodeJpeg } from "jpeg-js"
import { GifReader } from "omggif"
import { PNG } from "pngjs"

/** What a second decoder, which shares no code with the first, makes of an image. */
export interface DecodedImage {
  width: number
  height: number
  /** Red, green, blue, alpha. */
  data: Uint8Array
}

/** Decodes by the promised type alone and throws where the bytes are not that, or not whole. */
export async function decodeImage(bytes: Buffer, mimeType: string): Promise<DecodedImage> {
  switch (mimeType) {
    case "image/png":
      return PNG.sync.read(bytes, { checkCRC: true })
    case "image/jpeg":
      return decodeJpeg(bytes, { useTArray: true, tolerantDecoding: false, maxMemoryUsageInMB: 1024 })
    case "image/gif": {
      const gif = new GifReader(bytes)
      if (gif.numFrames() !== 1) throw new Error(`${gif.numFrames()} frames, where a still image was promised`)
      const data = new Uint8Array(gif.width * gif.height * 4)
      gif.decodeAndBlitFrameRGBA(0, data)
      return { width: gif.width, height: gif.height, data }
    }
    case "image/webp": {
      await webpReady()
      const { width, height, data } = await decodeWebp(new Uint8Array(bytes).buffer)
      return { width, height, data: new Uint8Array(data.buffer) }
    }
    default:
      throw new Error(`${mimeType} is no type that a provider takes`)
  }
}

let webp: Promise<unknown> | undefined

function webpReady(): Promise<unknown> {
  webp ??= (async () => {
    // The decoder answers an ImageData, which browsers have and Node has not.
    if (!("ImageData" in globalThis)) Object.assign(globalThis, { ImageData: PlainImageData })
    const path = createRequire(import.meta.url).resolve("@jsquash/webp/codec/dec/webp_dec.wasm")
    const wasmBinary = new Uint8Array(await readFile(path)).buffer
    await initWebp({ wasmBinary } as Parameters<typeof initWebp>[0])
  })()
  return webp
}

class PlainImageData {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
