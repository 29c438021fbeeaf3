import type { Context } from "./context.ts"
import type { FileError } from "./errors.ts"
import type { Result } from "./result.ts"

/** What `fstat` said of an open descriptor. A hint of the size, never a promise: procfs says 0, logs grow. */
export interface FileReaderInfo {
  /** The path that was opened, absolute. */
  path: string
  /** Bytes. */
  size: number
  /** Milliseconds since the Unix epoch. */
  mtimeMs: number
  /** `"<dev>:<ino>"`, decimal: the same for every name of one file. */
  identity: string
  /** Nanoseconds since the Unix epoch, where the platform tells: what a cache needs to notice an edit within one millisecond. */
  mtimeNs?: bigint
  /** Nanoseconds since the Unix epoch of the last change of content, name or mode; cannot be set back by a program. */
  ctimeNs?: bigint
  /** Names of the file (`nlink`), where the platform tells: over 1, it may have one in another folder. */
  links?: number
}

/**
 * A regular file, open for reading by position. The caller owns it and must `close` it.
 * No method throws or rejects; an abort settles a pending call at once, whatever the operating system still holds.
 */
export interface FileByteReader {
  readonly info: FileReaderInfo
  /**
   * At most `length` bytes from byte `position`. Fewer is not the end of the file; zero bytes is.
   * With `into`, the bytes are written from its start and the answer is a view of it; `into` may be written
   * to until the operating system has answered, even when the call was aborted before.
   */
  read(position: number, length: number, context: Context, into?: Uint8Array): Promise<Result<Uint8Array, FileError>>
  /** `fstat` again: was the file changed meanwhile? */
  refresh?(context: Context): Promise<Result<FileReaderInfo, FileError>>
  /**
   * Where the open file stands now, symlinks resolved, as the operating system names the descriptor itself: no name
   * is looked up, so nothing can be swapped for it in between. Of a file that was deleted or replaced since, the path
   * that it had. Absent where the platform cannot tell (all but Linux).
   */
  realPath?(context: Context): Promise<Result<string, FileError>>
  /** May be called twice. The descriptor is closed once no read is under way on it. */
  close(context: Context): Promise<void>
}
