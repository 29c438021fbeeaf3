import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { Wording } from "./notices.ts"
import { quoteForShell } from "./shell-quote.ts"

/** Archives of office programs and books that are named with their kind, and that no engine reads. */
export type OfficeArchive = "xlsx" | "xlsb" | "pptx" | "odt" | "ods" | "odp" | "odg" | "epub" | "iwork"

interface Naming {
  /** As a notice begins with it. */
  name: string
  /** As in "it looks like an Excel workbook (XLSX)". */
  looksLike: string
  /** None where one kind of several is meant. */
  mimeType?: string
  /** Entries that hold the words, as `unzip` takes them, and whether they are nothing without their tags. */
  entries?: { names: readonly string[]; tags: "kept" | "dropped" }
  /** Where there is no shell. */
  ask: string
}

const OPEN_XML = "application/vnd.openxmlformats-officedocument."
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
const ASK_FOR_CSV = "Ask the user to save the sheet in question as CSV."
const ASK_FOR_PDF = "Ask the user for a PDF of it."
const CONTENT: NonNullable<Naming["entries"]> = { names: ["content.xml"], tags: "dropped" }

const NAMINGS: Readonly<Record<OfficeArchive, Naming>> = Object.freeze({
  xlsx: {
    name: "Excel workbook",
    looksLike: "an Excel workbook (XLSX)",
    mimeType: `${OPEN_XML}spreadsheetml.sheet`,
    // A cell refers to its string by number, so that the tags are needed.
    entries: { names: ["xl/sharedStrings.xml", "xl/worksheets/sheet*.xml"], tags: "kept" },
    ask: ASK_FOR_CSV,
  },
  xlsb: {
    name: "Excel binary workbook",
    looksLike: "an Excel binary workbook (XLSB)",
    mimeType: "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    ask: ASK_FOR_CSV,
  },
  pptx: {
    name: "PowerPoint presentation",
    looksLike: "a PowerPoint presentation (PPTX)",
    mimeType: `${OPEN_XML}presentationml.presentation`,
    entries: { names: ["ppt/slides/slide*.xml"], tags: "dropped" },
    ask: ASK_FOR_PDF,
  },
  odt: openDocument("text", "OpenDocument text", "an OpenDocument text (ODT)", ASK_FOR_PDF),
  ods: openDocument("spreadsheet", "OpenDocument spreadsheet", "an OpenDocument spreadsheet (ODS)", ASK_FOR_CSV),
  odp: openDocument("presentation", "OpenDocument presentation", "an OpenDocument presentation (ODP)", ASK_FOR_PDF),
  odg: openDocument("graphics", "OpenDocument drawing", "an OpenDocument drawing (ODG)", ASK_FOR_PDF),
  epub: {
    name: "EPUB book",
    looksLike: "an EPUB book",
    mimeType: "application/epub+zip",
    entries: { names: ["*htm*"], tags: "dropped" },
    ask: "Ask the user for its text.",
  },
  iwork: {
    name: "Pages, Numbers or Keynote document",
    looksLike: "a Pages, Numbers or Keynote document",
    ask: ASK_FOR_PDF,
  },
})

function openDocument(type: string, name: string, looksLike: string, ask: string): Naming {
  return { name, looksLike, mimeType: `${OPEN_DOCUMENT}${type}`, entries: CONTENT, ask }
}

/** As in "it looks like an Excel workbook (XLSX)". */
export function officeLooksLike(archive: OfficeArchive): string {
  return NAMINGS[archive].looksLike
}

export function officeMimeType(archive: OfficeArchive): string | undefined {
  return NAMINGS[archive].mimeType
}

/** The archive that such an OpenDocument or EPUB type names; templates are of the kind that they are templates of. */
export function officeArchiveOfType(mimeType: string): OfficeArchive | undefined {
  const known = Object.entries(NAMINGS).find(([, naming]) => naming.mimeType && mimeType.startsWith(naming.mimeType))
  return known?.[0] as OfficeArchive | undefined
}

/** `[Excel workbook (S), not shown as text. <what to do next>]` */
export function officeNotShown(archive: OfficeArchive, bytes: number, { path, shell, maxBytes }: Wording): string {
  const { name, entries, ask } = NAMINGS[archive]
  const next = shell && entries !== undefined ? `Use bash: ${extraction(path, entries)} | head -c ${maxBytes}` : ask
  return `[${name} (${formatSize(bytes)}), not shown as text. ${next}]`
}

function extraction(path: string, { names, tags }: NonNullable<Naming["entries"]>): string {
  const words = tags === "kept" ? "" : " | sed 's/<[^>]*>/ /g'"
  return `unzip -p ${archiveForUnzip(path)} ${names.map(quoteForShell).join(" ")}${words}`
}

/** unzip takes the name of the archive for a pattern too; a class of one character stands for that character. */
export function archiveForUnzip(path: string): string {
  return quoteForShell(path.replace(/[[*?]/g, "[$&]"))
}
