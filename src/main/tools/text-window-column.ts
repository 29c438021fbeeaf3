import type { FileError, Result, TruncationResult } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_CHARACTER_BYTES } from "./text-window-decode.ts"
import { reachLine, type WindowReading } from "./text-window-reading.ts"
import type { CountedOutcome } from "./text-window-types.ts"

/** A smaller bound would show no character whole: one of ISO-2022-JP stands between two shifts of 3 bytes. */
const MIN_PART_BYTES = 8

/** A part of line `offset`, from byte `column` (from 1) on and to the end of the line at most, cut between characters. */
export async function readLinePart(reading: WindowReading, column: number): Promise<Result<CountedOutcome, FileError>> {
  const { scan, decoding, request, feeds, byteOrderMark } = reading
  const { offset, limits } = request
  const missed = await reachLine(reading)
  if (!missed.ok) return missed
  if (missed.value !== undefined) return ok(missed.value)
  const lineStart = scan.position
  const textStart = offset === 1 ? byteOrderMark : lineStart
  const asked = lineStart + column - 1 - ((column - 1) % feeds.width)
  // From a character's length before, to see where the character begins that is asked for.
  const from = Math.max(textStart, asked - MAX_CHARACTER_BYTES)
  const passed = await scan.passLine(offset, from)
  if (!passed.ok) return passed
  if (passed.value !== "place") {
    const end = passed.value === "line-feed" ? scan.position - feeds.width : scan.position
    return beyondLine(reading, end - lineStart, passed.value !== "late")
  }
  const index = Math.max(0, asked - from)
  const partBytes = Math.max(limits.maxBytes, MIN_PART_BYTES)
  const most = index + partBytes + feeds.width
  const taken = await scan.take(most)
  if (!taken.ok) return taken
  const capture = taken.value
  if (offset === 1 && capture.length === 0 && from === textStart) return ok({ kind: "empty" })
  const lineFeed = feeds.find(capture, 1)
  const holdsEnd = lineFeed >= 0 || capture.length < most
  const line = lineFeed >= 0 ? capture.subarray(0, lineFeed) : capture
  // Column 1 is there in an empty line too.
  if (holdsEnd && index >= line.length && asked > textStart) {
    return beyondLine(reading, from + line.length - lineStart, true)
  }
  const first = decoding.characterStart(line, index)
  const rest = line.subarray(first)
  const shown = rest.subarray(0, decoding.partLength(rest, partBytes, holdsEnd))
  const isLast = holdsEnd && shown.length === rest.length
  const start = from + first

  let end = from + line.length
  if (!holdsEnd) {
    const ended = await scan.passLine(offset)
    if (!ended.ok) return ended
    end = ended.value === "line-feed" ? scan.position - feeds.width : scan.position
  }
  const counted = await reading.passRest()
  if (!counted.ok) return counted
  const content = decoding.decode(shown)
  const outputBytes = Buffer.byteLength(content)
  const truncation: TruncationResult = {
    content,
    truncated: !isLast,
    truncatedBy: isLast ? null : "bytes",
    totalLines: 1,
    totalBytes: outputBytes + end - start - shown.length,
    outputLines: 1,
    outputBytes,
    lastLinePartial: !isLast,
    firstLineExceedsLimit: false,
    maxLines: limits.maxLines,
    maxBytes: limits.maxBytes,
  }
  return ok({
    kind: "window",
    content,
    firstLine: offset,
    lastLine: offset,
    truncation,
    replaced: decoding.countDamage(content, shown),
    part: {
      column: asked < textStart ? column : start - lineStart + 1,
      ...(isLast ? {} : { nextColumn: start + shown.length - lineStart + 1 }),
    },
    totalLines: scan.newlines + 1,
    totalExact: counted.value === "end",
  })
}

async function beyondLine(
  reading: WindowReading,
  lineBytes: number,
  lineExact: boolean,
): Promise<Result<CountedOutcome, FileError>> {
  const { scan, request } = reading
  const counted = await reading.passRest()
  if (!counted.ok) return counted
  const totals = { totalLines: scan.newlines + 1, totalExact: counted.value === "end" }
  return ok({ kind: "beyond-line", line: request.offset, lineBytes, lineExact, ...totals })
}
