import type { Context, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"

/**
 * A file from its start, chunk after chunk. A chunk is a view of one buffer and is overwritten by the next. With
 * `toSizeAtOpen` it ends at the size that was seen at open, so that a file which grows faster than it is read ends too;
 * where that size is 0, as in procfs, at the end of the file.
 */
export class ChunkSource {
  /** Of the chunks given so far. */
  bytesRead = 0
  private buffer: Uint8Array | undefined
  private readonly end: number
  private readonly bufferBytes: number

  constructor(
    private readonly reader: FileByteReader,
    options: { toSizeAtOpen: boolean },
  ) {
    const { size } = reader.info
    this.end = options.toSizeAtOpen && size > 0 ? size : Number.MAX_SAFE_INTEGER
    this.bufferBytes = size > 0 && size < READ_CHUNK_BYTES ? size : READ_CHUNK_BYTES
  }

  /** An empty chunk is the end. After a failure, the same bytes are asked for again. */
  async next(context: Context): Promise<Result<Uint8Array, FileError>> {
    const length = Math.min(this.bufferBytes, this.end - this.bytesRead)
    if (length === 0) return ok(new Uint8Array(0))
    const buffer = this.buffer ?? new Uint8Array(this.bufferBytes)
    // A read that was aborted may still write to its buffer later: it is not used again.
    this.buffer = undefined
    const chunk = await this.reader.read(this.bytesRead, length, context, buffer)
    if (!chunk.ok) return chunk
    this.buffer = buffer
    this.bytesRead += chunk.value.byteLength
    return chunk
  }
}
