import { type Context, err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import { type Limits, MAX_NOTEBOOK_IMAGES } from "../limits.ts"
import type { DocumentError, NotebookRequest, NotebookResult } from "./document-extractor.ts"
import { maxCharacters, maxEncodedBytes } from "./document-job.ts"
import { emptyHarvest } from "./extraction.ts"
import type { ExtractorPool } from "./extractor-pool.ts"
import { MAX_NOTEBOOK_MARKS, MAX_TEXT_CHARACTERS, type NotebookJob } from "./extractor-protocol.ts"
import { runInProcess } from "./job-run.ts"

/** A notebook by a process of `pool`: one that may load sharp, for the pictures in it, and needs no PDFium. */
export async function extractNotebook(
  pool: ExtractorPool,
  limits: Limits,
  request: NotebookRequest,
  context: Context,
): Promise<Result<NotebookResult, DocumentError>> {
  const none = { images: new Map() }
  if (request.reader.info.size > limits.maxDocumentBytes) return ok({ ...none, notRead: "too-large" })
  const harvest = emptyHarvest()
  const end = await runInProcess(pool, limits, "addons", notebookJob(request, limits), request, harvest, context)
  if (!end.ok) return err(end.error)
  const { notRead, message } = "outcome" in end.value ? end.value.outcome : { ...end.value, message: undefined }
  const reason = notRead ?? (harvest.notebook === undefined ? "unsupported" : undefined)
  return ok({
    ...(harvest.notebook === undefined ? {} : { notebook: harvest.notebook }),
    images: harvest.pictures,
    ...(reason === undefined ? {} : { notRead: reason }),
    ...(message === undefined ? {} : { message }),
  })
}

function notebookJob({ window, images }: NotebookRequest, limits: Limits): NotebookJob {
  const { fromLine, maxLines, maxBytes } = window
  return {
    kind: "notebook",
    images,
    window: {
      fromLine,
      maxLines: Math.min(maxLines, MAX_NOTEBOOK_MARKS),
      maxBytes: Math.min(maxBytes, MAX_TEXT_CHARACTERS),
    },
    limits: {
      maxCharacters: maxCharacters(limits),
      maxImages: MAX_NOTEBOOK_IMAGES,
      maxSourceBytes: limits.maxImageFileBytes,
      maxSourcePixels: limits.maxImagePixels,
      maxSidePixels: limits.maxImageSidePixels,
      maxPixels: limits.maxRenderedPixels,
      maxImageBytes: maxEncodedBytes(limits),
    },
  }
}
