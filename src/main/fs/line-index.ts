import type { FileReaderInfo } from "../../../vendor/pi-harness/index.ts"
import { INDEX_AT_REST_MS, MAX_INDEX_CHECKPOINTS, MAX_INDEXED_FILES } from "../limits.ts"
import { isSameState } from "./file-state.ts"
import type { LineFeedUnit } from "./line-feeds.ts"
import type { LinePositions } from "./line-positions.ts"

/**
 * Remembers where lines are in files that were scanned, so that a continuation does not scan again. Bounded in files
 * and checkpoints, least recently used out first. What it says is trusted only for a file that has not changed since.
 */
export interface LineIndex {
  /** Milliseconds since the Unix epoch: the clock that files are stamped with. */
  now(): number
  /** What is known of the file that `info` describes, unless it changed since it was scanned. */
  find(info: FileReaderInfo, unit: LineFeedUnit): LinePositions | undefined
  /**
   * Keeps what a scan of the whole file found that began at `scanBegan` (of {@link now}) and after which the file was
   * still as `info` says. Not kept, as git does not trust racy entries: a file that was changed less than
   * {@link INDEX_AT_REST_MS} before, because a second change may then have left the same times; and one whose times
   * are not known to the nanosecond, or whose size is not what was read (procfs).
   */
  keep(info: FileReaderInfo, unit: LineFeedUnit, positions: LinePositions, scanBegan: number): void
}

export interface LineIndexOptions {
  now?: () => number
  maxFiles?: number
  maxCheckpoints?: number
}

export function createLineIndex(options: LineIndexOptions = {}): LineIndex {
  return new RecentFiles(options.now ?? Date.now, {
    files: options.maxFiles ?? MAX_INDEXED_FILES,
    checkpoints: options.maxCheckpoints ?? MAX_INDEX_CHECKPOINTS,
  })
}

interface IndexedFile {
  info: FileReaderInfo
  positions: LinePositions
}

class RecentFiles implements LineIndex {
  /** Least recently used first: a Map keeps the order of insertion. */
  private readonly files = new Map<string, IndexedFile>()
  private checkpoints = 0

  constructor(
    readonly now: () => number,
    private readonly max: { files: number; checkpoints: number },
  ) {}

  find(info: FileReaderInfo, unit: LineFeedUnit): LinePositions | undefined {
    const key = keyOf(info, unit)
    const file = this.files.get(key)
    if (file === undefined) return undefined
    this.forget(key)
    if (!isSameState(file.info, info)) return undefined
    this.remember(key, file)
    return file.positions
  }

  keep(info: FileReaderInfo, unit: LineFeedUnit, positions: LinePositions, scanBegan: number): void {
    const key = keyOf(info, unit)
    this.forget(key)
    if (positions.bytes !== info.size || positions.checkpoints > this.max.checkpoints) return
    if (wasAtRest(info.mtimeNs, scanBegan) && wasAtRest(info.ctimeNs, scanBegan))
      this.remember(key, { info, positions })
  }

  private remember(key: string, file: IndexedFile): void {
    this.files.set(key, file)
    this.checkpoints += file.positions.checkpoints
    for (const oldest of this.files.keys()) {
      if (this.files.size <= this.max.files && this.checkpoints <= this.max.checkpoints) return
      this.forget(oldest)
    }
  }

  private forget(key: string): void {
    this.checkpoints -= this.files.get(key)?.positions.checkpoints ?? 0
    this.files.delete(key)
  }
}

function keyOf(info: FileReaderInfo, unit: LineFeedUnit): string {
  return `${info.identity} ${unit}`
}

function wasAtRest(changedNs: bigint | undefined, scanBegan: number): boolean {
  return changedNs !== undefined && Number(changedNs / 1_000_000n) <= scanBegan - INDEX_AT_REST_MS
}
