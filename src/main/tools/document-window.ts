import { type TruncationResult, truncateHead } from "../../../vendor/pi-harness/index.ts"

export interface DocumentWindowRequest {
  /** 1 or more. */
  offset: number
  limit?: number | undefined
  /** 1 or more: read line `offset` alone, from this byte on. */
  column?: number | undefined
  maxLines: number
  maxBytes: number
}

/** A window of a text that is held whole, by the rules of files; bytes are those of UTF-8. */
export type DocumentWindow =
  | {
      kind: "window"
      content: string
      firstLine: number
      lastLine: number
      totalLines: number
      truncation: TruncationResult
    }
  | { kind: "part"; content: string; line: number; column: number; nextColumn?: number; totalLines: number }
  | { kind: "long-line"; line: number; lineBytes: number; totalLines: number; truncation: TruncationResult }
  | { kind: "beyond-end"; totalLines: number }
  | { kind: "beyond-line"; line: number; lineBytes: number }

export function windowOfText(text: string, request: DocumentWindowRequest): DocumentWindow {
  const { offset, limit, column, maxLines, maxBytes } = request
  const lines = text.split("\n")
  const totalLines = lines.length
  const line = lines[offset - 1]
  if (line === undefined) return { kind: "beyond-end", totalLines }
  if (column !== undefined) return partOfLine(line, offset, column, maxBytes, totalLines)
  const selected = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
  const truncation = truncateHead(selected.join("\n"), { maxLines, maxBytes })
  if (truncation.firstLineExceedsLimit) {
    return { kind: "long-line", line: offset, lineBytes: Buffer.byteLength(line), totalLines, truncation }
  }
  const shown = truncation.truncated ? truncation.outputLines : selected.length
  const lastLine = offset - 1 + shown
  return { kind: "window", content: truncation.content, firstLine: offset, lastLine, totalLines, truncation }
}

function partOfLine(
  line: string,
  offset: number,
  column: number,
  maxBytes: number,
  totalLines: number,
): DocumentWindow {
  const bytes = Buffer.from(line)
  if (column > Math.max(1, bytes.length)) return { kind: "beyond-line", line: offset, lineBytes: bytes.length }
  const start = characterStart(bytes, column - 1)
  const end = start + maxBytes >= bytes.length ? bytes.length : characterStart(bytes, start + maxBytes)
  const content = bytes.subarray(start, end).toString()
  const next = end < bytes.length ? { nextColumn: end + 1 } : {}
  return { kind: "part", content, line: offset, column: start + 1, ...next, totalLines }
}

/** The start of the character that byte `at` is in. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
