import type { DocumentKind } from "../documents/document-extractor.ts"

/** What a ZIP container holds, by the entries that its head shows. */
export interface ZipContents {
  /** As in "Looks like a Word document (DOCX)". */
  name: string
  /** Where an extractor may read it. */
  document?: DocumentKind
}

/** `undefined` where `head` does not begin a ZIP container. */
export function sniffZip(head: Uint8Array): ZipContents | undefined {
  if (head[0] !== 0x50 || head[1] !== 0x4b) return undefined
  if (head[2] === 5 && head[3] === 6) return { name: "an empty ZIP archive" }
  if (head[2] !== 3 || head[3] !== 4) return undefined
  const entries = entryNames(head)
  const first = entries[0]
  if (first?.name === "mimetype") return byMimeType(first.content) ?? ZIP
  return KINDS.find(([prefix]) => entries.some(({ name }) => name.startsWith(prefix)))?.[1] ?? ZIP
}

const ZIP: ZipContents = { name: "a ZIP archive" }

/** The first that any entry's name begins with. */
const KINDS: readonly (readonly [string, ZipContents])[] = [
  ["word/", { name: "a Word document (DOCX)", document: "docx" }],
  ["xl/", { name: "an Excel workbook (XLSX)" }],
  ["ppt/", { name: "a PowerPoint presentation (PPTX)" }],
  ["visio/", { name: "a Visio drawing (VSDX)" }],
  ["[Content_Types].xml", { name: "an Office document" }],
  ["META-INF/MANIFEST.MF", { name: "a Java archive (JAR)" }],
  ["AndroidManifest.xml", { name: "an Android package (APK)" }],
  ["Payload/", { name: "an iOS package (IPA)" }],
]

const MIME_TYPES: readonly (readonly [string, string])[] = [
  ["application/epub+zip", "an EPUB book"],
  ["application/vnd.oasis.opendocument.text", "an OpenDocument text (ODT)"],
  ["application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)"],
  ["application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (ODP)"],
  ["application/vnd.oasis.opendocument.graphics", "an OpenDocument drawing (ODG)"],
]

function byMimeType(content: string): ZipContents | undefined {
  const known = MIME_TYPES.find(([mimeType]) => content.startsWith(mimeType))
  return known === undefined ? undefined : { name: known[1] }
}

interface Entry {
  name: string
  /** First bytes of the content as stored, Latin-1. */
  content: string
}

const HEADER_BYTES = 30
const MAX_NAME_BYTES = 256

/** Entries whose local header lies in `head`. Sizes there may be zero or lie, so headers are searched, not followed. */
function entryNames(head: Uint8Array): Entry[] {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const entries: Entry[] = []
  for (let at = 0; at >= 0 && at + HEADER_BYTES <= bytes.length; at = bytes.indexOf("PK\x03\x04", at + 4, "latin1")) {
    const nameEnd = at + HEADER_BYTES + Math.min(bytes.readUInt16LE(at + 26), MAX_NAME_BYTES)
    const contentStart = nameEnd + bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString("latin1", at + HEADER_BYTES, Math.min(nameEnd, bytes.length)),
      content: contentStart < bytes.length ? bytes.toString("latin1", contentStart, contentStart + 64) : "",
    })
  }
  return entries
}
