import type { Context, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import { abortedError } from "../fs/file-error.ts"

export interface ChunkSource {
  reader: FileByteReader
  /** Memory that chunks are read into, in turn; the first holds {@link head} from its start. */
  halves: readonly [Uint8Array, Uint8Array]
  /** The bytes of the file that were read already, from its start. */
  head: Uint8Array
  /** Read one chunk ahead: for those who read the whole file, in order. */
  readAhead: boolean
  context: Context
}

/**
 * A file in chunks that fill a half, but for the last. It is read to the size seen at open, or to its end where that
 * comes first or the size is 0 (procfs). At most two reads are under way.
 */
export class Chunks {
  private readonly end: number
  /** Where the next chunk that is not read yet begins. */
  private position = 0
  /** Bytes of it that stand in its half already. */
  private filled: number
  private turn: 0 | 1 = 0
  private ahead: Promise<Result<Uint8Array, FileError>> | undefined
  private ended = false

  constructor(private readonly source: ChunkSource) {
    const { size } = source.reader.info
    this.end = size > 0 ? size : Number.POSITIVE_INFINITY
    this.filled = source.head.length
  }

  /** The next chunk, in memory that is used again by the next call; empty at the end. */
  async next(): Promise<Result<Uint8Array, FileError>> {
    const { context, readAhead, reader } = this.source
    if (context.abortSignal?.aborted) return { ok: false, error: abortedError(reader.info.path) }
    if (this.ended) return ok(new Uint8Array())
    const chunk = this.ahead ?? this.start()
    this.ahead = readAhead ? this.start() : undefined
    return chunk
  }

  /** Goes on at `position`. Not for a source that reads ahead. */
  seek(position: number): void {
    this.position = position
    this.filled = 0
  }

  private start(): Promise<Result<Uint8Array, FileError>> {
    const half = this.source.halves[this.turn]
    const { position, filled } = this
    const wanted = half.subarray(0, Math.max(0, Math.min(half.length, this.end - position)))
    this.turn = this.turn === 0 ? 1 : 0
    this.position += wanted.length
    this.filled = 0
    return this.fill(wanted, position, filled)
  }

  private async fill(wanted: Uint8Array, position: number, filled: number): Promise<Result<Uint8Array, FileError>> {
    const { reader, context } = this.source
    let length = Math.min(filled, wanted.length)
    while (length < wanted.length) {
      const into = wanted.subarray(length)
      const read = await reader.read(position + length, into.length, context, into)
      if (!read.ok) return read
      if (read.value.length === 0) {
        // What a read-ahead finds behind this was written meanwhile: there would be a gap.
        this.ended = true
        return ok(wanted.subarray(0, length))
      }
      const bytes = read.value.subarray(0, into.length)
      if (bytes.buffer !== into.buffer || bytes.byteOffset !== into.byteOffset) into.set(bytes)
      length += bytes.length
    }
    return ok(wanted)
  }
}
