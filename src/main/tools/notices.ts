import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { DocumentKind } from "../documents/document-extractor.ts"
import { quoteForShell } from "./shell-quote.ts"

/** How hints are worded for one call: for which path, within which limits, and whether they may name a command. */
export interface Wording {
  /** The path that the model can use again, as it gave it where that opens the file. */
  path: string
  /** False: the agent has no shell, and no hint names a command. */
  shell: boolean
  /** Bytes of a window. */
  maxBytes: number
}

/** How many lines there are: exactly, or as far as was counted. */
export interface LineTotal {
  lines: number
  exact: boolean
}

/** The cut came from the lines, from the bytes, or from the `limit` of the call. */
export interface ShownLines {
  first: number
  last: number
  total: LineTotal
}

export function shownByLines({ first, last, total }: ShownLines): string {
  return `[Showing lines ${first}-${last} of ${totalOf(total)}. Use offset=${last + 1} to continue.]`
}

export function shownByBytes({ first, last, total }: ShownLines, { maxBytes }: Wording): string {
  const limit = formatSize(maxBytes)
  return `[Showing lines ${first}-${last} of ${totalOf(total)} (${limit} limit). Use offset=${last + 1} to continue.]`
}

export function moreLines({ last, total }: ShownLines): string {
  const left = `${total.exact ? "" : "More than "}${total.lines - last} more lines`
  return `[${left} in file. Use offset=${last + 1} to continue.]`
}

/** A line over the window. Its parts are asked for by `column`, or with a shell cut by a command. */
export function longLine(line: number, bytes: number, exact: boolean, wording: Wording): string {
  const size = `${exact ? "" : "more than "}${formatSize(bytes)}`
  const next = wording.shell
    ? `Use bash: sed -n '${line}p' ${quoteForShell(wording.path)} | head -c ${wording.maxBytes}`
    : "Use column=1 to read it in parts."
  return `[Line ${line} is ${size}, exceeds ${formatSize(wording.maxBytes)} limit. ${next}]`
}

/** A part of one line; `next` is where to go on, absent at the end of the file. Columns are bytes, counted from 1. */
export interface ShownPart {
  line: number
  column: number
  next?: { offset: number; column?: number }
}

export function shownPart({ line, column, next }: ShownPart, { maxBytes }: Wording): string {
  if (next?.column !== undefined) {
    const shown = `bytes ${column}-${next.column - 1} of line ${line} (${formatSize(maxBytes)} limit)`
    return `[Showing ${shown}. Use offset=${next.offset} column=${next.column} to continue.]`
  }
  const further = next === undefined ? "" : ` Use offset=${next.offset} to continue.`
  return `[Showing line ${line} from byte ${column} to its end.${further}]`
}

export function emptyFile(path: string): string {
  return `[Empty file: ${path}]`
}

export const FILE_CHANGED = "[File changed while it was read.]"

/** Characters of the shown text that stand for bytes which are not of its encoding, and the way to read them. */
export function replacedCharacters(count: number, encoding: string, likely: string | undefined): string {
  const name = encoding === "utf-8" ? "UTF-8" : encoding
  const what =
    count === 1 ? `1 character is not valid ${name} and is` : `${count} characters are not valid ${name} and are`
  const next = likely === undefined ? "" : ` The text looks like ${likely}: use encoding="${likely}" to decode it.`
  return `[${what} shown as U+FFFD.${next}]`
}

export function unicodeText(
  encoding: "UTF-16" | "UTF-16LE" | "UTF-16BE" | "UTF-32",
  bytes: number,
  label: string | undefined,
  { path, shell, maxBytes }: Wording,
): string {
  const family = encoding === "UTF-32" ? "UTF-32" : "UTF-16"
  const withLabel = label === undefined ? "" : ` Use encoding="${label}" to read it.`
  const next = shell
    ? ` Use bash: iconv -f ${encoding} -t UTF-8 ${quoteForShell(path)} | head -c ${maxBytes}`
    : withLabel
  return `[${family} text (${formatSize(bytes)}), not shown as text.${next}]`
}

export function binaryFile(bytes: number, looksLike: string | undefined, { path, shell, maxBytes }: Wording): string {
  const word = quoteForShell(path)
  const next = shell ? ` Use bash: file ${word}, or xxd ${word} | head -c ${maxBytes}` : ""
  const name = looksLike === undefined ? "" : `\n[Looks like ${looksLike}.]`
  return `[Binary file (${formatSize(bytes)}), not shown as text.${next}]${name}`
}

export const DOCUMENT_NAMES: Readonly<Record<DocumentKind, string>> = { pdf: "PDF", docx: "DOCX" }

export const NO_READER_ADVICE = "Ask the user for its text, or read another file."

export function documentNotShown(kind: string, bytes: number, reason: string, next: string): string {
  return `[${kind} (${formatSize(bytes)}), not shown: ${reason}. ${next}]`
}

export function beyondEnd(offset: number, lines: number): string {
  return `Offset ${offset} is beyond end of file (${lines} lines total)`
}

/** Counting stopped at its deadline before line `offset` was reached. */
export function notReached(offset: number, lines: number, bytesRead: number, size: number, deadlineMs: number): string {
  const far = `${lines - 1} lines in the first ${formatSize(bytesRead)} of ${formatSize(Math.max(size, bytesRead))}`
  return `Offset ${offset} was not reached within ${deadlineMs / 1000} s: ${far} were counted. Use a smaller offset.`
}

export function beyondLine(column: number, line: number, bytes: number, exact: boolean): string {
  return exact
    ? `Column ${column} is beyond the end of line ${line} (${bytes} bytes)`
    : `Column ${column} of line ${line} was not reached: counting stopped at its byte ${bytes}`
}

/** A path that no file-system call is made for. */
export function refusedPath(path: string, why: string): string {
  return `Not a path of a file: ${path} (${why})`
}

export function severalFiles(path: string, found: readonly string[]): string {
  return `No file has exactly this name: ${path}. Several have a similar one: ${listed(found)}. Use one of these.`
}

export function nearNames(message: string, names: readonly string[]): string {
  return names.length === 0 ? message : `${message}. Similar names in that folder: ${listed(names)}`
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ")
}

export function opening(path: string): string {
  return `Opening ${path}`
}

export function reading(path: string, bytesRead: number, size: number): string {
  return `Reading ${path}: ${formatSize(bytesRead)}${size > bytesRead ? ` of ${formatSize(size)}` : ""}`
}

function totalOf({ lines, exact }: LineTotal): string {
  return exact ? `${lines}` : `more than ${lines}`
}

/** The tool's description, as a model reads it before its first call. */
export function toolDescription(limits: { maxLines: number; maxBytes: number }, images: boolean): string {
  const kinds = images
    ? "text files, images (jpg, png, gif, webp, bmp), PDF and Word documents (docx), notebooks (ipynb)"
    : "text files, PDF and Word documents (docx), notebooks (ipynb)"
  return [
    `Read the contents of a file. Supports ${kinds}.`,
    `Text is cut to ${limits.maxLines} lines or ${formatSize(limits.maxBytes)}, whichever is hit first;`,
    "a note in brackets at its end says how to continue with offset. Use offset and limit for large files.",
  ].join(" ")
}
