import { truncateHead } from "../../vendor/pi-harness/index.ts"

/** What a window must be, from the whole file at once: upstream's algorithm, and NUL shown as U+2400. */
export interface OracleWindow {
  kind: "window" | "long-line" | "beyond-end" | "empty"
  content: string
  totalLines: number
  truncated: boolean
  truncatedBy: "lines" | "bytes" | null
  selectedLines: number
  selectedBytes: number
  outputLines: number
  outputBytes: number
  /** U+FFFD in the content that the file does not hold. */
  replaced: number
}

export function oracleWindow(
  bytes: Uint8Array,
  offset: number,
  limit: number | undefined,
  limits: { maxLines: number; maxBytes: number },
): OracleWindow {
  const raw = splitAtLineFeeds(dropBom(bytes))
  const lines = raw.map((line) => decodeLine(line).replaceAll("\0", "\u2400"))
  const base = { content: "", totalLines: lines.length, truncated: false, truncatedBy: null, ...NOTHING }
  if (offset === 1 && dropBom(bytes).length === 0) return { kind: "empty", ...base }
  if (offset > lines.length) return { kind: "beyond-end", ...base }
  const end = limit === undefined ? lines.length : Math.min(lines.length, offset - 1 + limit)
  const selected = lines.slice(offset - 1, end).join("\n")
  const cut = truncateHead(selected, limits)
  const shownLines = cut.truncated ? cut.outputLines : end - offset + 1
  const shownRaw = raw.slice(offset - 1, offset - 1 + shownLines)
  return {
    kind: cut.firstLineExceedsLimit ? "long-line" : "window",
    content: cut.content,
    totalLines: lines.length,
    truncated: cut.truncated,
    truncatedBy: cut.truncatedBy,
    selectedLines: cut.totalLines,
    selectedBytes: cut.totalBytes,
    outputLines: cut.outputLines,
    outputBytes: cut.outputBytes,
    replaced: count(cut.content, "\ufffd") - shownRaw.reduce((sum, line) => sum + realReplacements(line), 0),
  }
}

const NOTHING = { selectedLines: 0, selectedBytes: 0, outputLines: 0, outputBytes: 0, replaced: 0 }

export function dropBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

export function splitAtLineFeeds(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0x0a) continue
    lines.push(bytes.subarray(start, at))
    start = at + 1
  }
  lines.push(bytes.subarray(start))
  return lines
}

function decodeLine(line: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(line)
}

/** EF BF BD in a line is always U+FFFD itself: EF begins a character, whatever stands before it. */
function realReplacements(line: Uint8Array): number {
  let found = 0
  for (const [at, byte] of line.entries()) if (byte === 0xef && line[at + 1] === 0xbf && line[at + 2] === 0xbd) found++
  return found
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
