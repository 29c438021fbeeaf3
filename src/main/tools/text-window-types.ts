import type { TruncationResult } from "../../../vendor/pi-harness/index.ts"
import type { LineIndex } from "../fs/line-index.ts"
import type { Limits } from "../limits.ts"

/** What part of a text is asked for. Lines and columns count from 1; columns are bytes of the file. */
export interface TextWindowRequest {
  /** First line, 1 or more. */
  offset: number
  /** Lines, 0 or more; without it all that the limits allow. */
  limit?: number
  /** Read only line {@link offset}, from this byte on, in parts of at most `limits.maxBytes`. */
  column?: number
  /** Canonical lower-case name of a WHATWG encoding that `TextDecoder` knows; `"utf-8"` by default of the tool. */
  encoding: string
  limits: Pick<Limits, "maxLines" | "maxBytes" | "countingDeadlineMs">
  /** Where line positions are remembered between reads; without it every read scans. */
  index?: LineIndex | undefined
  /** Called after chunks of a scan; `size` is the size seen at open, 0 where that is not known. */
  onProgress?: ((bytesRead: number, size: number) => void) | undefined
  /** Milliseconds, monotonic, for the counting deadline; `performance.now` by default. */
  clock?: (() => number) | undefined
}

/** Facts that every outcome has. */
interface CountedText {
  /** LF + 1 over the whole file, or as far as was counted. */
  totalLines: number
  /** False where counting stopped at its deadline: there are more than {@link totalLines}, or as many. */
  totalExact: boolean
  /** The file was changed, shrunk, grown or replaced while it was read. */
  changed: boolean
}

/** Whole lines, or with {@link part} a part of one. */
export interface ShownText extends CountedText {
  kind: "window"
  /** Decoded: the BOM dropped, NUL as U+2400, damage as U+FFFD, no lone surrogate. No notice in it. May be empty. */
  content: string
  firstLine: number
  /** Last line shown; `firstLine - 1` where none is (`limit` 0). */
  lastLine: number
  /**
   * Upstream's account of the selection (from `offset` on, `limit` lines). `totalBytes` is exact for valid UTF-8; past
   * the bytes that a cut can show, each byte of the file counts as one.
   */
  truncation: TruncationResult
  /** U+FFFD in {@link content} that stand for damaged bytes; those which the file really holds are not counted. */
  replaced: number
  /** Of a column read: where the part starts (a column inside a character is moved to its start) and where the next does. */
  part?: { column: number; nextColumn?: number }
}

/** Line `offset` alone is over `limits.maxBytes`: nothing of it is shown. */
export interface LongLine extends CountedText {
  kind: "long-line"
  line: number
  /** Bytes of the line without its LF and the BOM. */
  lineBytes: number
  /** False where the deadline came before the end of the line. */
  lineExact: boolean
  truncation: TruncationResult
}

/** The file has no line `offset`; with `totalExact` false it was not reached before the deadline. */
export interface BeyondEnd extends CountedText {
  kind: "beyond-end"
  /** How far the scan got, bytes from the start of the file. */
  bytesRead: number
}

/** Line `offset` has no byte `column`. */
export interface BeyondLine extends CountedText {
  kind: "beyond-line"
  line: number
  /** Bytes of the line without its LF; as far as was counted where {@link lineExact} is false. */
  lineBytes: number
  lineExact: boolean
}

/** No byte, or only a BOM. */
export interface EmptyText {
  kind: "empty"
  changed: boolean
}

export type TextWindowOutcome = ShownText | LongLine | BeyondEnd | BeyondLine | EmptyText

/** An outcome before it is known whether the file was changed. */
export type Counted<Outcome> = Outcome extends TextWindowOutcome ? Omit<Outcome, "changed"> : never
export type CountedOutcome = Counted<TextWindowOutcome>
