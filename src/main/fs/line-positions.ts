import { CHECKPOINT_BYTES, MAX_INDEX_CHECKPOINTS } from "../limits.ts"

/** A place in a file. */
export interface Checkpoint {
  /** Bytes before it. */
  position: number
  /** Line feeds before it. */
  newlines: number
  /** Whether a line begins there: the unit before it is a line feed, or there is none. */
  atLineStart: boolean
}

const FILE_START: Checkpoint = { position: 0, newlines: 0, atLineStart: true }

/** Where the lines of one file are, from a scan of all of it. */
export interface LinePositions {
  /** Line feeds in the file. */
  readonly newlines: number
  /** Bytes of the file. */
  readonly bytes: number
  /** Whether the file ends with a line feed (or is empty), so that its last line is empty. */
  readonly endsAtLineStart: boolean
  /** How many checkpoints are kept. */
  readonly checkpoints: number
  /** The last checkpoint that has fewer than `newlines` line feeds before it; the start of the file where none has. */
  before(newlines: number): Checkpoint
  /** The last checkpoint at or before byte `position`. */
  at(position: number): Checkpoint
}

/**
 * Notes checkpoints during a scan from the start of a file: at least {@link CHECKPOINT_BYTES} apart, and further where
 * a file is so large that there would be more than {@link MAX_INDEX_CHECKPOINTS}.
 */
export class LinePositionsRecorder {
  private noted: Checkpoint[] = []
  private nextPosition: number

  constructor(
    private spacing = CHECKPOINT_BYTES,
    private readonly maxCheckpoints = MAX_INDEX_CHECKPOINTS,
  ) {
    this.nextPosition = spacing
  }

  /** The scan is at `place`; places come in order. */
  pass(place: Checkpoint): void {
    if (place.position < this.nextPosition) return
    // A copy: a scan moves on, and its place with it.
    this.noted.push({ position: place.position, newlines: place.newlines, atLineStart: place.atLineStart })
    if (this.noted.length > this.maxCheckpoints) {
      this.noted = this.noted.filter((_, index) => index % 2 === 1)
      this.spacing *= 2
    }
    this.nextPosition = place.position + this.spacing
  }

  /** The scan has come to the end of the file, which is `place`. */
  finish(place: Checkpoint): LinePositions {
    return new NotedPositions(this.noted, place)
  }
}

class NotedPositions implements LinePositions {
  readonly newlines: number
  readonly bytes: number
  readonly endsAtLineStart: boolean
  readonly checkpoints: number
  private readonly positions: Float64Array
  private readonly counts: Float64Array
  private readonly lineStarts: Uint8Array

  constructor(noted: readonly Checkpoint[], end: Checkpoint) {
    this.newlines = end.newlines
    this.bytes = end.position
    this.endsAtLineStart = end.atLineStart
    this.checkpoints = noted.length
    this.positions = Float64Array.from(noted, ({ position }) => position)
    this.counts = Float64Array.from(noted, ({ newlines }) => newlines)
    this.lineStarts = Uint8Array.from(noted, ({ atLineStart }) => Number(atLineStart))
  }

  before(newlines: number): Checkpoint {
    return this.last(this.counts, (count) => count < newlines)
  }

  at(position: number): Checkpoint {
    return this.last(this.positions, (noted) => noted <= position)
  }

  /** The last checkpoint that is `early`, as those before it are and those after it are not. */
  private last(values: Float64Array, early: (value: number) => boolean): Checkpoint {
    let low = 0
    let high = values.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (early(values[middle] ?? 0)) low = middle + 1
      else high = middle
    }
    const [position, newlines] = [this.positions[low - 1], this.counts[low - 1]]
    if (position === undefined || newlines === undefined) return FILE_START
    return { position, newlines, atLineStart: this.lineStarts[low - 1] === 1 }
  }
}
