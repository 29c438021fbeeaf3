import type { ShellOutputLimits, ShellOutputMetadata, ShellOutputTruncation } from "../../../vendor/pi-harness/index.ts"
import { HeldBytes } from "./held-bytes.ts"

/** A part of the output, as it is shown. */
export interface ShellOutputPart {
  text: string
  /** Bytes of the output's UTF-8 before it and up to its end. */
  start: number
  end: number
  metadata: ShellOutputMetadata
}

const LINE_FEED = 0x0a
/** Room for the line feed before the part and the one after it, so that both can be told from a line that goes on. */
const MARGIN_BYTES = 2

/**
 * What is kept of a command's output: its last lines, or its first, within both limits. Holds a bounded part whatever is
 * added. Counts are of the output as printed, decoded as UTF-8; control characters other than TAB and LF are left out of
 * the text alone. Of a last line over `maxBytes` the end is kept, of a first one nothing.
 */
export class ShellOutputWindow {
  private readonly held: HeldBytes
  private lineFeeds = 0
  /** Positions of the last line feed and of the one before it. */
  private lastLineFeed = -1
  private lineFeedBefore = -1

  constructor(private readonly limits: Required<ShellOutputLimits>) {
    this.held = new HeldBytes(Math.ceil(limits.maxBytes) + MARGIN_BYTES, limits.retain)
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
    const start = this.held.total
    for (let index = 0; index < bytes.byteLength; index++) {
      if (bytes[index] !== LINE_FEED) continue
      this.lineFeeds++
      this.lineFeedBefore = this.lastLineFeed
      this.lastLineFeed = start + index
    }
    this.held.add(bytes)
  }

  get isCut(): boolean {
    return this.totalLines > this.limits.maxLines || this.held.total > this.limits.maxBytes
  }

  part(): ShellOutputPart {
    if (!this.isCut) return this.describe(0, this.held.total, this.totalLines)
    return this.limits.retain === "head" ? this.headPart() : this.tailPart()
  }

  /** What stands between two positions of the present part. */
  textBetween(start: number, end: number): string {
    const offset = this.held.start
    return shownText(this.held.bytes.toString("utf8", start - offset, end - offset))
  }

  private get totalLines(): number {
    return this.lineFeeds + (this.held.total > this.lastLineFeed + 1 ? 1 : 0)
  }

  private headPart(): ShellOutputPart {
    const { maxBytes, maxLines } = this.limits
    const { bytes, total } = this.held
    let lines = 0
    let end = 0
    while (lines < maxLines) {
      const start = lines === 0 ? 0 : end + 1
      const found = bytes.indexOf(LINE_FEED, start)
      // Without a line feed the line goes on past what is held, or is the last one.
      const lineEnd = found < 0 ? total : found
      if (lineEnd > maxBytes || start >= total) break
      end = lineEnd
      lines++
    }
    return this.describe(0, end, lines)
  }

  private tailPart(): ShellOutputPart {
    const { maxBytes, maxLines } = this.limits
    const { bytes, total, start: offset } = this.held
    const end = this.lastLineFeed === total - 1 ? total - 1 : total
    let start = end
    let lines = 0
    while (lines < maxLines) {
      const before = lines === 0 ? end : start - 1
      if (before < offset) break
      const found = before === offset ? -1 : bytes.lastIndexOf(LINE_FEED, before - 1 - offset)
      if (found < 0 && offset > 0) break
      const lineStart = found < 0 ? 0 : offset + found + 1
      if (end - lineStart > maxBytes) break
      start = lineStart
      lines++
      if (lineStart === 0) break
    }
    return lines > 0 ? this.describe(start, end, lines) : this.describe(this.characterStart(end - maxBytes), end, 1)
  }

  private characterStart(position: number): number {
    const { bytes, start: offset } = this.held
    let index = Math.ceil(position) - offset
    while (((bytes[index] ?? 0) & 0xc0) === 0x80) index++
    return offset + index
  }

  private describe(start: number, end: number, lines: number): ShellOutputPart {
    const { maxBytes, maxLines, retain } = this.limits
    const { isCut } = this
    const lastLineStart = end === this.lastLineFeed ? this.lineFeedBefore + 1 : this.lastLineFeed + 1
    const lastLinePartial = isCut && retain === "tail" && start > lastLineStart
    // Upstream's rule: bytes where a line did not fit, lines where all fit and the line feed at the very end did not.
    const lineDidNotFit = lines < maxLines && (lastLinePartial || lines < this.totalLines)
    const truncation: ShellOutputTruncation = {
      truncated: isCut,
      truncatedBy: isCut ? (lineDidNotFit ? "bytes" : "lines") : null,
      totalLines: this.totalLines,
      totalBytes: this.held.total,
      outputLines: lines,
      outputBytes: end - start,
      lastLinePartial,
      firstLineExceedsLimit: isCut && retain === "head" && lines === 0,
      maxLines,
      maxBytes,
    }
    const metadata = lastLinePartial ? { truncation, lastLineBytes: end - lastLineStart } : { truncation }
    return { text: this.textBetween(start, end), start, end, metadata }
  }
}

/** Control characters steer terminals and break session stores; U+FFF9 to U+FFFB are invisible marks. */
function shownText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\ufff9-\ufffb]/g, "")
}
