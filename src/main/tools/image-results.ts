import type { FileByteReader } from "../../../vendor/pi-harness/index.ts"
import type { ImageRegion } from "../documents/document-extractor.ts"
import type { ImageSignature } from "../documents/image-signature.ts"
import { imageBlocks } from "./image-block.ts"
import { imageChanges, imageHeader, imageNotShown } from "./image-notices.ts"
import type { ImageFacts, ReadReceipt, ReadResult } from "./read-result.ts"

/** An image as a provider takes it, with what was done to it. `region` is the part that is shown. */
export async function shownImage(
  reader: FileByteReader,
  original: Pick<ImageSignature, "mimeType">,
  bytes: Uint8Array,
  facts: ImageFacts,
  region?: ImageRegion,
): Promise<ReadResult> {
  const text = [imageHeader(facts.mimeType), ...imageChanges(facts, original.mimeType, region)].join("\n")
  return {
    content: [{ type: "text", text }, ...(await imageBlocks([{ data: bytes, mimeType: facts.mimeType }]))],
    details: { image: facts },
    receipt: { ...imageReceipt(reader, facts.mimeType), image: facts },
  }
}

/** Why there is no image, and what to do next. */
export function imageNotice(reader: FileByteReader, image: ImageSignature, reason: string, next?: string): ReadResult {
  const text = imageNotShown({ ...image, bytes: reader.info.size }, reason, next)
  return textResult(text, imageReceipt(reader, image.mimeType))
}

export function textResult(text: string, receipt: ReadReceipt): ReadResult {
  return { content: [{ type: "text", text }], details: undefined, receipt }
}

export function imageReceipt(reader: FileByteReader, mimeType: string): ReadReceipt {
  const { path, size } = reader.info
  return { kind: "image", path, bytes: size, mimeType }
}
