import { flattenAnnotations, type PageBox, type PageText, readPageBox, readPageText } from "./pdf-text.ts"
import { type Handle, type PdfiumCalls, withMemory } from "./pdfium-calls.ts"

/** What one page holds. */
export interface PdfPage extends PageText {
  /** Without objects, and so would be its picture. */
  blank: boolean
}

/** The document in `size` bytes of PDFium's memory, which stay its own; 0 where it cannot be opened with this password. */
export function openDocument(pdfium: PdfiumCalls, bytes: Handle, size: number, password: string): Handle {
  const encoded = new TextEncoder().encode(`${password}\0`)
  return withMemory(pdfium, encoded.byteLength, (pointer) => {
    pdfium.HEAPU8.set(encoded, pointer)
    return pdfium._FPDF_LoadMemDocument(bytes, size, password === "" ? 0 : pointer)
  })
}

/** A page with its annotations drawn into it, which its reader closes; undefined where it cannot be loaded. */
export function loadPage(
  pdfium: PdfiumCalls,
  document: Handle,
  index: number,
): { page: Handle; box: PageBox | undefined } | undefined {
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0) return undefined
  const box = readPageBox(pdfium, page)
  if (!flattenAnnotations(pdfium, page, box)) return { page, box }
  pdfium._FPDF_ClosePage(page)
  const flattened = pdfium._FPDF_LoadPage(document, index)
  return flattened === 0 ? undefined : { page: flattened, box }
}

/** The text of a page, at most `maxCharacters` of it; undefined where the page cannot be loaded. */
export function readPage(
  pdfium: PdfiumCalls,
  document: Handle,
  index: number,
  maxCharacters: number,
): PdfPage | undefined {
  const loaded = loadPage(pdfium, document, index)
  if (loaded === undefined) return undefined
  const text = readPageText(pdfium, loaded.page, loaded.box, maxCharacters)
  const blank = pdfium._FPDFPage_CountObjects(loaded.page) === 0
  pdfium._FPDF_ClosePage(loaded.page)
  return { ...text, blank }
}
