/** Lines a tool shows at most. */
export const DEFAULT_MAX_LINES = 2_000
/** Bytes of UTF-8 a tool shows at most. */
export const DEFAULT_MAX_BYTES = 51_200

/** What was kept of a text, and why no more. Lines and bytes are counted as UTF-8. */
export interface TruncationResult {
  content: string
  truncated: boolean
  truncatedBy: "lines" | "bytes" | null
  totalLines: number
  totalBytes: number
  outputLines: number
  outputBytes: number
  /** Always false when the head is kept: lines are whole. */
  lastLinePartial: boolean
  firstLineExceedsLimit: boolean
  maxLines: number
  maxBytes: number
}

/** `512B`, `1.5KB`, `500.0MB`; KB is 1,024 bytes and nothing is above MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const kib = bytes / 1024
  return kib < 1024 ? `${kib.toFixed(1)}KB` : `${(kib / 1024).toFixed(1)}MB`
}

/**
 * The head of a text in whole lines, within both limits. A line feed at the very end ends the last line and does not
 * begin another. A first line over `maxBytes` leaves nothing and sets `firstLineExceedsLimit`.
 */
export function truncateHead(text: string, options: { maxLines?: number; maxBytes?: number } = {}): TruncationResult {
  const maxLines = options.maxLines ?? DEFAULT_MAX_LINES
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const totalBytes = utf8Length(text)
  const totalLines = countLines(text)
  const base = { totalLines, totalBytes, lastLinePartial: false, maxLines, maxBytes }
  if (totalLines <= maxLines && totalBytes <= maxBytes) {
    return {
      ...base,
      content: text,
      truncated: false,
      truncatedBy: null,
      outputLines: totalLines,
      outputBytes: totalBytes,
      firstLineExceedsLimit: false,
    }
  }
  const lines = text.split("\n")
  if (text.endsWith("\n")) lines.pop()
  let outputLines = 0
  let outputBytes = 0
  // As upstream, "lines" too where every line fits and only a last line feed is over.
  let truncatedBy: "lines" | "bytes" = "lines"
  for (const line of lines) {
    if (outputLines >= maxLines) break
    const cost = utf8Length(line) + (outputLines > 0 ? 1 : 0)
    if (outputBytes + cost > maxBytes) {
      truncatedBy = "bytes"
      break
    }
    outputBytes += cost
    outputLines++
  }
  const firstLineExceedsLimit = outputLines === 0 && lines.length > 0 && utf8Length(lines[0] ?? "") > maxBytes
  return {
    ...base,
    content: lines.slice(0, outputLines).join("\n"),
    truncated: true,
    truncatedBy: firstLineExceedsLimit ? "bytes" : truncatedBy,
    outputLines,
    outputBytes,
    firstLineExceedsLimit,
  }
}

function countLines(text: string): number {
  let feeds = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) feeds++
  return text === "" || text.endsWith("\n") ? feeds : feeds + 1
}

const encoder = new TextEncoder()

function utf8Length(text: string): number {
  return encoder.encode(text).byteLength
}
