import type { Context, ExecutionEnv, FileByteReader, FileReaderInfo, Result } from "../../vendor/pi-harness/index.ts"
import { err, FileError, ok, withContextValue } from "../../vendor/pi-harness/index.ts"
import { ASKS_FOR_REAL_PATH } from "../main/fs/open-file-path.ts"

/** Opens a file that is going to be judged by {@link whereOpened}. */
export function openToJudge(
  inner: ExecutionEnv,
  path: string,
  context: Context,
): ReturnType<ExecutionEnv["openFileReader"]> {
  const asks = context.value(ASKS_FOR_REAL_PATH) === true
  return inner.openFileReader(path, asks ? context : withContextValue(ASKS_FOR_REAL_PATH, true, context))
}

/**
 * The real path of the file that `reader` has open. Exact where the reader can tell by its descriptor. Elsewhere best
 * effort: `path` is resolved again, and what stands there is opened once more and has to be the same file, with no link
 * on the way. A file for which neither works out is `permission_denied`: what was opened cannot be judged.
 */
export async function whereOpened(
  reader: FileByteReader,
  path: string,
  inner: ExecutionEnv,
  context: Context,
): Promise<Result<string, FileError>> {
  const named = await reader.realPath?.(context)
  if (named?.ok || named?.error.code === "aborted") return named
  const canonical = await inner.canonicalPath(path, context)
  if (!canonical.ok) return cannotJudge(path, canonical.error)
  const again = await inner.openFileReader(canonical.value, context)
  if (!again.ok) return cannotJudge(path, again.error)
  const { identity } = again.value.info
  await again.value.close(context)
  const unmoved = await inner.canonicalPath(canonical.value, context)
  if (!unmoved.ok) return cannotJudge(path, unmoved.error)
  if (identity !== reader.info.identity || unmoved.value !== canonical.value) return cannotJudge(path)
  return canonical
}

/** Refused, because what was opened cannot be told; an abort stays one. */
export function cannotJudge(path: string, cause?: FileError): Result<never, FileError> {
  if (cause?.code === "aborted") return err(cause)
  return err(new FileError("permission_denied", `Changed while it was opened, so refused: ${path}`, path, cause))
}

/** A reader that was judged. `realPath`, where it is exact, is the path that it was judged by. */
export class JudgedReader implements FileByteReader {
  readonly info: FileReaderInfo
  readonly refresh?: (context: Context) => Promise<Result<FileReaderInfo, FileError>>
  readonly realPath?: (context: Context) => Promise<Result<string, FileError>>

  constructor(
    protected readonly inner: FileByteReader,
    judgedPath: string,
  ) {
    this.info = inner.info
    if (inner.refresh !== undefined)
      this.refresh = (context) => inner.refresh?.(context) ?? Promise.resolve(ok(this.info))
    if (inner.realPath !== undefined) this.realPath = async () => ok(judgedPath)
  }

  read(position: number, length: number, context: Context, into?: Uint8Array): Promise<Result<Uint8Array, FileError>> {
    return this.inner.read(position, length, context, into)
  }

  close(context: Context): Promise<void> {
    return this.inner.close(context)
  }
}
