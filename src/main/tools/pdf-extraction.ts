import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, ok } from "../../../vendor/pi-harness/index.ts"
import type {
  DocumentError,
  DocumentExtractor,
  DocumentImage,
  DocumentRequest,
  DocumentResult,
} from "../documents/document-extractor.ts"
import { abortedError } from "../fs/file-error.ts"
import type { Limits } from "../limits.ts"
import { selectPages } from "./page-ranges.ts"
import type { PdfSource } from "./pdf-sources.ts"

export interface PdfExtractionRequest {
  sources: readonly PdfSource[]
  /** Without one every document is `unavailable`. */
  extractor: DocumentExtractor | undefined
  /** `"1-3,7"`; absent: all pages. */
  pages: string | undefined
  password: string | undefined
  limits: Limits
  /** Called before each document. */
  onDocument: (source: PdfSource) => void
}

/** The text of the selected pages of one PDF. */
export interface ExtractedPdf {
  source: PdfSource
  result: DocumentResult
  /** Pages that were asked for and stand past the last one that was read, as many as a call may have. */
  left: readonly number[]
  /** Pages past the end were asked for. */
  beyondEnd: boolean
}

/** Images of pages with little text, by page. */
export type PageImages = ReadonlyMap<ExtractedPdf, ReadonlyMap<number, DocumentImage>>

/** No document has as many. */
const EVERY_PAGE = "1-999999999"

/** The text of every source, one after another. A selection that names no page of a document is an error. */
export async function extractTexts(
  request: PdfExtractionRequest,
  context: Context,
): Promise<Result<ExtractedPdf[], Error>> {
  const extracted: ExtractedPdf[] = []
  for (const source of request.sources) {
    request.onDocument(source)
    const one = await extractText(request, source, context)
    if (!one.ok) return one
    extracted.push(one.value)
  }
  return ok(extracted)
}

/** All documents share the pixels of one call, by the number of pages that need them. What cannot be drawn is left out. */
export async function drawPages(
  extracted: readonly ExtractedPdf[],
  request: PdfExtractionRequest,
  context: Context,
): Promise<Result<PageImages, Error>> {
  const images = new Map<ExtractedPdf, ReadonlyMap<number, DocumentImage>>()
  const needed = extracted.reduce((sum, one) => sum + poorPages(one).length, 0)
  for (const one of extracted) {
    const pages = poorPages(one)
    if (pages.length === 0) continue
    request.onDocument(one.source)
    const maxPixels = (request.limits.maxRenderedPixels * pages.length) / needed
    const drawn = await extract(request, one.source, { pages, images: true, maxPixels }, context)
    if (context.abortSignal?.aborted) return err(abortedError(one.source.pdf))
    if (!drawn.ok) continue
    const found = drawn.value.pages.flatMap(({ page, image }) => (image === undefined ? [] : [[page, image] as const]))
    images.set(one, new Map(found))
  }
  return ok(images)
}

/** The pages that want an image. */
export function poorPages({ result }: ExtractedPdf): number[] {
  return result.pages.filter(({ poorInText }) => poorInText).map(({ page }) => page)
}

async function extractText(
  request: PdfExtractionRequest,
  source: PdfSource,
  context: Context,
): Promise<Result<ExtractedPdf, Error>> {
  const { pages, limits } = request
  const asked = pages ?? EVERY_PAGE
  const most = limits.maxDocumentPages
  const first = pages === undefined ? {} : { pages: selectPages(pages, { most }) }
  let read = await extract(request, source, { ...first, images: false }, context)
  if (!read.ok && pages !== undefined) {
    // Some of them do not exist: those that do are read.
    const there = selectPages(pages, { upTo: read.error.pageCount ?? 0, most })
    if (there.length > 0) read = await extract(request, source, { pages: there, images: false }, context)
  }
  if (!read.ok) return err(new Error(`${source.name}: ${read.error.message}`, { cause: read.error }))
  const result = read.value
  const pageCount = result.pageCount ?? 0
  return ok({
    source,
    result,
    left: selectPages(asked, { after: result.pages.at(-1)?.page ?? 0, upTo: pageCount, most }),
    beyondEnd: pages !== undefined && pageCount > 0 && selectPages(asked, { after: pageCount, most: 1 }).length > 0,
  })
}

async function extract(
  { extractor, password }: PdfExtractionRequest,
  source: PdfSource,
  asked: Pick<DocumentRequest, "pages" | "images" | "maxPixels">,
  context: Context,
): Promise<Result<DocumentResult, Error & Partial<Pick<DocumentError, "pageCount">>>> {
  if (extractor === undefined) {
    return ok({ kind: "pdf", bytes: source.bytes, pages: [], textTruncated: false, notRead: "unavailable" })
  }
  const opened = await source.open(context)
  if (!opened.ok) return opened
  const reader = opened.value
  try {
    return await extractor.extract(
      { kind: "pdf", reader, ...asked, ...(password === undefined ? {} : { password }) },
      context,
    )
  } finally {
    await reader.close(BACKGROUND_CONTEXT)
  }
}
