import type {
  Context,
  FileByteReader,
  FileError,
  FileReaderInfo,
  FileSystem,
  Result,
} from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, ok } from "../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../main/limits.ts"

/**
 * A file in a temporary folder of its own that a body is written to. Its bytes go to the disk a chunk at a time; memory
 * holds one chunk. Whoever made it owes an `open` that succeeds, or a `remove`.
 */
export class BodyFile {
  private readonly chunk = new Uint8Array(READ_CHUNK_BYTES)
  private filled = 0

  private constructor(
    private readonly fileSystem: FileSystem,
    private readonly folder: string,
    private readonly path: string,
  ) {}

  static async create(fileSystem: FileSystem, context: Context): Promise<Result<BodyFile, FileError>> {
    const folder = await fileSystem.createTempDir("body-", context)
    if (!folder.ok) return folder
    const path = await fileSystem.joinPath([folder.value, "body"], context)
    const file = new BodyFile(fileSystem, folder.value, path.ok ? path.value : folder.value)
    const written = path.ok ? await fileSystem.writeFile(path.value, "", context) : path
    if (written.ok) return ok(file)
    await file.remove()
    return written
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

  /** The written bytes as a file. Its folder goes with the reader's `close`, where the platform lets it, before. */
  async open(context: Context): Promise<Result<FileByteReader, FileError>> {
    const flushed = await this.flush(context)
    if (!flushed.ok) return flushed
    const opened = await this.fileSystem.openFileReader(this.path, context)
    if (!opened.ok) return opened
    const reader = opened.value
    // POSIX lets a name go while the file is open, so that nothing stays behind even if the host dies. Windows does not.
    const removed = await this.fileSystem.remove(this.folder, { recursive: true }, context)
    // Without its name the file is in another state than when it was opened: nobody is to take that for a change.
    const now = await reader.refresh?.(context)
    if (now?.ok === false) {
      await reader.close(BACKGROUND_CONTEXT)
      return now
    }
    return ok(bodyReader(reader, now?.value ?? reader.info, removed.ok ? undefined : () => this.remove()))
  }

  /** Leaves nothing of it, as far as that can be. */
  async remove(): Promise<void> {
    await this.fileSystem.remove(this.folder, { recursive: true, force: true }, BACKGROUND_CONTEXT)
  }

  private async flush(context: Context): Promise<Result<void, FileError>> {
    if (this.filled === 0) return ok(undefined)
    const bytes = this.chunk.subarray(0, this.filled)
    this.filled = 0
    return this.fileSystem.appendFile(this.path, bytes, context)
  }
}

function bodyReader(
  reader: FileByteReader,
  info: FileReaderInfo,
  afterClose: (() => Promise<void>) | undefined,
): FileByteReader {
  const { refresh } = reader
  return {
    info,
    read: (position, length, context, into) => reader.read(position, length, context, into),
    ...(refresh === undefined ? {} : { refresh: (context: Context) => refresh.call(reader, context) }),
    close: async (context) => {
      await reader.close(context)
      await afterClose?.()
    },
  }
}
