import type { Context, FileByteReader, Result } from "../../../vendor/pi-harness/index.ts"
import { err, ok } from "../../../vendor/pi-harness/index.ts"
import type { LineIndex } from "../fs/line-index.ts"
import type { ScanBuffer } from "../fs/scan-buffer.ts"
import type { Limits } from "../limits.ts"
import { MAX_SNIFF_BYTES } from "../limits.ts"
import { guessEncoding } from "./encoding-guess.ts"
import * as notices from "./notices.ts"
import type { ReadParameters } from "./parameters.ts"
import type { ReadReceipt, ReadResult } from "./read-result.ts"
import { readTextWindow } from "./text-window.ts"
import type { BeyondEnd, BeyondLine, LongLine, ShownText } from "./text-window-types.ts"

export interface ReadTextRequest {
  /** Left open: closing is the caller's. */
  reader: FileByteReader
  /** Stays the caller's to release. */
  buffer: ScanBuffer
  /** The first bytes, in the first half of the buffer. */
  head: Uint8Array
  parameters: ReadParameters
  wording: notices.Wording
  limits: Limits
  index: LineIndex | undefined
  clock: () => number
  onProgress: (bytesRead: number, size: number) => void
}

/** The text route: the window that was asked for, with the notices that say what is missing and how to go on. */
export async function readText(request: ReadTextRequest, context: Context): Promise<Result<ReadResult, Error>> {
  const { reader, buffer, parameters, limits, index, clock, onProgress } = request
  const encoding = parameters.encoding ?? "utf-8"
  // The window reads on into the same memory.
  const head = request.head.slice(0, MAX_SNIFF_BYTES)
  const { offset, limit, column } = parameters
  const read = await readTextWindow(
    reader,
    buffer,
    request.head,
    {
      offset,
      ...(limit === undefined ? {} : { limit }),
      ...(column === undefined ? {} : { column }),
      encoding,
      limits,
      index,
      onProgress,
      clock,
    },
    context,
  )
  if (!read.ok) return read
  const outcome = read.value
  if (outcome.kind === "beyond-end" || outcome.kind === "beyond-line") return err(failureOf(outcome, request))
  const facts = { encoding, ...(outcome.changed ? { changed: true as const } : {}) }
  if (outcome.kind === "empty") {
    return ok(
      result([notices.emptyFile(request.wording.path), ...changes(outcome)], request, { kind: "empty", ...facts }),
    )
  }
  if (outcome.kind === "long-line") {
    return ok({ ...longLine(outcome, request, facts), details: { truncation: outcome.truncation } })
  }
  const replaced = await replacement(outcome, encoding, head)
  return ok(window(outcome, replaced, request, facts))
}

type Facts = Partial<ReadReceipt>

function failureOf(outcome: BeyondEnd | BeyondLine, request: ReadTextRequest): Error {
  const { parameters, limits, reader } = request
  const { offset, column = 1 } = parameters
  if (outcome.kind === "beyond-end") {
    if (outcome.totalExact) return new Error(notices.beyondEnd(offset, outcome.totalLines))
    const { totalLines, bytesRead } = outcome
    return new Error(notices.notReached(offset, totalLines, bytesRead, reader.info.size, limits.countingDeadlineMs))
  }
  return new Error(notices.beyondLine(column, outcome.line, outcome.lineBytes, outcome.lineExact))
}

function longLine(outcome: LongLine, request: ReadTextRequest, facts: Facts): ReadResult {
  const { line, lineBytes, lineExact } = outcome
  const notice = notices.longLine(line, lineBytes, lineExact, request.wording)
  return result([...changes(outcome), notice], request, {
    kind: "text",
    ...facts,
    ...total(outcome),
    nextOffset: line,
    nextColumn: 1,
  })
}

function window(outcome: ShownText, replaced: string[], request: ReadTextRequest, facts: Facts): ReadResult {
  const { content, firstLine, lastLine, truncation } = outcome
  const { notice, next } = continuation(outcome, request)
  const texts = [content, ...replaced, ...changes(outcome), ...(notice === undefined ? [] : [notice])]
  const shown = result(texts, request, {
    kind: "text",
    ...facts,
    ...(lastLine < firstLine ? {} : { lines: `${firstLine}-${lastLine}` }),
    ...total(outcome),
    ...(next === undefined ? {} : { nextOffset: next.offset }),
    ...(next?.column === undefined ? {} : { nextColumn: next.column }),
  })
  return truncation.truncated ? { ...shown, details: { truncation } } : shown
}

interface Continuation {
  notice?: string
  next?: { offset: number; column?: number }
}

function continuation(outcome: ShownText, { wording }: ReadTextRequest): Continuation {
  const { firstLine, lastLine, truncation, totalLines, totalExact, part } = outcome
  const isLast = totalExact && lastLine >= totalLines
  if (part !== undefined) {
    const { column, nextColumn } = part
    if (nextColumn !== undefined) {
      const next = { offset: firstLine, column: nextColumn }
      return { notice: notices.shownPart({ line: firstLine, column, next }, wording), next }
    }
    const next = isLast ? {} : { next: { offset: firstLine + 1 } }
    return { notice: notices.shownPart({ line: firstLine, column, ...next }, wording), ...next }
  }
  const next = { offset: lastLine + 1 }
  const shown = { first: firstLine, last: lastLine, total: { lines: totalLines, exact: totalExact } }
  if (truncation.truncated) {
    const cut = truncation.truncatedBy === "lines" ? notices.shownByLines(shown) : notices.shownByBytes(shown, wording)
    return { notice: cut, next }
  }
  return isLast ? {} : { notice: notices.moreLines(shown), next }
}

async function replacement(outcome: ShownText, encoding: string, head: Uint8Array): Promise<string[]> {
  if (outcome.replaced === 0) return []
  const likely = encoding === "utf-8" ? await guessEncoding(head) : undefined
  return [notices.replacedCharacters(outcome.replaced, encoding, likely)]
}

function changes({ changed }: { changed: boolean }): string[] {
  return changed ? [notices.FILE_CHANGED] : []
}

function total({ totalLines, totalExact }: { totalLines: number; totalExact: boolean }): Facts {
  return totalExact ? { totalLines } : {}
}

function result(
  texts: readonly string[],
  { reader }: ReadTextRequest,
  facts: Facts & { kind: ReadReceipt["kind"] },
): ReadResult {
  const { path, size } = reader.info
  return {
    content: [{ type: "text", text: texts.join("\n\n") }],
    details: undefined,
    receipt: { path, bytes: size, ...facts },
  }
}
