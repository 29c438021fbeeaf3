import type { FileError, Result, TruncationResult } from "../../../vendor/pi-harness/index.ts"
import { ok, truncateHead } from "../../../vendor/pi-harness/index.ts"
import { reachLine, type WindowReading } from "./text-window-reading.ts"
import type { CountedOutcome } from "./text-window-types.ts"

/** The window from line `offset` on, in whole lines. */
export async function readWholeLines(reading: WindowReading): Promise<Result<CountedOutcome, FileError>> {
  const { scan, decoding, request, feeds, byteOrderMark } = reading
  const { offset, limits } = request
  const missed = await reachLine(reading)
  if (!missed.ok) return missed
  if (missed.value !== undefined) return ok(missed.value)
  if (offset === 1) {
    const mark = await scan.take(byteOrderMark)
    if (!mark.ok) return mark
    scan.atLineStart = true
  }
  const start = scan.position
  // Two units more than can be shown tell a text that just fits from one that goes on behind its last line feed.
  const most = limits.maxBytes * decoding.bytesPerShownByte + 2 * feeds.width
  const taken = await scan.take(most)
  if (!taken.ok) return taken
  const capture = taken.value
  if (offset === 1 && capture.length === 0) return ok({ kind: "empty" })

  const firstLine = await passFirstLine(reading, capture, most)
  if (!firstLine.ok) return firstLine
  const limited = await passSelection(reading, capture, start)
  if (!limited.ok) return limited
  const counted = await reading.passRest()
  if (!counted.ok) return counted
  const totals = { totalLines: scan.newlines + 1, totalExact: counted.value === "end" }
  const toEnd: Selection = {
    lines: totals.totalLines - offset + 1,
    bytes: scan.position - start,
    endsWithEmptyLine: scan.atLineStart && totals.totalExact,
  }
  const selection = limited.value ?? toEnd
  const isWhole = selection.bytes <= capture.length && (limited.value !== undefined || totals.totalExact)

  const shown = capture.subarray(0, isWhole ? selection.bytes : wholeLinesLength(reading, capture))
  const cut = truncateHead(decoding.decode(shown), limits)
  const truncation = isWhole ? cut : accountOfMore(cut, selection, shown.length)
  if (truncation.firstLineExceedsLimit) {
    // Damage and other encodings may take more bytes to show than there are.
    const { bytes, exact } = firstLine.value
    const lineBytes = bytes <= capture.length ? Buffer.byteLength(decoding.decode(capture.subarray(0, bytes))) : bytes
    return ok({ kind: "long-line", line: offset, lineBytes, lineExact: exact, truncation, ...totals })
  }
  const lines = truncation.truncated ? truncation.outputLines : selection.lines
  const lineFeed = truncation.truncated && lines > 0 ? feeds.find(shown, lines) : -1
  const replaced = decoding.countDamage(truncation.content, lineFeed < 0 ? shown : shown.subarray(0, lineFeed))
  const place = { firstLine: offset, lastLine: offset + lines - 1 }
  return ok({ kind: "window", content: truncation.content, ...place, truncation, replaced, ...totals })
}

/** The lines that are asked for, as upstream sees them: without the line feed that ends the last one. */
interface Selection {
  lines: number
  bytes: number
  endsWithEmptyLine: boolean
}

/** The length of the first line; `exact` is false where it was too late to go to its end. */
async function passFirstLine(
  { scan, feeds, request }: WindowReading,
  capture: Uint8Array,
  most: number,
): Promise<Result<{ bytes: number; exact: boolean }, FileError>> {
  const lineFeed = feeds.find(capture, 1)
  if (lineFeed >= 0) return ok({ bytes: lineFeed, exact: true })
  if (capture.length < most) return ok({ bytes: capture.length, exact: true })
  const start = scan.position - capture.length
  const passed = await scan.passLine(request.offset)
  if (!passed.ok) return passed
  const end = passed.value === "line-feed" ? scan.position - feeds.width : scan.position
  return ok({ bytes: end - start, exact: passed.value !== "late" })
}

/** Passes the lines that `limit` asks for; `undefined` where those are all to the end. */
async function passSelection(
  { scan, feeds, request }: WindowReading,
  capture: Uint8Array,
  start: number,
): Promise<Result<Selection | undefined, FileError>> {
  const { offset, limit } = request
  if (limit === undefined) return ok(undefined)
  if (limit === 0) return ok({ lines: 0, bytes: 0, endsWithEmptyLine: false })
  const lineFeed = feeds.find(capture, limit)
  if (lineFeed >= 0) {
    const endsWithEmptyLine = lineFeed === 0 || feeds.isAt(capture, lineFeed - feeds.width)
    return ok({ lines: limit, bytes: lineFeed, endsWithEmptyLine })
  }
  const passed = await scan.passLine(offset - 1 + limit)
  if (!passed.ok) return passed
  if (passed.value !== "line-feed") return ok(undefined)
  const bytes = scan.position - feeds.width - start
  return ok({ lines: limit, bytes, endsWithEmptyLine: scan.lastLineIsEmpty })
}

/** Bytes of the whole lines at the start of `capture`, one line more than can be shown, the last line feed included. */
function wholeLinesLength({ feeds, request }: WindowReading, capture: Uint8Array): number {
  const past = feeds.find(capture, request.limits.maxLines + 1)
  if (past >= 0) return past + feeds.width
  for (let at = capture.length - (capture.length % feeds.width) - feeds.width; at >= 0; at -= feeds.width) {
    if (feeds.isAt(capture, at)) return at + feeds.width
  }
  return 0
}

/** The account of a selection of which `cut` is only the start: `bytes` of it, with a line feed at the end. */
function accountOfMore(cut: TruncationResult, selection: Selection, bytes: number): TruncationResult {
  const { outputLines, maxLines } = cut
  const firstLineExceedsLimit = cut.firstLineExceedsLimit || bytes === 0
  return {
    ...cut,
    // What is not cut ends with the line feed of its last line.
    ...(cut.truncated || bytes === 0 ? {} : { content: cut.content.slice(0, -1), outputBytes: cut.outputBytes - 1 }),
    truncated: true,
    truncatedBy: outputLines >= maxLines && !firstLineExceedsLimit ? "lines" : "bytes",
    totalLines: selection.lines - (selection.endsWithEmptyLine ? 1 : 0),
    totalBytes: selection.bytes + cut.totalBytes - bytes,
    firstLineExceedsLimit,
  }
}
