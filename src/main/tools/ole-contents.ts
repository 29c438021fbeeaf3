import {
  type Context,
  err,
  type FileByteReader,
  FileError,
  formatSize,
  ok,
  type Result,
} from "../../../vendor/pi-harness/index.ts"
import type { Limits } from "../limits.ts"
import { documentNotRead } from "./document-notices.ts"
import type { Wording } from "./notices.ts"
import type { ReadResult } from "./read-result.ts"
import { quoteForShell } from "./shell-quote.ts"

/** What an OLE file is, by the streams that its directory names; `encrypted`: an Office document of today with a password. */
export type OleFile = "encrypted" | "doc" | "xls" | "ppt" | "msg"

interface OleNaming {
  name: string
  mimeType: string
  /** What LibreOffice makes of it that can be read here. */
  convertTo?: "docx" | "csv" | "pdf"
  /** Where there is no shell. */
  ask: string
}

export const OLE_NAMINGS: Readonly<Record<Exclude<OleFile, "encrypted">, OleNaming>> = {
  doc: {
    name: "Word 97-2003 document (.doc)",
    mimeType: "application/msword",
    convertTo: "docx",
    ask: "Ask the user to save it as DOCX or PDF.",
  },
  xls: {
    name: "Excel 97-2003 workbook (.xls)",
    mimeType: "application/vnd.ms-excel",
    convertTo: "csv",
    ask: "Ask the user to save the sheet in question as CSV.",
  },
  ppt: {
    name: "PowerPoint 97-2003 presentation (.ppt)",
    mimeType: "application/vnd.ms-powerpoint",
    convertTo: "pdf",
    ask: "Ask the user for a PDF of it.",
  },
  msg: { name: "Outlook message (.msg)", mimeType: "application/vnd.ms-outlook", ask: "Ask the user for its text." },
}

/** Streams that nothing else has, the sure ones first: an encrypted package has few others. */
const STREAMS: readonly (readonly [string, OleFile])[] = [
  ["EncryptedPackage", "encrypted"],
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["PowerPoint Document", "ppt"],
  ["__properties_version1.0", "msg"],
]

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
/** The streams of an old Office file stand among the first of its directory. */
const MAX_DIRECTORY_SECTORS = 16
const MAX_REGULAR_SECTOR = 0xffff_fffa
const FAT_SECTORS_IN_HEADER = 109

/**
 * What the file is, by its directory: at most 33 reads of one sector each. Undefined where the directory names nothing that
 * is known, or is damaged; every number in it is checked before it is used.
 */
export async function nameOleFile(
  reader: FileByteReader,
  context: Context,
): Promise<Result<OleFile | undefined, FileError>> {
  const header = await readAt(reader, 0, HEADER_BYTES, context)
  if (!header.ok) return header
  if (header.value.length < HEADER_BYTES) return ok(undefined)
  const shift = header.value.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return ok(undefined)
  const sectorBytes = 2 ** shift
  const sector = (number: number) => readAt(reader, (number + 1) * sectorBytes, sectorBytes, context)
  const names = new Set<string>()
  let next = header.value.readUInt32LE(48)
  for (let seen = 0; next < MAX_REGULAR_SECTOR && seen < MAX_DIRECTORY_SECTORS; seen++) {
    const directory = await sector(next)
    if (!directory.ok) return directory
    for (const name of entryNames(directory.value)) names.add(name)
    const ofFat = Math.floor((next * 4) / sectorBytes)
    if (ofFat >= FAT_SECTORS_IN_HEADER) break
    const fat = await sector(header.value.readUInt32LE(76 + ofFat * 4))
    if (!fat.ok) return fat
    const at = (next * 4) % sectorBytes
    if (at + 4 > fat.value.length) break
    next = fat.value.readUInt32LE(at)
  }
  return ok(STREAMS.find(([name]) => names.has(name))?.[1])
}

function* entryNames(directory: Buffer): Generator<string> {
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    // In bytes, with a closing NUL.
    const length = directory.readUInt16LE(at + 64)
    if (length >= 2 && length <= 64) yield directory.toString("utf16le", at, at + length - 2)
  }
}

/** Fewer bytes at the end of the file, none past it. */
async function readAt(
  reader: FileByteReader,
  position: number,
  length: number,
  context: Context,
): Promise<Result<Buffer, FileError>> {
  const into = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const rest = into.subarray(filled)
    const read = await reader.read(position + filled, rest.length, context, rest)
    if (!read.ok) return read
    if (read.value.length > rest.length) return err(new FileError("invalid", "A read answered more than was asked for"))
    if (read.value.length === 0) break
    if (read.value.buffer !== rest.buffer || read.value.byteOffset !== rest.byteOffset) rest.set(read.value)
    filled += read.value.length
  }
  return ok(into.subarray(0, filled))
}

/** `[Word 97-2003 document (.doc) (S), not shown as text. <what to do next>]` */
export function legacyOfficeNotShown(
  { name, convertTo, ask }: Omit<OleNaming, "mimeType">,
  bytes: number,
  { path, shell }: Wording,
): string {
  // A folder of its own: what is converted has the name of a file that may be there already. soffice prints where it put it.
  const convert = `soffice --headless --convert-to ${convertTo} --outdir "$(mktemp -d)" ${quoteForShell(path)}`
  const next = shell && convertTo !== undefined ? `Use bash: ${convert}` : ask
  return `[${name} (${formatSize(bytes)}), not shown as text. ${next}]`
}

/**
 * What the result is where the directory says so, without a process: there is nothing to decode. Which program made it is
 * encrypted as well; only a name says that it is none of Word's.
 */
export function encryptedOfficeFile(reader: FileByteReader, limits: Limits): ReadResult {
  const { path, size } = reader.info
  if (/\.(?:xl|pp|po)\w+$/i.test(path)) {
    const text = `[Encrypted Office document (${formatSize(size)}), not shown as text. Ask the user for a copy without a password.]`
    return { content: [{ type: "text", text }], details: undefined, receipt: { kind: "binary", path, bytes: size } }
  }
  const document = {
    kind: "docx" as const,
    read: false,
    bytes: size,
    textTruncated: false,
    notRead: "encrypted" as const,
  }
  const situation = { pages: undefined, acceptsImages: false, limits, noExtractor: false }
  const text = documentNotRead({ ...document, pages: [] }, "encrypted", situation)
  return {
    content: [{ type: "text", text }],
    details: { document },
    receipt: { kind: "document", path, bytes: size, document },
  }
}
