import type { Context, FileByteReader, FileError, FileSystem, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, ok } from "../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../main/limits.ts"

/** A temporary file that a body is written to. Its bytes go to the disk a chunk at a time; memory holds one chunk. */
export class BodyFile {
  private readonly chunk = new Uint8Array(READ_CHUNK_BYTES)
  private filled = 0

  private constructor(
    private readonly fileSystem: FileSystem,
    private readonly path: string,
  ) {}

  static async create(fileSystem: FileSystem, context: Context): Promise<Result<BodyFile, FileError>> {
    const path = await fileSystem.createTempFile({ prefix: "body-" }, context)
    return path.ok ? ok(new BodyFile(fileSystem, path.value)) : path
  }

  async write(bytes: Uint8Array, context: Context): Promise<Result<void, FileError>> {
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + this.chunk.byteLength - this.filled)
      this.chunk.set(part, this.filled)
      this.filled += part.byteLength
      at += part.byteLength
      if (this.filled < this.chunk.byteLength) continue
      const flushed = await this.flush(context)
      if (!flushed.ok) return flushed
    }
    return ok(undefined)
  }

  /** The written bytes as a file. The temporary file goes with the reader's `close`, where the platform lets it, before. */
  async open(context: Context): Promise<Result<FileByteReader, FileError>> {
    const flushed = await this.flush(context)
    if (!flushed.ok) return flushed
    const opened = await this.fileSystem.openFileReader(this.path, context)
    if (!opened.ok) return opened
    // POSIX lets a name go while the file is open, so that nothing stays behind even if the host dies. Windows does not.
    const removed = await this.fileSystem.remove(this.path, undefined, context)
    return ok(removed.ok ? opened.value : removingOnClose(opened.value, () => this.remove()))
  }

  async remove(): Promise<void> {
    await this.fileSystem.remove(this.path, { force: true }, BACKGROUND_CONTEXT)
  }

  private async flush(context: Context): Promise<Result<void, FileError>> {
    if (this.filled === 0) return ok(undefined)
    const bytes = this.chunk.subarray(0, this.filled)
    this.filled = 0
    return this.fileSystem.appendFile(this.path, bytes, context)
  }
}

function removingOnClose(reader: FileByteReader, remove: () => Promise<void>): FileByteReader {
  const wrapped: FileByteReader = {
    info: reader.info,
    read: (position, length, context, into) => reader.read(position, length, context, into),
    close: async (context) => {
      await reader.close(context)
      await remove()
    },
  }
  const { refresh } = reader
  if (refresh !== undefined) wrapped.refresh = (context) => refresh.call(reader, context)
  return wrapped
}
