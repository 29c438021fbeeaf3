import { type ZipEntry, zipOf } from "./build-zip.ts"

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const NAMESPACES = [
  `xmlns:w="${W}"`,
  `xmlns:r="${OFFICE}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
].join(" ")

/** What a Word document is made of; every part is XML of what its root holds. */
export interface WordParts {
  body: string
  /** `<w:footnote w:id="2">...`. */
  footnotes?: string
  comments?: string
  /** Targets of `r:id`, by id; such a relationship is external where it has a colon. */
  targets?: Readonly<Record<string, string>>
  /** Further entries, or others in the place of those that are built. */
  entries?: readonly ZipEntry[]
}

/** The entries of a Word document, in the order in which Word writes them. */
export function docxEntries({
  body,
  footnotes = "",
  comments = "",
  targets = {},
  entries = [],
}: WordParts): ZipEntry[] {
  const built: ZipEntry[] = [
    { name: "[Content_Types].xml", content: `<Types xmlns="${PACKAGE}/content-types"/>` },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: "word/document.xml", content: documentXml(body) },
    { name: "word/_rels/document.xml.rels", content: relationships(targets) },
    { name: "word/styles.xml", content: STYLES },
    { name: "word/numbering.xml", content: NUMBERING },
    { name: "word/footnotes.xml", content: part("footnotes", footnotes) },
    { name: "word/comments.xml", content: part("comments", comments) },
  ]
  const replaced = new Set(entries.map(({ name }) => name))
  return [...built.filter(({ name }) => !replaced.has(name)), ...entries]
}

export function buildDocx(parts: WordParts): Buffer {
  return zipOf(docxEntries(parts))
}

export function documentXml(body: string): string {
  return part("document", `<w:body>${body}<w:sectPr/></w:body>`)
}

function part(root: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${root} ${NAMESPACES}>${content}</w:${root}>`
}

export function run(text: string, properties = ""): string {
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
}

/** `content` is runs, or the text of one. */
export function paragraph(content: string, properties = ""): string {
  const runs = content.startsWith("<") ? content : run(content)
  return `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`
}

export function heading(level: number, text: string): string {
  return paragraph(text, `<w:pStyle w:val="Heading${level}"/>`)
}

/** An item of list 1 (bullets), or of 2 or 3 (numbers; both of one definition). */
export function item(list: 1 | 2 | 3, level: number, content: string): string {
  return paragraph(content, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
}

/** Cells are text, or paragraphs. */
export function table(...rows: string[][]): string {
  const cells = (row: string[]): string => row.map((cell) => tableCell(cell)).join("")
  return `<w:tbl><w:tblPr/>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`
}

export function tableCell(content: string, properties = ""): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : paragraph(content)}</w:tc>`
}

/** An image of the part that `target` names, with words in its place. */
export function picture(relationship: string, alternative = ""): string {
  const blip = `<pic:pic><pic:blipFill><a:blip r:embed="${relationship}"/></pic:blipFill></pic:pic>`
  return `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="" descr="${escapeXml(alternative)}"/><a:graphic><a:graphicData>${blip}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}

function relationships(targets: Readonly<Record<string, string>>): string {
  const entries = Object.entries(targets).map(([id, target]) => {
    const kind = target.includes(":") ? "hyperlink" : "image"
    const mode = target.includes(":") ? ' TargetMode="External"' : ""
    return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${escapeXml(target)}"${mode}/>`
  })
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.join("")}</Relationships>`
}

const STYLES = part(
  "styles",
  [...[1, 2, 3, 4, 5, 6, 7].map((n) => ["paragraph", `Heading${n}`, `heading ${n}`]), ["paragraph", "Title", "Title"]]
    .map(([type, id, name]) => `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`)
    .join(""),
)

const levels = (format: string): string =>
  [0, 1, 2, 3]
    .map((level) => `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`)
    .join("")

const NUMBERING = part(
  "numbering",
  `<w:abstractNum w:abstractNumId="0">${levels("bullet")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1">${levels("decimal")}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>' +
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>',
)
