import { type Context, err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type { Limits } from "../limits.ts"
import {
  DocumentError,
  type DocumentExtractor,
  type DocumentRequest,
  type DocumentResult,
  type ImageRequest,
  type ImageResult,
} from "./document-extractor.ts"
import { documentJob, maxEncodedBytes } from "./document-job.ts"
import { emptyHarvest } from "./extraction.ts"
import type { ExtractorPool } from "./extractor-pool.ts"
import type { ExtractorJob } from "./extractor-protocol.ts"
import { runInProcess } from "./job-run.ts"
import { extractNotebook } from "./notebook-extraction.ts"

/** A {@link DocumentExtractor} whose documents are decoded by the processes of `pool`. */
export function createProcessExtractor(pool: ExtractorPool, limits: Limits): Required<DocumentExtractor> {
  return {
    extract: (request, context) => extractDocument(pool, limits, request, context),
    convertImage: (request, context) => convertImage(pool, limits, request, context),
    readNotebook: (request, context) => extractNotebook(pool, limits, request, context),
  }
}

async function extractDocument(
  pool: ExtractorPool,
  limits: Limits,
  request: DocumentRequest,
  context: Context,
): Promise<Result<DocumentResult, DocumentError>> {
  const { kind, reader } = request
  const head = { kind, bytes: reader.info.size }
  if (head.bytes > limits.maxDocumentBytes) {
    return ok({ ...head, pages: [], textTruncated: false, notRead: "too-large" })
  }
  const job = documentJob(request, limits)
  if (!job.ok) return job
  const harvest = emptyHarvest()
  const end = await runInProcess(pool, limits, "plain", job.value, request, harvest, context)
  if (!end.ok) return err(end.error)
  const found = {
    ...head,
    ...(harvest.pageCount === undefined || kind === "docx" ? {} : { pageCount: harvest.pageCount }),
    pages: [...harvest.pages.values()],
  }
  if ("notRead" in end.value) return ok({ ...found, textTruncated: false, notRead: end.value.notRead })
  const { outcome } = end.value
  if (outcome.pagesOutOfRange) {
    const { pageCount = 0 } = harvest
    return err(new DocumentError("invalid_pages", outOfRange(request.pages ?? [], pageCount), undefined, pageCount))
  }
  return ok({
    ...found,
    textTruncated: outcome.textTruncated,
    ...(outcome.notRead === undefined ? {} : { notRead: outcome.notRead }),
    ...(outcome.passwordWrong === undefined ? {} : { passwordWrong: outcome.passwordWrong }),
    ...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
  })
}

async function convertImage(
  pool: ExtractorPool,
  limits: Limits,
  request: ImageRequest,
  context: Context,
): Promise<Result<ImageResult, DocumentError>> {
  if (request.reader.info.size > limits.maxImageFileBytes) return ok({ converted: false, notRead: "too-large" })
  const job: ExtractorJob = {
    kind: "image",
    mimeType: request.mimeType,
    ...(request.region === undefined ? {} : { region: request.region }),
    limits: {
      maxPixels: limits.maxImagePixels,
      maxSidePixels: limits.maxImageSidePixels,
      maxImageBytes: maxEncodedBytes(limits),
    },
  }
  const harvest = emptyHarvest()
  const end = await runInProcess(pool, limits, "addons", job, request, harvest, context)
  if (!end.ok) return err(end.error)
  if ("notRead" in end.value) return ok({ converted: false, notRead: end.value.notRead })
  const { original, converted, notRead, message } = end.value.outcome
  const image = notRead === undefined ? harvest.image : undefined
  return ok({
    ...(image === undefined ? {} : { image }),
    ...(original === undefined ? {} : { originalWidth: original.width, originalHeight: original.height }),
    ...(original?.frames === undefined ? {} : { frames: original.frames }),
    converted: converted === true,
    ...(image === undefined ? { notRead: notRead ?? "unsupported" } : {}),
    ...(message === undefined ? {} : { message }),
  })
}

function outOfRange(pages: readonly number[], pageCount: number): string {
  const first = pages.find((page) => page > pageCount)
  return `Page ${first ?? 1} is out of range (${pageCount} ${pageCount === 1 ? "page" : "pages"} total)`
}
