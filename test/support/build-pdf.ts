/** A piece of a PDF: text is written as Latin-1. */
export type PdfPart = string | Uint8Array

const latin1 = (text: string) => Buffer.from(text, "latin1")

/** A stream object's body, its length filled in: `<< <entries> /Length n >> stream ... endstream`. */
export function stream(entries: string, data: PdfPart): Buffer {
  const bytes = typeof data === "string" ? latin1(data) : data
  return Buffer.concat([latin1(`<< ${entries} /Length ${bytes.length} >>\nstream\n`), bytes, latin1("\nendstream")])
}

/**
 * A PDF of numbered objects, 1 being the catalog, with a classic cross-reference table and a trailer. Every byte of it is
 * said by the caller or here.
 */
export function buildPdf(objects: ReadonlyMap<number, PdfPart>, trailer = "", header = "%PDF-1.7\n"): Buffer {
  const parts: Buffer[] = [latin1(header)]
  const offsets = new Map<number, number>()
  let at = parts[0]?.length ?? 0
  const push = (part: Buffer) => {
    parts.push(part)
    at += part.length
  }
  for (const [number, body] of objects) {
    offsets.set(number, at)
    push(latin1(`${number} 0 obj\n`))
    push(typeof body === "string" ? latin1(body) : Buffer.from(body))
    push(latin1("\nendobj\n"))
  }
  const size = Math.max(0, ...objects.keys()) + 1
  const start = at
  const entries = [`0000000000 65535 f \n`]
  for (let number = 1; number < size; number++) {
    const offset = offsets.get(number)
    entries.push(offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`)
  }
  push(latin1(`xref\n0 ${size}\n${entries.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`))
  push(latin1(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

export interface PdfPage {
  content: PdfPart
  /** Entries of the page dictionary beside its content, resources and box. */
  entries?: string
  resources?: string
  mediaBox?: string
  /** Entries of the content stream's dictionary: filters. */
  filter?: string
}

/** Helvetica, one of the fonts that every reader has. */
export const HELVETICA = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"

/** The objects of a document of `pages`: catalog 1, page tree 2, then two a page from 10 on. Others may be added. */
export function pageObjects(pages: readonly PdfPage[], catalog = ""): Map<number, PdfPart> {
  const kids = pages.map((_, i) => `${10 + 2 * i} 0 R`).join(" ")
  const objects = new Map<number, PdfPart>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`],
  ])
  for (const [i, page] of pages.entries()) {
    const { entries = "", resources = HELVETICA, mediaBox = "[0 0 612 792]", filter = "" } = page
    const number = 10 + 2 * i
    objects.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Resources << ${resources} >> /Contents ${number + 1} 0 R ${entries} >>`,
    )
    objects.set(number + 1, stream(filter, page.content))
  }
  return objects
}

/** Content that shows lines of text from the top of the page on. */
export function showLines(...lines: string[]): string {
  const escaped = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`)
  return `BT /F1 12 Tf 14 TL 72 720 Td ${escaped.join("\n")} ET`
}

/** A document whose pages show these lines in a standard font. */
export function textPdf(...pages: string[][]): Buffer {
  return buildPdf(pageObjects(pages.map((lines) => ({ content: showLines(...lines) }))))
}
