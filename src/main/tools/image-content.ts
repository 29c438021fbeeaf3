import {
  type Context,
  err,
  type FileByteReader,
  FileError,
  ok,
  type Result,
  toError,
} from "../../../vendor/pi-harness/index.ts"
import type { DocumentExtractor, ImageRegion } from "../documents/document-extractor.ts"
import type { ImageSignature } from "../documents/image-signature.ts"
import { type ImageStructure, walkImage } from "../documents/image-structure.ts"
import type { Limits } from "../limits.ts"
import { convertImage } from "./image-conversion.ts"
import { finishWalk, readBounded, readJpegSize, wasChanged } from "./image-file.ts"
import { FILE_CHANGED, IMAGE_ADVICE, IMAGE_REASONS, imageHeader } from "./image-notices.ts"
import { callImageProcessor, type ReadImageProcessor } from "./image-processor.ts"
import { imageNotice, imageReceipt, shownImage, textResult } from "./image-results.ts"
import type { ReadResult } from "./read-result.ts"

/** The limits that an image is held to. */
export type ImageLimits = Pick<
  Limits,
  "maxImageFileBytes" | "maxImagePixels" | "maxImageSidePixels" | "maxImageBase64Bytes"
>

export interface ReadImageRequest {
  /** Left open: closing is the caller's. */
  reader: FileByteReader
  /** What the head says. */
  image: ImageSignature
  limits: ImageLimits
  /** Replaces decoding and fitting; the bounds on bytes and pixels hold before it all the same. */
  imageProcessor?: ReadImageProcessor | undefined
  /** Handed to the processor. Default true. */
  autoResizeImages?: boolean | undefined
  /** Decodes and fits, where it has `convertImage`. */
  documentExtractor?: DocumentExtractor | undefined
  /** False: the model takes no images, and is told what the file is. Default true. */
  acceptsImages?: boolean | undefined
  /** A part of the image, at full detail. */
  region?: ImageRegion | undefined
}

/**
 * The image route: the image as a provider takes it, or a notice that says why there is none. No provider gets bytes
 * that were not decoded before, or, without a decoder, whose structure was not whole to the last block.
 */
export async function readImage(request: ReadImageRequest, context: Context): Promise<Result<ReadResult, Error>> {
  const { reader, limits } = request
  let { image } = request
  if (reader.info.size > limits.maxImageFileBytes) return ok(fileTooLarge(request, image))
  if (image.format === "jpeg" && image.width === undefined) {
    const size = await readJpegSize(reader, context)
    if (!size.ok) return size
    image = { ...image, ...size.value }
  }
  if (request.acceptsImages === false) return ok(imageNotice(request.reader, image, IMAGE_REASONS.notTaken))
  if ((image.width ?? 0) * (image.height ?? 0) > limits.maxImagePixels) {
    return ok(
      imageNotice(request.reader, image, IMAGE_REASONS.tooManyPixels(limits.maxImagePixels), IMAGE_ADVICE.shrink),
    )
  }
  const outcome = await show(request, image, context)
  if (!outcome.ok) return outcome
  if (context.abortSignal?.aborted === true) return err(new FileError("aborted", "Aborted", reader.info.path))
  if (!(await wasChanged(reader, context))) return outcome
  const { content, details, receipt } = outcome.value
  return ok({
    content: [...content, { type: "text", text: FILE_CHANGED }],
    details,
    receipt: { ...receipt, changed: true },
  })
}

async function show(
  request: ReadImageRequest,
  image: ImageSignature,
  context: Context,
): Promise<Result<ReadResult, Error>> {
  const { imageProcessor, documentExtractor, reader, region, limits } = request
  if (imageProcessor !== undefined) return processed(request, image, imageProcessor, context)
  if (documentExtractor?.convertImage !== undefined) {
    const { convertImage: convert } = documentExtractor
    return convertImage({ reader, image, region, limits, convert: convert.bind(documentExtractor) }, context)
  }
  return passedOn(request, image, context)
}

/** The host's processor decides alone; its texts and its failure read as upstream's do. */
async function processed(
  request: ReadImageRequest,
  image: ImageSignature,
  processor: ReadImageProcessor,
  context: Context,
): Promise<Result<ReadResult, Error>> {
  if (request.region !== undefined) {
    return ok(imageNotice(request.reader, image, IMAGE_REASONS.noRegion, IMAGE_ADVICE.wholeImage))
  }
  const bytes = await readBounded(request.reader, request.limits.maxImageFileBytes, context)
  if (!bytes.ok) return bytes
  if (bytes.value === undefined) return ok(fileTooLarge(request, image))
  try {
    const autoResize = request.autoResizeImages ?? true
    const answer = await callImageProcessor(processor, bytes.value, image.mimeType, autoResize, context)
    const receipt = imageReceipt(request.reader, answer.ok ? answer.mimeType : image.mimeType)
    if (!answer.ok) return ok(textResult(`${imageHeader(image.mimeType)}\n${answer.message}`, receipt))
    const text = [imageHeader(answer.mimeType), ...answer.hints].join("\n")
    const shown = { type: "image", data: answer.data, mimeType: answer.mimeType } as const
    return ok({ content: [{ type: "text", text }, shown], details: undefined, receipt })
  } catch (thrown) {
    return err(toError(thrown))
  }
}

/** Without a decoder: byte for byte where the structure is whole, the type accepted and the size within bounds. */
async function passedOn(
  request: ReadImageRequest,
  image: ImageSignature,
  context: Context,
): Promise<Result<ReadResult, Error>> {
  const { reader, limits } = request
  const { maxImageSidePixels, maxImageBase64Bytes } = limits
  const tooLarge = IMAGE_REASONS.tooLargeUndecoded(maxImageSidePixels, maxImageBase64Bytes)
  if (request.region !== undefined) {
    return ok(imageNotice(request.reader, image, IMAGE_REASONS.noRegion, IMAGE_ADVICE.wholeImage))
  }
  const maxBytes = Math.min(Math.floor(maxImageBase64Bytes / 4) * 3, limits.maxImageFileBytes)
  if (reader.info.size > maxBytes || Math.max(image.width ?? 0, image.height ?? 0) > maxImageSidePixels) {
    return ok(imageNotice(request.reader, image, tooLarge, IMAGE_ADVICE.shrink))
  }
  const read = await readBounded(reader, maxBytes, context)
  if (!read.ok) return read
  if (read.value === undefined) return ok(imageNotice(request.reader, image, tooLarge, IMAGE_ADVICE.shrink))
  const walk = walkImage(image.format, read.value)
  if (walk === undefined) return ok(imageNotice(request.reader, image, IMAGE_REASONS.noDecoder, IMAGE_ADVICE.convert))
  const walked = await finishWalk(walk, context)
  if (!walked.ok) return walked
  if (walked.value === undefined) return ok(imageNotice(request.reader, image, IMAGE_REASONS.damaged))
  if (Math.max(walked.value.width, walked.value.height) > maxImageSidePixels) {
    return ok(imageNotice(reader, { ...image, ...walked.value }, tooLarge, IMAGE_ADVICE.shrink))
  }
  const still = firstFrame(read.value, walked.value)
  if (still === undefined) return ok(imageNotice(request.reader, image, IMAGE_REASONS.noDecoder, IMAGE_ADVICE.convert))
  const { width, height, frames } = walked.value
  const facts = {
    mimeType: image.mimeType,
    width,
    height,
    originalWidth: width,
    originalHeight: height,
    ...(frames > 1 ? { frames } : {}),
    converted: still !== read.value,
  }
  return ok(await shownImage(reader, image, still, facts))
}

/** The bytes of a still image. Providers refuse animations; a GIF's later frames can be left off. */
function firstFrame(bytes: Buffer, structure: ImageStructure): Buffer | undefined {
  if (structure.frames === 1) return bytes
  if (structure.firstFrameEnd === undefined) return undefined
  return Buffer.concat([bytes.subarray(0, structure.firstFrameEnd), Buffer.of(0x3b)])
}

function fileTooLarge({ reader, limits }: ReadImageRequest, image: ImageSignature): ReadResult {
  return imageNotice(reader, image, IMAGE_REASONS.fileTooLarge(limits.maxImageFileBytes), IMAGE_ADVICE.shrink)
}
