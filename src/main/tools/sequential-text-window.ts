import type { Context, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok, truncateHead } from "../../../vendor/pi-harness/index.ts"
import { isSameState } from "../fs/file-state.ts"
import type { ScanBuffer } from "../fs/scan-buffer.ts"
import type { TextWindowOutcome, TextWindowRequest } from "./text-window-types.ts"

/** Reads a text window with one read after the other. Byte encodings and UTF-8; no index, no read-ahead. */
export async function readTextWindow(
  reader: FileByteReader,
  buffer: ScanBuffer,
  head: Uint8Array,
  request: TextWindowRequest,
  context: Context,
): Promise<Result<TextWindowOutcome, FileError>> {
  const { encoding, limits, offset, limit = Number.POSITIVE_INFINITY, column } = request
  const clock = request.clock ?? (() => performance.now())
  const late = clock() + limits.countingDeadlineMs
  const isUtf8 = encoding === "utf-8"
  const bom = isUtf8 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const size = reader.info.size
  const end = size > 0 ? size : Number.POSITIVE_INFINITY
  const collected = new Uint8Array((isUtf8 ? 1 : 2) * limits.maxBytes + 16)
  let filled = 0
  let selectionBytes = 0
  let selectionNewlines = 0
  let firstLineBytes = -1
  let ended = limit === 0
  let lastByte = 0
  let skip = (column ?? 1) - 1
  let position = head.length
  let newlines = 0
  let started = offset === 1
  let exact = true
  let view = head.subarray(bom)
  const nothing = head.length === bom
  const select = (bytes: Uint8Array): void => {
    if (ended || bytes.length === 0) return
    if (firstLineBytes < 0) {
      const first = buffer.indexOfNewline(bytes, 1)
      if (first >= 0) firstLineBytes = selectionBytes + first
    }
    let taken = bytes
    const count = buffer.countNewlines(bytes)
    if (selectionNewlines + count >= limit) {
      taken = bytes.subarray(0, buffer.indexOfNewline(bytes, limit - selectionNewlines))
      ended = true
      selectionNewlines = limit - 1
    } else selectionNewlines += count
    selectionBytes += taken.length
    lastByte = taken.at(-1) ?? lastByte
    const from = Math.min(skip, taken.length)
    skip -= from
    const part = taken.subarray(from, from + collected.length - filled)
    collected.set(part, filled)
    filled += part.length
  }
  for (;;) {
    const count = buffer.countNewlines(view)
    if (started) select(view)
    else if (newlines + count >= offset - 1) {
      started = true
      select(view.subarray(buffer.indexOfNewline(view, offset - 1 - newlines) + 1))
    }
    newlines += count
    request.onProgress?.(position, size)
    if (position >= end) break
    if (clock() > late) {
      exact = false
      break
    }
    const into = buffer.halves[0].subarray(0, Math.min(buffer.halves[0].length, end - position))
    const read = await reader.read(position, into.length, context, into)
    if (!read.ok) return read
    if (read.value.length === 0) break
    view = read.value
    position += view.length
  }
  const now = await reader.refresh?.(context)
  if (now !== undefined && !now.ok) return now
  // A file that ends before its size is no sign where fstat can be asked again: sysfs says 4096 for a few bytes.
  const changed = now === undefined ? size > 0 && position < end && exact : !isSameState(now.value, reader.info)
  const counted = { totalLines: newlines + 1, totalExact: exact, changed }
  if (nothing && position === head.length && offset === 1) return ok({ kind: "empty", changed })
  if (!started) return ok({ kind: "beyond-end", ...counted, bytesRead: position })
  const lineBytes = firstLineBytes < 0 ? selectionBytes : firstLineBytes
  if (column !== undefined) {
    if (column > Math.max(lineBytes, 1)) {
      return ok({ kind: "beyond-line", line: offset, lineBytes, lineExact: exact, ...counted })
    }
    const rest = Math.max(0, lineBytes - column + 1)
    let length = Math.min(rest, filled, limits.maxBytes)
    while (isUtf8 && length < rest && length > 1 && ((collected[length] ?? 0) & 0xc0) === 0x80) length--
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(collected.subarray(0, length))
    const nextColumn = length < rest ? column + length : undefined
    return ok({
      kind: "window",
      content: text.replaceAll("\0", "\u2400"),
      firstLine: offset,
      lastLine: offset,
      truncation: truncateHead(text, limits),
      replaced: 0,
      part: { column, ...(nextColumn === undefined ? {} : { nextColumn }) },
      ...counted,
    })
  }
  const isWhole = filled === selectionBytes
  const raw = collected.subarray(0, filled)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(raw, { stream: !isWhole })
  const cut = truncateHead(text, limits)
  const truncation = isWhole
    ? cut
    : { ...cut, totalLines: selectionNewlines + (lastByte === 0x0a ? 0 : 1), totalBytes: selectionBytes }
  if (truncation.firstLineExceedsLimit) {
    return ok({
      kind: "long-line",
      line: offset,
      lineBytes,
      lineExact: exact || firstLineBytes >= 0,
      truncation,
      ...counted,
    })
  }
  const lines = truncation.truncated ? truncation.outputLines : limit === 0 ? 0 : selectionNewlines + 1
  const damaged = truncation.content.split("\ufffd").length - 1
  const genuine = isUtf8 ? Buffer.from(raw).toString("latin1").split("\xef\xbf\xbd").length - 1 : 0
  return ok({
    kind: "window",
    content: truncation.content.replaceAll("\0", "\u2400"),
    firstLine: offset,
    lastLine: offset + lines - 1,
    truncation,
    replaced: Math.max(0, damaged - genuine),
    ...counted,
  })
}
