import type { DocumentKind } from "../documents/document-extractor.ts"
import { hasText } from "../documents/image-bytes.ts"
import { type OfficeArchive, officeArchiveOfType, officeLooksLike } from "./office-archives.ts"

/** What a ZIP container holds, by the entries that its head shows. */
export interface ZipContents {
  /** As in "Looks like a Word document (DOCX)". */
  name: string
  /** Where an extractor may read it. */
  document?: DocumentKind
  /** Where no extractor reads it, and it is named with its kind all the same. */
  office?: OfficeArchive
}

/** `undefined` where `head` does not begin a ZIP container. */
export function sniffZip(head: Uint8Array): ZipContents | undefined {
  if (head[0] !== 0x50 || head[1] !== 0x4b) return undefined
  if (head[2] === 5 && head[3] === 6) return { name: "an empty ZIP archive" }
  if (head[2] !== 3 || head[3] !== 4) return undefined
  const entries = entriesOf(head)
  const declared = entries.find(({ name }) => name === "mimetype")
  const office = (declared && officeArchiveOfType(declared.content)) ?? officeArchiveOf(entries)
  if (office !== undefined) return { name: officeLooksLike(office), office }
  if (declared === entries[0] && declared !== undefined) return ZIP
  return KINDS.find(([prefix]) => entries.some(({ name }) => name.startsWith(prefix)))?.[1] ?? ZIP
}

const ZIP: ZipContents = { name: "a ZIP archive" }

/** The first that any entry's name begins with. */
const KINDS: readonly (readonly [string, ZipContents])[] = [
  ["word/", { name: "a Word document (DOCX)", document: "docx" }],
  ["visio/", { name: "a Visio drawing (VSDX)" }],
  ["[Content_Types].xml", { name: "an Office document" }],
  ["META-INF/MANIFEST.MF", { name: "a Java archive (JAR)" }],
  ["AndroidManifest.xml", { name: "an Android package (APK)" }],
  ["Payload/", { name: "an iOS package (IPA)" }],
]

/** Entries that packages of Office have beside their parts, in whatever order their writer puts them. */
const PACKAGE_ENTRY = /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/)/
/** Parts that nothing else has under such a name. */
const EXCEL_PART = /^xl\/(?:workbook\.|worksheets\/|sharedStrings\.|styles\.|theme\/|_rels\/)/
const POWERPOINT_PART = /^ppt\/(?:presentation\.|presProps\.|slides\/|slideMasters\/|slideLayouts\/|theme\/|_rels\/)/

/** The kind by the names of the entries: a folder that happens to be called `xl` makes no workbook. */
function officeArchiveOf(entries: readonly Entry[]): OfficeArchive | undefined {
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name))
  const inPackage = has(PACKAGE_ENTRY)
  // Binary workbooks have the same folders, and their parts end otherwise.
  if (has(/^xl\/workbook\.bin$/)) return "xlsb"
  if (has(EXCEL_PART) || (inPackage && has(/^xl\//))) return "xlsx"
  if (has(POWERPOINT_PART) || (inPackage && has(/^ppt\//))) return "pptx"
  if (has(/^META-INF\/container\.xml$/)) return "epub"
  return has(/^Index\/(?:.+\/)?[^/]+\.iwa$/) ? "iwork" : undefined
}

interface Entry {
  name: string
  /** First bytes of the content as stored, Latin-1. */
  content: string
}

const HEADER_BYTES = 30
const MAX_NAME_BYTES = 256

/** Bit 3 of the flags: sizes stand behind the content, and are zero before it. */
const SIZES_BEHIND = 8
/** Stands for a size that a ZIP64 field holds. */
const SIZE_ELSEWHERE = 0xffff_ffff

/**
 * Entries whose local header lies in `head`. Where an entry says how long it is and another one, or the directory, stands
 * behind it, what looks like entries within it is its own: an archive in an archive. Otherwise headers are searched.
 */
function entriesOf(head: Uint8Array): Entry[] {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const entries: Entry[] = []
  for (let at = 0; at >= 0 && at + HEADER_BYTES <= bytes.length; at = nextHeader(bytes, at)) {
    const nameEnd = at + HEADER_BYTES + Math.min(bytes.readUInt16LE(at + 26), MAX_NAME_BYTES)
    const contentStart = nameEnd + bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString("latin1", at + HEADER_BYTES, Math.min(nameEnd, bytes.length)),
      content: contentStart < bytes.length ? bytes.toString("latin1", contentStart, contentStart + 64) : "",
    })
  }
  return entries
}

function nextHeader(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32LE(at + 18)
  const isSaid = (bytes.readUInt16LE(at + 6) & SIZES_BEHIND) === 0 && size !== SIZE_ELSEWHERE
  const end = at + HEADER_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28) + size
  if (isSaid && end >= bytes.length) return -1
  if (isSaid && (hasText(bytes, end, "PK\x03\x04") || hasText(bytes, end, "PK\x01\x02"))) {
    return hasText(bytes, end, "PK\x03\x04") ? end : -1
  }
  return bytes.indexOf("PK\x03\x04", at + 4, "latin1")
}
