import { setImmediate as nextTurn } from "node:timers/promises"
import type { ImageContent } from "../../../vendor/pi-harness/index.ts"

/** A multiple of three, so that the base64 of each slice can follow the one before. */
const SLICE_BYTES = 96 * 1024

/** The content block of each image, one after the other. */
export async function imageBlocks(images: readonly { data: Uint8Array; mimeType: string }[]): Promise<ImageContent[]> {
  const blocks: ImageContent[] = []
  for (const { data, mimeType } of images) blocks.push({ type: "image", data: await encodeBase64(data), mimeType })
  return blocks
}

/** A slice a turn of the event loop: all at once, the largest image that is shown would hold it for 20 ms. */
async function encodeBase64({ buffer, byteOffset, byteLength }: Uint8Array): Promise<string> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  let base64 = ""
  for (let at = 0; at < byteLength; at += SLICE_BYTES) {
    if (at > 0) await nextTurn()
    base64 += bytes.toString("base64", at, Math.min(byteLength, at + SLICE_BYTES))
  }
  return base64
}
