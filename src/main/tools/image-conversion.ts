import { type Context, err, type FileByteReader, FileError, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type {
  DocumentError,
  DocumentExtractor,
  ImageRegion,
  ImageResult,
  NotReadReason,
} from "../documents/document-extractor.ts"
import type { ImageSignature } from "../documents/image-signature.ts"
import type { Limits } from "../limits.ts"
import { IMAGE_ADVICE, IMAGE_REASONS } from "./image-notices.ts"
import { imageNotice, shownImage } from "./image-results.ts"
import type { ReadResult } from "./read-result.ts"

export interface ImageConversionRequest {
  reader: FileByteReader
  image: ImageSignature
  region: ImageRegion | undefined
  limits: Pick<Limits, "maxImagePixels" | "maxImageSidePixels" | "maxImageBase64Bytes">
  convert: NonNullable<DocumentExtractor["convertImage"]>
}

/** The image that the extractor decoded and fitted, or a notice with its reason. Its answer is held to the limits. */
export async function convertImage(
  { reader, image, region, limits, convert }: ImageConversionRequest,
  context: Context,
): Promise<Result<ReadResult, Error>> {
  const asked = { reader, mimeType: image.mimeType, ...(region === undefined ? {} : { region }) }
  const converted = await convert(asked, context)
  if (!converted.ok) return err(fileErrorOf(converted.error, reader.info.path))
  const { image: shown, originalWidth, originalHeight, frames, converted: changed, message } = converted.value
  const upright = originalWidth !== undefined && originalHeight !== undefined
  const named = upright ? { ...image, width: originalWidth, height: originalHeight } : image
  if (shown === undefined) {
    const { reason, next } = wordsFor(converted.value.notRead ?? "unsupported", message, limits.maxImagePixels)
    return ok(imageNotice(reader, named, reason, next))
  }
  if (!upright || !isWithin(shown, limits)) return ok(imageNotice(reader, image, IMAGE_REASONS.wrongAnswer))
  const facts = {
    mimeType: shown.mimeType,
    width: shown.width,
    height: shown.height,
    originalWidth,
    originalHeight,
    ...(frames !== undefined && frames > 1 ? { frames } : {}),
    converted: changed,
  }
  const part = region && clipped(region, originalWidth, originalHeight)
  return ok(await shownImage(reader, image, shown.data, facts, part))
}

function isWithin(
  { data, width, height }: NonNullable<ImageResult["image"]>,
  { maxImageSidePixels, maxImageBase64Bytes }: ImageConversionRequest["limits"],
): boolean {
  const sound = data.byteLength > 0 && 4 * Math.ceil(data.byteLength / 3) <= maxImageBase64Bytes
  return sound && width > 0 && height > 0 && Math.max(width, height) <= maxImageSidePixels
}

/** The part that is shown of a region that reaches over the edge. */
function clipped({ x, y, width, height }: ImageRegion, originalWidth: number, originalHeight: number): ImageRegion {
  return { x, y, width: Math.min(width, originalWidth - x), height: Math.min(height, originalHeight - y) }
}

function wordsFor(
  reason: NotReadReason,
  message: string | undefined,
  maxPixels: number,
): { reason: string; next?: string } {
  switch (reason) {
    case "too-large":
      return { reason: IMAGE_REASONS.tooLargeDecoded(maxPixels), next: IMAGE_ADVICE.shrink }
    case "timeout":
      return { reason: IMAGE_REASONS.timeout, next: IMAGE_ADVICE.shrink }
    case "unavailable":
      return { reason: message ?? IMAGE_REASONS.unavailable }
    default:
      if (message === undefined) return { reason: IMAGE_REASONS.damaged }
      return { reason: message, next: /region/.test(message) ? IMAGE_ADVICE.regionWithin : IMAGE_ADVICE.convert }
  }
}

function fileErrorOf(error: DocumentError, path: string): Error {
  if (error.code === "aborted") return new FileError("aborted", "Aborted", path, error)
  return error.cause instanceof FileError ? error.cause : error
}
