import type { JobOutcome, NotebookJob } from "../extractor-protocol.ts"
import { type ImageSignature, sniffImage } from "../image-signature.ts"
import type { EncodedImage, Engine, EngineSink } from "./engine.ts"
import type { WindowPicture } from "./notebook-excerpt.ts"

export type LoadImageEngine = () => Promise<Engine>

/** With less time left no further picture is begun: the process would be killed over it. */
const MIN_REMAINING_MS = 300

/**
 * Puts the first of these pictures, as many as a call may show, each decoded and fitted by the image engine as a file of
 * its own would be. They share pixels and bytes evenly; what one leaves, the next ones have. A broken one is left out.
 */
export async function showPictures(
  pictures: readonly WindowPicture[],
  limits: NotebookJob["limits"],
  sink: EngineSink,
  loadImages: LoadImageEngine,
): Promise<JobOutcome> {
  const chosen = pictures.slice(0, limits.maxImages)
  const engine = chosen.length === 0 ? undefined : await loadImages()
  let pixels = limits.maxPixels
  let bytes = limits.maxImageBytes
  for (const [index, { number, data }] of chosen.entries()) {
    if (engine === undefined) break
    if (sink.remainingMs() < MIN_REMAINING_MS) return { textTruncated: false, notRead: "timeout" }
    const left = chosen.length - index
    const share = { pixels: Math.floor(pixels / left), bytes: Math.floor(bytes / left) }
    const { image, outcome } = await decode(engine, data, limits, share, sink)
    if (outcome?.notRead === "unavailable") return { ...outcome, textTruncated: false }
    if (image === undefined) continue
    pixels -= image.width * image.height
    bytes -= image.data.byteLength
    await sink.image(number, image)
  }
  return { textTruncated: false }
}

async function decode(
  engine: Engine,
  base64: string,
  limits: NotebookJob["limits"],
  share: { pixels: number; bytes: number },
  sink: EngineSink,
): Promise<{ image?: EncodedImage; outcome?: JobOutcome }> {
  if (base64.length / 4 > limits.maxSourceBytes / 3) return {}
  const source = Buffer.from(base64, "base64")
  // What it is called there is no more than a name.
  const signature = sniffImage(source)
  if (signature === undefined || share.bytes < 1 || share.pixels < 1) return {}
  const fitted = {
    maxPixels: limits.maxSourcePixels,
    maxSidePixels: Math.min(limits.maxSidePixels, sideWithin(share.pixels, signature)),
    maxImageBytes: share.bytes,
  }
  const session = engine.begin({ kind: "image", mimeType: signature.mimeType, limits: fitted }, source.byteLength)
  session.write(source)
  let image: EncodedImage | undefined
  const outcome = await session.finish({
    opened: async () => undefined,
    page: async () => undefined,
    image: async (_page, encoded) => {
      image = encoded
    },
    remainingMs: () => sink.remainingMs(),
  })
  return { outcome, ...(image === undefined ? {} : { image }) }
}

/** The longest side with which an image of this shape has at most so many pixels; of a square, where it has none. */
function sideWithin(pixels: number, { width = 1, height = 1 }: ImageSignature): number {
  const longer = Math.max(width, height)
  const shorter = Math.min(width, height)
  return Math.max(1, Math.floor(Math.sqrt((pixels * longer) / shorter)))
}
