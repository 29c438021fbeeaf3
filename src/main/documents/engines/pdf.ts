import { init } from "@embedpdf/pdfium"
import { MAX_DOCUMENT_WASM_BYTES } from "../../limits.ts"
import type { JobOutcome, PdfJob } from "../extractor-protocol.ts"
import type { Engine, EngineSession, EngineSink } from "./engine.ts"
import { passwordsToTry } from "./pdf-password.ts"
import { practisePdfium } from "./pdf-practice.ts"
import { renderPage } from "./pdf-render.ts"
import { flattenAnnotations, type PageBox, readPageBox, readPageText } from "./pdf-text.ts"
import { type Handle, OutOfPdfiumMemory, type PdfiumCalls, withMemory } from "./pdfium-calls.ts"
import { withMemoryLimit } from "./wasm-memory-limit.ts"

/** PDFium's word for a password that is missing or wrong. */
const ERROR_PASSWORD = 4
const MAX_NOTES = 4

/** PDFium from its own bytes, its memory capped at {@link MAX_DOCUMENT_WASM_BYTES}. */
export async function createPdfEngine(wasm: Uint8Array): Promise<Engine> {
  const { pdfium } = await init({
    wasmBinary: withMemoryLimit(wasm, MAX_DOCUMENT_WASM_BYTES).buffer,
    print: () => undefined,
    printErr: () => undefined,
  })
  const calls = pdfium as unknown as PdfiumCalls
  calls._FPDF_InitLibrary()
  return {
    begin: (job, size) => {
      if (job.kind !== "pdf") throw new Error(`PDFium does not read ${job.kind}`)
      return beginDocument(calls, job, size)
    },
    practise: (mayGoOn) => practisePdfium(calls, mayGoOn),
  }
}

/** The document's bytes go straight into PDFium's memory, so that they are held once. */
function beginDocument(pdfium: PdfiumCalls, job: PdfJob, size: number): EngineSession {
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
        return await new PdfReading(pdfium, job, sink).read(start, filled)
      } catch (thrown) {
        // PDFium that ran out of memory or of stack has aborted, and its module is dead; so will be this process.
        const spent = thrown instanceof OutOfPdfiumMemory || thrown instanceof RangeError || isWebAssemblyTrap(thrown)
        return { textTruncated: false, notRead: spent ? "too-large" : "unsupported" }
      }
    },
  }
}

function isWebAssemblyTrap(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "RuntimeError"
}

class PdfReading {
  readonly #pdfium: PdfiumCalls
  readonly #job: PdfJob
  readonly #sink: EngineSink
  readonly #notes: string[] = []
  #document: Handle = 0
  #characters = 0
  #inkedPages = 0

  constructor(pdfium: PdfiumCalls, job: PdfJob, sink: EngineSink) {
    this.#pdfium = pdfium
    this.#job = job
    this.#sink = sink
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
      const encoded = new TextEncoder().encode(`${candidate}\0`)
      this.#document = withMemory(this.#pdfium, encoded.byteLength, (pointer) => {
        this.#pdfium.HEAPU8.set(encoded, pointer)
        return this.#pdfium._FPDF_LoadMemDocument(bytes, size, candidate === "" ? 0 : pointer)
      })
      if (this.#document !== 0) return undefined
      if (this.#pdfium._FPDF_GetLastError() !== ERROR_PASSWORD) {
        return { textTruncated: false, notRead: "unsupported" }
      }
    }
    return { textTruncated: false, notRead: "encrypted", ...(password ? { passwordWrong: true } : {}) }
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
      const read = this.#readPage(page, left)
      if (read === undefined) {
        broken += 1
        this.#notes.push(`Page ${page} could not be loaded.`)
        await this.#sink.page(page, "", false)
        continue
      }
      // A page is not cut where the next call can have all of it.
      if (read.truncated && !first) return { poor, broken, truncated: true, late: false }
      this.#characters += read.text.length
      if (/\S/.test(read.text)) this.#inkedPages += 1
      if (read.unreadable) this.#notes.push(`Page ${page}: much of its text has no Unicode mapping and may be wrong.`)
      const isPoor = !read.blank && (read.unreadable || read.text.length < minPageCharacters)
      if (isPoor) poor.push(page)
      await this.#sink.page(page, read.text, read.truncated, isPoor)
      if (read.truncated) return { poor, broken, truncated: true, late: false }
    }
    return { poor, broken, truncated: false, late: false }
  }

  #readPage(page: number, maxCharacters: number) {
    const pdfium = this.#pdfium
    let handle = pdfium._FPDF_LoadPage(this.#document, page - 1)
    if (handle === 0) return undefined
    const box: PageBox | undefined = readPageBox(pdfium, handle)
    if (flattenAnnotations(pdfium, handle, box)) {
      pdfium._FPDF_ClosePage(handle)
      handle = pdfium._FPDF_LoadPage(this.#document, page - 1)
      if (handle === 0) return undefined
    }
    const text = readPageText(pdfium, handle, box, maxCharacters)
    // A page without objects is blank, and so would be its picture.
    const blank = pdfium._FPDFPage_CountObjects(handle) === 0
    pdfium._FPDF_ClosePage(handle)
    return { ...text, blank }
  }

  async #renderPages(pages: readonly number[]): Promise<{ drawn: number; late: boolean }> {
    const { maxPixels, maxImageBytes } = this.#job.limits
    let pixels = maxPixels
    let drawn = 0
    for (const [i, page] of pages.entries()) {
      if (this.#sink.remainingMs() <= 0) return { drawn, late: true }
      const handle = this.#pdfium._FPDF_LoadPage(this.#document, page - 1)
      if (handle === 0) continue
      // It was flattened when its text was read.
      const share = Math.floor(pixels / (pages.length - i))
      const image = renderPage(this.#pdfium, handle, share, maxImageBytes)
      this.#pdfium._FPDF_ClosePage(handle)
      if (image === undefined) continue
      pixels -= image.width * image.height
      drawn += 1
      await this.#sink.image(page, image)
    }
    return { drawn, late: false }
  }
}
