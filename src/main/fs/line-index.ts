import type { FileReaderInfo } from "../../../vendor/pi-harness/index.ts"

/** What a line feed is: the byte 0x0A, or the UTF-16 code unit 000A at an even position. */
export type LineFeedUnit = "byte" | "utf-16le" | "utf-16be"

/** A place in a file: `newlines` line feeds stand before byte `position`. */
export interface Checkpoint {
  position: number
  newlines: number
}

/** Where the lines of one file are, from a scan of all of it. Immutable. */
export interface LinePositions {
  /** Line feeds in the file. */
  readonly newlines: number
  /** Bytes of the file. */
  readonly bytes: number
  /** Whether the file's last unit is a line feed. */
  readonly endsWithNewline: boolean
  /** The last checkpoint that has fewer than `newlines` line feeds before it; `{0, 0}` where there is none. */
  before(newlines: number): Checkpoint
  /** The last checkpoint at or before byte `position`. */
  at(position: number): Checkpoint
}

/**
 * Remembers where lines are in files that were scanned, so that a continuation does not scan again. Bounded in files
 * and checkpoints, least recently used out first. What it says is trusted only for a file that has not changed since.
 */
export interface LineIndex {
  /** What is known of the file that `info` describes, unless it changed since it was scanned. */
  find(info: FileReaderInfo, unit: LineFeedUnit): LinePositions | undefined
  /** Keeps `positions`, unless the file was changed too short a time before its scan began to be sure of it. */
  keep(info: FileReaderInfo, unit: LineFeedUnit, positions: LinePositions, scanBeganMs: number): void
}
