import { deflateSync } from "node:zlib"
import { readPageBox, readPageText } from "./pdf-text.ts"
import { type PdfiumCalls, withMemory } from "./pdfium-calls.ts"

/** After so many, what most documents need of PDFium is compiled as well as it will be: more gain nothing. */
const ROUNDS = 8
/** Lets the compiler's own threads bring in what they have made, and a job begin. */
const PAUSE_MS = 10
const PAGES = 4
const LINES = 48
const WORDS = "Words that nobody reads (1234567890) set in fonts found on every page".split(" ")

/**
 * Reads a document of ours some times over, for as long as `mayGoOn`. What it costs, some 200 ms, is spent while the
 * process stands by. The document has what typeset ones have: compressed streams, kerned text, a font with a Unicode map.
 */
export async function practisePdfium(pdfium: PdfiumCalls, mayGoOn: () => boolean): Promise<void> {
  const bytes = practiceDocument()
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
  let characters = 0
  for (let index = 0; index < PAGES; index++) {
    const page = pdfium._FPDF_LoadPage(document, index)
    characters += readPageText(pdfium, page, readPageBox(pdfium, page), 10_000).text.length
    pdfium._FPDF_ClosePage(page)
  }
  pdfium._FPDF_CloseDocument(document)
  return characters
}

/** Without a cross-reference table, which PDFium then makes itself. */
export function practiceDocument(): Uint8Array {
  const pages = Array.from({ length: PAGES }, (_, index) => 10 + index)
  const widths = "500 ".repeat(95)
  const font = `/Type /Font /Subtype /Type1 /BaseFont /Times-Roman /FirstChar 32 /LastChar 126 /Widths [${widths}]`
  const page =
    "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R"
  return Buffer.concat([
    Buffer.from("%PDF-1.5\n"),
    object(1, "<< /Type /Catalog /Pages 2 0 R >>"),
    object(2, `<< /Type /Pages /Count ${PAGES} /Kids [${pages.map((number) => `${number} 0 R`).join(" ")}] >>`),
    object(3, `<< ${font} /ToUnicode 4 0 R >>`),
    compressed(4, unicodeMap()),
    compressed(5, pageContent()),
    ...pages.map((number) => object(number, `<< ${page} >>`)),
    Buffer.from("trailer << /Root 1 0 R >>\n"),
  ])
}

function object(number: number, body: string): Buffer {
  return Buffer.from(`${number} 0 obj ${body} endobj\n`)
}

function compressed(number: number, content: string): Buffer {
  const bytes = deflateSync(content)
  const head = `${number} 0 obj << /Filter /FlateDecode /Length ${bytes.byteLength} >> stream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream endobj\n")])
}

/** Words in two pieces each, kerned and spaced by numbers, as typesetters place them. */
function pageContent(): string {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const words = Array.from({ length: 12 }, (_, at) => {
      const word = WORDS[(line + at) % WORDS.length] ?? ""
      return `(${escaped(word.slice(0, 2))})${-((at * 7) % 40)}(${escaped(word.slice(2))})-333`
    })
    return `[${words.join("")}]TJ 0 -14 Td`
  })
  return `BT /F1 9.96 Tf 56 780 Td\n${lines.join("\n")}\nET`
}

function escaped(text: string): string {
  return text.replace(/[()\\]/g, "\\$&")
}

function unicodeMap(): string {
  const codes = Array.from({ length: 95 }, (_, at) => (32 + at).toString(16))
  const pairs = codes.map((code) => `<${code}> <00${code}>`).join("\n")
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Practice def
1 begincodespacerange <00> <FF> endcodespacerange
${codes.length} beginbfchar
${pairs}
endbfchar endcmap end end`
}
