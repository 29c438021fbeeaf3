import type { SharpConstructor } from "sharp"
import type { ImageJob } from "../extractor-protocol.ts"

/** Lets a job begin. */
const PAUSE_MS = 10
/** Of what is made, a pixel at a time. */
const MADE = { width: 1_500, height: 150 }
/** As wide as what agents read, so that the memory of rows is there; enlarged by libvips. */
const READ = { width: 3_000, height: 600 }
const LIMITS: ImageJob["limits"] = { maxPixels: 2_000_000, maxSidePixels: 2_000, maxImageBytes: 3_000_000 }

/**
 * Converts a photograph and a screenshot of ours, for as long as `mayGoOn`: libvips makes ready what it
 * decodes, shrinks and encodes with when each is first used, and so does the allocator.
 */
export async function practiseImages(
  sharp: SharpConstructor,
  convert: (job: ImageJob, bytes: Uint8Array) => Promise<unknown>,
  mayGoOn: () => boolean,
): Promise<void> {
  for (const make of [photograph, screenshot]) {
    if (!mayGoOn()) return
    const { mimeType, bytes } = await make(sharp)
    if (!mayGoOn()) return
    await convert({ kind: "image", mimeType, limits: LIMITS }, bytes)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** No pixel like the next. */
async function photograph(sharp: SharpConstructor) {
  const data = new Uint8Array(MADE.width * MADE.height * 3)
  let state = 1
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[at] = (at >>> 12) + (state >>> 28)
  }
  return { mimeType: "image/jpeg", bytes: await enlarged(sharp, data, 3).jpeg({ quality: 90 }).toBuffer() }
}

/** Lines of dark marks on white, with a layer of transparency that hides nothing. */
async function screenshot(sharp: SharpConstructor) {
  const { width, height } = MADE
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width && y % 8 < 4; x++) {
      const at = (y * width + x) * 4
      if (x % 12 < 4) data.fill((x + y) & 127, at, at + 3)
    }
  }
  return { mimeType: "image/png", bytes: await enlarged(sharp, data, 4).png().toBuffer() }
}

function enlarged(sharp: SharpConstructor, data: Uint8Array, channels: 3 | 4) {
  const pixels = sharp(data, { raw: { ...MADE, channels } })
  return pixels.resize(READ.width, READ.height, { fit: "fill", kernel: "nearest" })
}
