import type { FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import type { LineFeeds } from "../fs/line-feeds.ts"
import type { Checkpoint, LinePositions } from "../fs/line-positions.ts"
import type { Chunks } from "./text-window-chunks.ts"

export interface ScanOptions {
  chunks: Chunks
  /** Bytes of the file, as far as it is read; infinite where that is not known before. */
  end: number
  feeds: LineFeeds
  /** What an earlier scan found: the scan jumps over what it need not look at. */
  known: LinePositions | undefined
  /** Sees each place where a chunk begins. */
  pass(place: Checkpoint): void
  /** Whether the time for counting is over; asked before each further chunk. */
  isLate(): boolean
}

/** Why a scan stopped: behind the line feed, at the place, at the end of the file, or because it is late. */
export type ScanStop = "line-feed" | "place" | "end" | "late"

/** Goes through a file forward and counts its line feeds. Holds one chunk. */
export class LineScan {
  /** Bytes of the file that are passed. */
  position = 0
  /** Line feeds among them. */
  newlines = 0
  /** Whether a line begins at {@link position}. */
  atLineStart = true
  /** Of the line that the last line feed ended: whether it is empty. */
  lastLineIsEmpty = false
  /** The bytes from {@link position} on that are at hand. */
  private rest: Uint8Array = new Uint8Array()
  private ended = false

  constructor(private readonly options: ScanOptions) {}

  /** Passes the `nth` line feed of the file (from 1; nothing to do where it is passed), or stops at byte `place` where that comes first. */
  async passLine(nth: number, place = Number.POSITIVE_INFINITY): Promise<Result<ScanStop, FileError>> {
    const { feeds, known, isLate } = this.options
    if (this.newlines >= nth) return ok("line-feed")
    if (known !== undefined) this.jump(known, nth, place)
    for (;;) {
      const view = this.rest.subarray(0, place - this.position)
      const count = feeds.count(view)
      if (this.newlines + count >= nth) {
        const index = feeds.find(view, nth - this.newlines)
        this.lastLineIsEmpty = index === 0 ? this.atLineStart : feeds.isAt(view, index - feeds.width)
        this.advance(view.subarray(0, index + feeds.width), nth - this.newlines)
        return ok("line-feed")
      }
      this.advance(view, count)
      if (this.position >= place) return ok("place")
      if (this.ended) return ok("end")
      if (isLate()) return ok("late")
      const loaded = await this.load()
      if (!loaded.ok) return loaded
    }
  }

  /** Passes everything. */
  passAll(): Promise<Result<ScanStop, FileError>> {
    return this.passLine(Number.POSITIVE_INFINITY)
  }

  /** Passes up to `most` bytes and answers a copy of them; fewer at the end of the file. However late it is. */
  async take(most: number): Promise<Result<Uint8Array, FileError>> {
    const length = Math.max(0, Math.min(most, this.options.end - this.position))
    const taken = new Uint8Array(length)
    let filled = 0
    while (filled < length && !this.ended) {
      const view = this.rest.subarray(0, length - filled)
      taken.set(view, filled)
      filled += view.length
      this.advance(view, this.options.feeds.count(view))
      if (filled === length) break
      const loaded = await this.load()
      if (!loaded.ok) return loaded
    }
    return ok(taken.subarray(0, filled))
  }

  private async load(): Promise<Result<void, FileError>> {
    const chunk = await this.options.chunks.next()
    if (!chunk.ok) return chunk
    this.rest = chunk.value
    this.ended = chunk.value.length === 0
    this.options.pass(this)
    return ok(undefined)
  }

  private advance(view: Uint8Array, newlines: number): void {
    if (view.length === 0) return
    const { feeds } = this.options
    this.position += view.length
    this.newlines += newlines
    this.atLineStart = feeds.isAt(view, view.length - feeds.width)
    this.rest = this.rest.subarray(view.length)
  }

  /** To the last known place that is before both what is looked for. */
  private jump(known: LinePositions, nth: number, place: number): void {
    if (nth > known.newlines && place >= known.bytes) {
      this.rest = new Uint8Array()
      this.ended = true
      this.position = known.bytes
      this.newlines = known.newlines
      this.atLineStart = known.endsAtLineStart
      return
    }
    const [byLine, byPlace] = [known.before(nth), known.at(place)]
    const nearest = byLine.position < byPlace.position ? byLine : byPlace
    if (nearest.position < this.position + this.rest.length) return
    this.rest = new Uint8Array()
    this.position = nearest.position
    this.newlines = nearest.newlines
    this.atLineStart = nearest.atLineStart
    this.options.chunks.seek(nearest.position)
  }
}
