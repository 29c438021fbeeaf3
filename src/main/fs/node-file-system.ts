import type {
  Context,
  FileByteReader,
  FileInfo,
  FileSystem,
  Result,
  TextLineReader,
} from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok, toError } from "../../../vendor/pi-harness/index.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { runToEnd } from "./environment-calls.ts"
import { joinParts, resolveName, resolvePath } from "./environment-paths.ts"
import { abortedError, toFileError } from "./file-error.ts"
import { infoOf, infosIn, nameExists } from "./file-infos.ts"
import { openFileReader } from "./file-reader.ts"
import type { RemoveOptions } from "./remove-tree.ts"
import { removeTree } from "./remove-tree.ts"
import { makeTemporaryFile, makeTemporaryFolder } from "./temporary-names.ts"
import { FileTextLineReader, readLines } from "./text-line-reader.ts"
import { readWholeBytes, readWholeText } from "./whole-file-reads.ts"
import { writeRegularFile } from "./write-regular-file.ts"

type Answer<T> = Promise<Result<T, FileError>>

/**
 * The files of this machine. Every call takes a turn of the process's, is settled at once by an abort and never throws
 * or rejects, wrong arguments included. An aborted call that changes something may still take effect.
 *
 * Paths are resolved against `cwd` and tidied; `~` and `file://` are not expanded. Every read goes through
 * {@link openFileReader}: what is not a regular file is refused by type.
 */
export class NodeFileSystem implements FileSystem {
  cwd: string
  private readonly calls: EnvironmentCalls

  constructor(cwd: string, calls: EnvironmentCalls) {
    this.cwd = cwd
    this.calls = calls
  }

  /** Looks at no file, so an abort does not matter to it. */
  absolutePath(path: string, _context: Context): Answer<string> {
    return settled(() => resolvePath(this.cwd, path))
  }

  /** Looks at no file, so an abort does not matter to it. */
  joinPath(parts: string[], _context: Context): Answer<string> {
    return settled(() => joinParts(parts))
  }

  readTextFile(path: string, context: Context): Answer<string> {
    return this.reading(path, context, readWholeText)
  }

  openTextLineReader(path: string, context: Context): Answer<TextLineReader> {
    return this.at(path, context, async (absolute) => {
      const opened = await openFileReader(absolute, context, this.calls)
      return opened.ok ? ok(new FileTextLineReader(opened.value)) : opened
    })
  }

  readTextLines(path: string, options: { maxLines?: number } | undefined, context: Context): Answer<string[]> {
    const maxLines = options?.maxLines ?? Number.POSITIVE_INFINITY
    if (!(maxLines > 0)) return this.at(path, context, async () => ok([]))
    return this.reading(path, context, (reader) => readLines(reader, maxLines, context))
  }

  readBinaryFile(path: string, context: Context): Answer<Uint8Array> {
    return this.reading(path, context, readWholeBytes)
  }

  openFileReader(path: string, context: Context): Answer<FileByteReader> {
    return this.at(path, context, (absolute) => openFileReader(absolute, context, this.calls))
  }

  writeFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    return this.at(path, context, (absolute) => writeRegularFile(absolute, content, "replace", context, this.calls))
  }

  appendFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    return this.at(path, context, (absolute) => writeRegularFile(absolute, content, "append", context, this.calls))
  }

  renameFile(sourcePath: string, destinationPath: string, context: Context): Answer<void> {
    return this.at(sourcePath, context, async (source) => {
      const destination = resolveName(this.cwd, destinationPath)
      if (!destination.ok) return destination
      return runToEnd(this.calls, source, context, (done) => this.calls.fs.rename(source, destination.value, done))
    })
  }

  fileInfo(path: string, context: Context): Answer<FileInfo> {
    return this.at(path, context, (absolute) => infoOf(absolute, context, this.calls))
  }

  listDir(path: string, context: Context): Answer<FileInfo[]> {
    return this.at(path, context, (absolute) => infosIn(absolute, context, this.calls))
  }

  canonicalPath(path: string, context: Context): Answer<string> {
    return this.at(path, context, (absolute) =>
      this.calls.turns.run<string>((done) => this.calls.fs.realpath.native(absolute, done), {
        context,
        path: absolute,
      }),
    )
  }

  exists(path: string, context: Context): Answer<boolean> {
    return this.at(path, context, (absolute) => nameExists(absolute, context, this.calls))
  }

  createDir(path: string, options: { recursive?: boolean } | undefined, context: Context): Answer<void> {
    const recursive = options?.recursive !== false
    return this.at(path, context, (absolute) =>
      runToEnd(this.calls, absolute, context, (done) => this.calls.fs.mkdir(absolute, { recursive }, done)),
    )
  }

  remove(path: string, options: RemoveOptions | undefined, context: Context): Answer<void> {
    return this.at(path, context, (absolute) => removeTree(absolute, options ?? {}, context, this.calls))
  }

  createTempDir(prefix: string | undefined, context: Context): Answer<string> {
    return settled(() => makeTemporaryFolder(prefix, context, this.calls))
  }

  createTempFile(options: { prefix?: string; suffix?: string } | undefined, context: Context): Answer<string> {
    return settled(() => makeTemporaryFile(options ?? {}, context, this.calls))
  }

  /** Holds nothing between calls; temporary files are left to whoever asked for them. */
  async cleanup(_context: Context): Promise<void> {}

  private at<T>(path: string, context: Context, act: (absolute: string) => Answer<T>): Answer<T> {
    return settled(async () => {
      const absolute = resolveName(this.cwd, path)
      if (!absolute.ok) return absolute
      if (context.abortSignal?.aborted) return err(abortedError(absolute.value))
      return act(absolute.value)
    })
  }

  private reading<T>(
    path: string,
    context: Context,
    read: (reader: FileByteReader, context: Context) => Answer<T>,
  ): Answer<T> {
    return this.at(path, context, async (absolute) => {
      const opened = await openFileReader(absolute, context, this.calls)
      if (!opened.ok) return opened
      try {
        return await read(opened.value, context)
      } finally {
        await opened.value.close(context)
      }
    })
  }
}

/** The port's promise for arguments that no type allows, and for memory that is not there: a result, not a throw. */
async function settled<T>(act: () => Result<T, FileError> | Answer<T>): Answer<T> {
  try {
    return await act()
  } catch (thrown) {
    const error = toFileError(toError(thrown))
    return err(error.code === "unknown" && thrown instanceof TypeError ? misuse(error) : error)
  }
}

function misuse(error: FileError): FileError {
  return new FileError("invalid", `An argument has the wrong type: ${error.message}`, error.path, error)
}
