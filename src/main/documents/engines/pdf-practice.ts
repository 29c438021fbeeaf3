import { readPageBox, readPageText } from "./pdf-text.ts"
import { type PdfiumCalls, withMemory } from "./pdfium-calls.ts"

/** Until the functions that most documents need are compiled, and the hottest of them compiled well. */
const ROUNDS = 6
const LINES = 40
const WORDS = "Words of a page that nobody reads, set in a font that is everywhere (1234567890)"

/** Reads a document of ours some times over. What it costs is spent while the process stands by. */
export function practisePdfium(pdfium: PdfiumCalls): void {
  const bytes = new TextEncoder().encode(practiceDocument())
  withMemory(pdfium, bytes.byteLength, (pointer) => {
    pdfium.HEAPU8.set(bytes, pointer)
    for (let round = 0; round < ROUNDS; round++) {
      const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.byteLength, 0)
      const page = pdfium._FPDF_LoadPage(document, 0)
      readPageText(pdfium, page, readPageBox(pdfium, page), 10_000)
      pdfium._FPDF_ClosePage(page)
      pdfium._FPDF_CloseDocument(document)
    }
  })
}

/** Without a cross-reference table, which PDFium then makes itself. */
function practiceDocument(): string {
  const escaped = WORDS.replace(/[()]/g, "\\$&")
  const content = `BT /F1 10 Tf 12 TL 40 760 Td ${`(${escaped}) Tj T*\n`.repeat(LINES)} ET`
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  return [
    "%PDF-1.7",
    "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
    "2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj",
    `3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 ${font} >> >> /Contents 4 0 R >> endobj`,
    `4 0 obj << /Length ${content.length} >> stream`,
    content,
    "endstream endobj",
    "trailer << /Root 1 0 R >>",
  ].join("\n")
}
