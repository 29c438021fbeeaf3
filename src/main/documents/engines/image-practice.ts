import type { SharpConstructor } from "sharp"
import type { ImageJob } from "../extractor-protocol.ts"

/** After so many, reading one more gains nothing. */
const ROUNDS = 4
/** Lets a job begin. */
const PAUSE_MS = 10
const WIDTH = 480
const HEIGHT = 320
const LIMITS: ImageJob["limits"] = { maxPixels: WIDTH * HEIGHT, maxSidePixels: 320, maxImageBytes: 1_000_000 }

/**
 * Converts a photograph and a screenshot of ours some times over, for as long as `mayGoOn`: libvips makes ready what it
 * decodes, shrinks and encodes with when each is first used.
 */
export async function practiseImages(
  sharp: SharpConstructor,
  convert: (job: ImageJob, bytes: Uint8Array) => Promise<unknown>,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const make of [photograph, screenshot]) {
      if (!mayGoOn()) return
      const { mimeType, bytes } = await make(sharp)
      if (!mayGoOn()) return
      await convert({ kind: "image", mimeType, limits: LIMITS }, bytes)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/** No pixel like the next. */
async function photograph(sharp: SharpConstructor) {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  let state = 1
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[at] = (at >>> 12) + (state >>> 28)
  }
  return { mimeType: "image/jpeg", bytes: await raw(sharp, data, 3).jpeg().toBuffer() }
}

/** Lines of dark marks on white, with a layer of transparency that hides nothing. */
async function screenshot(sharp: SharpConstructor) {
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(255)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH && y % 16 < 8; x++) {
      const at = (y * WIDTH + x) * 4
      if (x % 24 < 8) data.fill((x + y) & 127, at, at + 3)
    }
  }
  return { mimeType: "image/png", bytes: await raw(sharp, data, 4).png().toBuffer() }
}

function raw(sharp: SharpConstructor, data: Uint8Array, channels: 3 | 4) {
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } })
}
