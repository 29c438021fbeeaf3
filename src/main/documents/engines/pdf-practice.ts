import { PDF_PRACTICE_DOCUMENT } from "./pdf-practice-document.ts"
import { readPageBox, readPageText } from "./pdf-text.ts"
import { type PdfiumCalls, withMemory } from "./pdfium-calls.ts"

/** After so many, what most documents need of PDFium is compiled as well as it will be: more gain nothing. */
const ROUNDS = 16
/** Lets the compiler's own threads bring in what they have made, and a job begin. */
const PAUSE_MS = 1

/**
 * Reads a document of ours some times over, for as long as `mayGoOn`. What it costs, some 400 ms, is spent while the
 * process stands by. Its three pages were made by a typesetter, by a drawing library and by hand: in fonts of the kinds that
 * most documents have.
 */
export async function practisePdfium(pdfium: PdfiumCalls, mayGoOn: () => boolean): Promise<void> {
  const bytes = Buffer.from(PDF_PRACTICE_DOCUMENT, "base64")
  for (let round = 0; round < ROUNDS && mayGoOn(); round++) {
    withMemory(pdfium, bytes.byteLength, (pointer) => {
      pdfium.HEAPU8.set(bytes, pointer)
      readOnce(pdfium, pointer, bytes.byteLength)
    })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function readOnce(pdfium: PdfiumCalls, pointer: number, size: number): number {
  const document = pdfium._FPDF_LoadMemDocument(pointer, size, 0)
  const pages = pdfium._FPDF_GetPageCount(document)
  let characters = 0
  for (let index = 0; index < pages; index++) {
    const page = pdfium._FPDF_LoadPage(document, index)
    characters += readPageText(pdfium, page, readPageBox(pdfium, page), 10_000).text.length
    pdfium._FPDF_ClosePage(page)
  }
  pdfium._FPDF_CloseDocument(document)
  return characters
}
