import { type Context, err, type FileByteReader, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import {
  type DocumentExtractor,
  type DocumentKind,
  type DocumentResult,
  WORD_HAS_NO_PAGES,
} from "../documents/document-extractor.ts"
import { abortedError } from "../fs/file-error.ts"
import { DEFAULT_LIMITS, type Limits } from "../limits.ts"
import type { DocumentCache, ExtractionKey } from "./document-cache.ts"
import { documentFacts, pagesLeft } from "./document-facts.ts"
import {
  documentNotRead,
  keepPages,
  pageCut,
  pageHeader,
  pagesAsImages,
  shownPages,
  stoppedAfter,
} from "./document-notices.ts"
import { windowOfText } from "./document-window.ts"
import { wordWindow } from "./document-window-text.ts"
import { imageBlocks } from "./image-block.ts"
import { wasChanged } from "./image-file.ts"
import { FILE_CHANGED } from "./notices.ts"
import { parsePageRanges } from "./page-ranges.ts"
import type { ReadReceipt, ReadResult } from "./read-result.ts"
import { wordTextLeft } from "./word-notices.ts"

export interface ReadDocumentRequest {
  kind: DocumentKind
  /** Left open: closing is the caller's. */
  reader: FileByteReader
  /** Without one every document is `unavailable`. */
  extractor?: DocumentExtractor | undefined
  /** `"1-3,7"`, as the parameters' rule has it. */
  pages?: string | undefined
  password?: string | undefined
  /** 1 or more, in lines of the text of all pages. */
  offset: number
  limit?: number | undefined
  column?: number | undefined
  /** False: pages without text are not rendered. Default true. */
  acceptsImages?: boolean | undefined
  limits?: Partial<Limits> | undefined
  /** What the path is called in notices. */
  path: string
  /** False: no hint names a command. Default true. */
  shell?: boolean | undefined
  /** Shared by the calls of one tool. */
  cache?: DocumentCache | undefined
}

const MIME_TYPES: Record<DocumentKind, string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

/** The document route: a window of its text and its pages as images, or a notice with one reason why there is neither. */
export async function readDocument(request: ReadDocumentRequest, context: Context): Promise<Result<ReadResult, Error>> {
  const limits: Limits = { ...DEFAULT_LIMITS, ...request.limits }
  const found = await extract(request, limits, context)
  if (!found.ok) return found
  const result = found.value
  const changed = await wasChanged(request.reader, context)
  const shown = result.pages.length > 0 && result.notRead !== "no-text"
  const read = shown ? await showPages(request, limits, result) : ok<ReadResult>(notShown(request, limits, result))
  if (context.abortSignal?.aborted) return err(abortedError(request.reader.info.path))
  if (!read.ok || !changed) return read
  const { content, details, receipt } = read.value
  return ok({
    content: [...content, { type: "text", text: FILE_CHANGED }],
    details,
    receipt: { ...receipt, changed: true },
  })
}

async function extract(
  { kind, reader, extractor, pages, password, offset, column, acceptsImages = true, cache }: ReadDocumentRequest,
  limits: Limits,
  context: Context,
): Promise<Result<DocumentResult, Error>> {
  if (kind === "docx" && pages !== undefined) return err(new Error(WORD_HAS_NO_PAGES))
  const asked = pages === undefined ? undefined : parsePageRanges(pages, limits.maxDocumentPages)
  if (asked?.ok === false) return asked
  if (extractor === undefined) {
    return ok({ kind, bytes: reader.info.size, pages: [], textTruncated: false, notRead: "unavailable" })
  }
  const key: ExtractionKey = { pages: asked?.value.join(), password, images: acceptsImages }
  const kept = cache?.get(reader.info, key)
  // What was read in part is good for reading on in it; a call from the start may get further.
  const readingOn = offset > 1 || column !== undefined
  if (kept !== undefined && (kept.notRead === undefined || readingOn)) return ok(kept)
  const extracted = await extractor.extract(
    {
      kind,
      reader,
      ...(asked === undefined ? {} : { pages: asked.value }),
      ...(password === undefined ? {} : { password }),
      images: acceptsImages,
    },
    context,
  )
  if (!extracted.ok) {
    return err(extracted.error.code === "aborted" ? abortedError(reader.info.path) : extracted.error)
  }
  if (extracted.value.pages.length > 0) cache?.set(reader.info, key, extracted.value)
  return extracted
}

function notShown(request: ReadDocumentRequest, limits: Limits, result: DocumentResult): ReadResult {
  const reason = result.notRead ?? "unsupported"
  const text = documentNotRead(result, reason, {
    pages: request.pages,
    acceptsImages: request.acceptsImages ?? true,
    limits,
    noExtractor: request.extractor === undefined,
  })
  const document = { ...documentFacts(result, false), notRead: reason, read: false }
  return { content: [{ type: "text", text }], details: { document }, receipt: receiptOf(request, document) }
}

async function showPages(
  request: ReadDocumentRequest,
  limits: Limits,
  result: DocumentResult,
): Promise<Result<ReadResult, Error>> {
  const pageCount = result.pageCount ?? result.pages.length
  const paged = result.kind === "pdf"
  const header = (page: number): string => (paged ? `${pageHeader(page, pageCount)}\n` : "")
  const text = result.pages.map(({ page, text }) => `${header(page)}${text}`).join("\n\n")
  const window = windowOfText(text, { ...request, maxLines: limits.maxLines, maxBytes: limits.maxBytes })
  const wording = { path: request.path, shell: false, maxBytes: limits.maxBytes }
  const shown = wordWindow(window, request, wording)
  if (!shown.ok) return shown
  const { content, notice, next, truncation } = shown.value
  const first = request.offset === 1 && request.column === undefined
  const images = first ? result.pages.flatMap(({ image }) => image ?? []) : []
  const drawn = first ? result.pages.filter(({ image }) => image !== undefined).map(({ page }) => page) : []
  const notices = [
    notice,
    next !== undefined && request.pages !== undefined ? keepPages(request.pages) : undefined,
    ...(paged ? cutPages(result) : wordTextLeft(result, { ...wording, shell: request.shell !== false })),
    ...(result.notes ?? []).map((note) => `[${note}]`),
    drawn.length > 0 ? pagesAsImages(drawn) : undefined,
    paged ? pagesNotice(request, limits, result, pageCount) : undefined,
  ].filter((line) => line !== undefined)
  const document = documentFacts(result, truncation?.truncated ?? next !== undefined)
  return ok({
    content: [
      { type: "text", text: [content, ...notices].filter((part) => part !== "").join("\n\n") },
      ...(await imageBlocks(images)),
    ],
    details: { ...(truncation?.truncated ? { truncation } : {}), document },
    receipt: { ...receiptOf(request, document), ...shown.value.lines, ...next },
  })
}

function cutPages({ pages }: DocumentResult): string[] {
  return pages.filter(({ textTruncated }) => textTruncated).map(({ page, text }) => pageCut(page, text.length))
}

/** Which pages were shown and which come next; nothing where all were. */
function pagesNotice(request: ReadDocumentRequest, limits: Limits, result: DocumentResult, pageCount: number) {
  const read = result.pages.map(({ page }) => page)
  const left = pagesLeft(result, request.pages, pageCount, limits.maxDocumentPages)
  if (result.notRead !== undefined) return stoppedAfter(read.at(-1) ?? 0, result.notRead, limits, left)
  return left.length === 0 ? undefined : shownPages(read, pageCount, left)
}

function receiptOf({ kind, reader }: ReadDocumentRequest, document: ReadReceipt["document"]): ReadReceipt {
  const { path, size } = reader.info
  return { kind: "document", path, bytes: size, mimeType: MIME_TYPES[kind], ...(document ? { document } : {}) }
}
