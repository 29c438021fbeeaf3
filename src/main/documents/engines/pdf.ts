import { MAX_DOCUMENT_WASM_BYTES, MAX_SHARED_PDF_WASM_BYTES } from "../../limits.ts"
import type { JobOutcome, PdfJob } from "../extractor-protocol.ts"
import type { Engine, EngineSession, EngineSink } from "./engine.ts"
import { loadPage, openDocument, type PdfPage, readPage } from "./pdf-document.ts"
import { passwordsToTry } from "./pdf-password.ts"
import { practisePdfium } from "./pdf-practice.ts"
import { renderPage } from "./pdf-render.ts"
import { type PdfThread, startPdfThread } from "./pdf-thread.ts"
import { compilePdfium, isPdfiumSpent, startPdfium } from "./pdfium.ts"
import { type Handle, OutOfPdfiumMemory, type PdfiumCalls } from "./pdfium-calls.ts"

/** PDFium's word for a password that is missing or wrong. */
const ERROR_PASSWORD = 4
const MAX_NOTES = 4

/**
 * PDFium from its own bytes, its memory capped at {@link MAX_DOCUMENT_WASM_BYTES}. With practice starts the thread at
 * `threadEntry`, where there is one, which reads every other page of the documents that come after.
 */
export async function createPdfEngine(wasm: Uint8Array, threadEntry?: URL): Promise<Engine> {
  const module = await compilePdfium(wasm, MAX_DOCUMENT_WASM_BYTES)
  const pdfium = await startPdfium(module, MAX_DOCUMENT_WASM_BYTES)
  let thread: PdfThread | undefined
  return {
    begin: (job, size) => {
      if (job.kind !== "pdf") throw new Error(`PDFium does not read ${job.kind}`)
      return beginDocument(pdfium, job, size, thread)
    },
    practise: async (mayGoOn) => {
      if (threadEntry !== undefined && mayGoOn()) thread = startPdfThread(threadEntry, module)
      await practisePdfium(pdfium, mayGoOn)
    },
  }
}

/** The document's bytes go straight into PDFium's memory, so that they are held once. */
function beginDocument(pdfium: PdfiumCalls, job: PdfJob, size: number, thread: PdfThread | undefined): EngineSession {
  const start = pdfium.wasmExports.malloc(Math.max(1, size))
  let filled = 0
  return {
    write: (bytes) => {
      if (start === 0 || filled + bytes.byteLength > size) return
      pdfium.HEAPU8.set(bytes, start + filled)
      filled += bytes.byteLength
    },
    finish: async (sink) => {
      try {
        if (start === 0) throw new OutOfPdfiumMemory()
        return await new PdfReading(pdfium, job, sink, thread).read(start, filled)
      } catch (thrown) {
        return { textTruncated: false, notRead: isPdfiumSpent(thrown) ? "too-large" : "unsupported" }
      }
    },
  }
}

class PdfReading {
  readonly #pdfium: PdfiumCalls
  readonly #job: PdfJob
  readonly #sink: EngineSink
  readonly #thread: PdfThread | undefined
  readonly #notes: string[] = []
  #document: Handle = 0
  #password = ""
  #characters = 0
  #inkedPages = 0

  constructor(pdfium: PdfiumCalls, job: PdfJob, sink: EngineSink, thread: PdfThread | undefined) {
    this.#pdfium = pdfium
    this.#job = job
    this.#sink = sink
    this.#thread = thread
  }

  async read(bytes: Handle, size: number): Promise<JobOutcome> {
    const failure = this.#open(bytes, size)
    if (failure !== undefined) return failure
    const pageCount = this.#pdfium._FPDF_GetPageCount(this.#document)
    if (pageCount <= 0) return { textTruncated: false, notRead: "unsupported" }
    await this.#sink.opened(pageCount)
    const { pages: asked, limits } = this.#job
    if (asked?.some((page) => page > pageCount)) return { textTruncated: false, pagesOutOfRange: true }
    const pages = asked ?? Array.from({ length: Math.min(pageCount, limits.maxPages) }, (_, i) => i + 1)
    this.#shareOut(pages, bytes, size)
    const text = await this.#readText(pages)
    const pictures = this.#job.images && !text.late ? await this.#renderPages(text.poor) : { drawn: 0, late: false }
    const notes = this.#notes.length === 0 ? {} : { notes: this.#notes.slice(0, MAX_NOTES) }
    const outcome = { textTruncated: text.truncated, ...notes }
    if (text.late || pictures.late) return { ...outcome, notRead: "timeout" }
    if (text.broken === pages.length) return { ...outcome, notRead: "unsupported" }
    if (this.#inkedPages === 0 && pictures.drawn === 0) return { ...outcome, notRead: "no-text" }
    return outcome
  }

  /** Undefined once the document is open. */
  #open(bytes: Handle, size: number): JobOutcome | undefined {
    const { password } = this.#job
    for (const candidate of password === undefined ? [""] : ["", ...passwordsToTry(password)]) {
      this.#document = openDocument(this.#pdfium, bytes, size, candidate)
      this.#password = candidate
      if (this.#document !== 0) return undefined
      if (this.#pdfium._FPDF_GetLastError() !== ERROR_PASSWORD) {
        return { textTruncated: false, notRead: "unsupported" }
      }
    }
    return { textTruncated: false, notRead: "encrypted", ...(password ? { passwordWrong: true } : {}) }
  }

  /**
   * Gives every other page to the thread. This one reads the rest and never runs ahead of what it puts into the sink, so
   * that whatever a page does to it, all pages before have left.
   */
  #shareOut(pages: readonly number[], start: Handle, size: number): void {
    const memory = this.#pdfium.HEAPU8
    if (!this.#thread?.ready || pages.length < 2 || memory.byteLength > MAX_SHARED_PDF_WASM_BYTES) return
    const bytes = memory.slice(start, start + size) as Uint8Array<ArrayBuffer>
    const indexes = pages.filter((_, i) => i % 2 === 1).map((page) => page - 1)
    const { maxCharacters } = this.#job.limits
    this.#thread.begin({ bytes, password: this.#password, indexes, maxCharacters })
  }

  /** The text of all pages comes before any picture, so that a page that is slow to draw costs no text. */
  async #readText(pages: readonly number[]) {
    const { maxCharacters, minPageCharacters } = this.#job.limits
    const poor: number[] = []
    let broken = 0
    for (const page of pages) {
      if (this.#sink.remainingMs() <= 0) return { poor, broken, truncated: false, late: true }
      const left = maxCharacters - this.#characters
      const first = page === pages[0]
      if (left <= 0) return { poor, broken, truncated: true, late: false }
      const read = await this.#readPage(page, left)
      if (read === undefined) {
        broken += 1
        this.#notes.push(`Page ${page} could not be loaded.`)
        await this.#sink.page(page, "", false)
        continue
      }
      // A page is not cut where the next call can have all of it.
      const cut = read.length > left
      if (cut && !first) return { poor, broken, truncated: true, late: false }
      this.#characters += read.text.length
      if (/\S/.test(read.text)) this.#inkedPages += 1
      if (read.unreadable) this.#notes.push(`Page ${page}: much of its text has no Unicode mapping and may be wrong.`)
      const isPoor = !read.blank && (read.unreadable || read.text.length < minPageCharacters)
      if (isPoor) poor.push(page)
      await this.#sink.page(page, read.text, cut, isPoor)
      if (cut) return { poor, broken, truncated: true, late: false }
    }
    return { poor, broken, truncated: false, late: false }
  }

  async #readPage(page: number, maxCharacters: number): Promise<PdfPage | undefined> {
    const theirs = await this.#thread?.take(page - 1)
    return theirs === undefined ? readPage(this.#pdfium, this.#document, page - 1, maxCharacters) : theirs.page
  }

  async #renderPages(pages: readonly number[]): Promise<{ drawn: number; late: boolean }> {
    const { maxPixels, maxImageBytes } = this.#job.limits
    let pixels = maxPixels
    let drawn = 0
    for (const [i, page] of pages.entries()) {
      if (this.#sink.remainingMs() <= 0) return { drawn, late: true }
      // The thread has drawn annotations into its own copy alone.
      const loaded = loadPage(this.#pdfium, this.#document, page - 1)
      if (loaded === undefined) continue
      const share = Math.floor(pixels / (pages.length - i))
      const image = renderPage(this.#pdfium, loaded.page, share, maxImageBytes)
      this.#pdfium._FPDF_ClosePage(loaded.page)
      if (image === undefined) continue
      pixels -= image.width * image.height
      drawn += 1
      await this.#sink.image(page, image)
    }
    return { drawn, late: false }
  }
}
