import type { Context } from "./context.ts"
import type { FileError } from "./errors.ts"
import type { FileByteReader } from "./file-byte-reader.ts"
import type { Result } from "./result.ts"

/** What a name stands for. Symlinks are not followed. */
export type FileKind = "file" | "directory" | "symlink"

/** Metadata of one name. */
export interface FileInfo {
  /** The last part of {@link path}. */
  name: string
  /** Absolute and normalized; symlinks are not resolved. */
  path: string
  kind: FileKind
  /** Bytes. */
  size: number
  /** Milliseconds since the Unix epoch. */
  mtimeMs: number
}

/** One line of UTF-8 text, without its line feed. */
export interface TextLine {
  text: string
  /** Whether a line feed ended it: a last record that is torn has none. */
  terminated: boolean
}

/** Lines on demand; `undefined` is the end of the file. The caller owns it and must `close` it. */
export interface TextLineReader {
  readLine(context: Context): Promise<Result<TextLine | undefined, FileError>>
  close(context: Context): Promise<void>
}

/**
 * Files as an agent's tools see them. Every method is async, takes its {@link Context} last, and neither throws nor
 * rejects. Paths may be relative to `cwd`.
 */
export interface FileSystem {
  cwd: string
  /** The absolute spelling; need not exist, symlinks stay. */
  absolutePath(path: string, context: Context): Promise<Result<string, FileError>>
  /** The parts joined; need not exist. */
  joinPath(parts: string[], context: Context): Promise<Result<string, FileError>>
  /** The whole file as UTF-8 text. */
  readTextFile(path: string, context: Context): Promise<Result<string, FileError>>
  openTextLineReader(path: string, context: Context): Promise<Result<TextLineReader, FileError>>
  /** The first lines; stops reading at `maxLines`. */
  readTextLines(
    path: string,
    options: { maxLines?: number } | undefined,
    context: Context,
  ): Promise<Result<string[], FileError>>
  readBinaryFile(path: string, context: Context): Promise<Result<Uint8Array, FileError>>
  /** Divergence from upstream, see README.md: opens a regular file for bounded, positional reads. */
  openFileReader(path: string, context: Context): Promise<Result<FileByteReader, FileError>>
  /** Creates or overwrites; makes missing folders above it. */
  writeFile(path: string, content: string | Uint8Array, context: Context): Promise<Result<void, FileError>>
  /** Creates or appends; makes missing folders above it. */
  appendFile(path: string, content: string | Uint8Array, context: Context): Promise<Result<void, FileError>>
  /** Atomic; replaces the destination. Does not cross file systems. */
  renameFile(sourcePath: string, destinationPath: string, context: Context): Promise<Result<void, FileError>>
  /** Of the name itself: a symlink is not followed. */
  fileInfo(path: string, context: Context): Promise<Result<FileInfo, FileError>>
  /** The direct children of a directory; symlinks are not followed. */
  listDir(path: string, context: Context): Promise<Result<FileInfo[], FileError>>
  /** The path with all symlinks resolved; must exist. */
  canonicalPath(path: string, context: Context): Promise<Result<string, FileError>>
  /** `false` where nothing stands; other failures are errors. */
  exists(path: string, context: Context): Promise<Result<boolean, FileError>>
  /** `recursive` defaults to true. */
  createDir(
    path: string,
    options: { recursive?: boolean } | undefined,
    context: Context,
  ): Promise<Result<void, FileError>>
  /** `recursive` and `force` default to false. */
  remove(
    path: string,
    options: { recursive?: boolean; force?: boolean } | undefined,
    context: Context,
  ): Promise<Result<void, FileError>>
  /** Answers its absolute path. `prefix` defaults to `"tmp-"`. */
  createTempDir(prefix: string | undefined, context: Context): Promise<Result<string, FileError>>
  /** Answers its absolute path. */
  createTempFile(
    options: { prefix?: string; suffix?: string } | undefined,
    context: Context,
  ): Promise<Result<string, FileError>>
  /** Lets go of what the file system holds. Best effort. */
  cleanup(context: Context): Promise<void>
}
