import type { Context, ExecutionEnv, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError as Failure, ok, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import type { Clock } from "../fs/clock.ts"
import { NEAR_NAMES_DEADLINE_MS } from "../limits.ts"
import { nearNames } from "./near-names.ts"
import { refusedPath, severalFiles, nearNames as withNearNames } from "./notices.ts"
import { literalPath, otherSpellings } from "./path-spellings.ts"
import { hasWindowsPaths, refusedSpelling } from "./windows-paths.ts"

export interface OpenedPath {
  /** Owned by the caller. */
  reader: FileByteReader
  /** What opens the file again: the path as given, or the absolute path that a spelling led to. */
  path: string
}

/**
 * Opens the file that `path` means: exactly that name, else the first other spelling that names one, and only if all
 * that do name the same one. What no spelling finds is an error that tells near names of the same folder.
 */
export async function openPath(
  env: ExecutionEnv,
  path: string,
  context: Context,
  clock: Clock,
): Promise<Result<OpenedPath, FileError>> {
  const refused = refusal(env, path)
  if (refused !== undefined) return err(refused)
  const exact = await open(env, literalPath(path), context)
  if (exact.ok) return ok({ reader: exact.value, path })
  if (!isMissing(exact.error)) return exact
  const { expansions, spellings } = otherSpellings(path)
  for (const group of [expansions, spellings]) {
    const found = await onlyMatch(env, path, group, context)
    if (found !== undefined) return found
  }
  return err(await namingNear(env, exact.error, context, clock))
}

function refusal(env: ExecutionEnv, path: string): FileError | undefined {
  const why = refusedSpelling(path, process.platform === "win32" || hasWindowsPaths(env.cwd))
  return why === undefined ? undefined : new Failure("invalid", refusedPath(path, why), path)
}

async function open(env: ExecutionEnv, path: string, context: Context): Promise<Result<FileByteReader, FileError>> {
  const absolute = await env.absolutePath(path, context)
  return absolute.ok ? env.openFileReader(absolute.value, context) : absolute
}

/** Nothing stands there under this name; it may under another. */
function isMissing(error: FileError): boolean {
  return error.code === "not_found" || error.code === "not_directory"
}

/**
 * The one file that `spellings` name, `undefined` where there is none. Each is opened and closed again before the next:
 * a call that held one file while it waits for another could wait for itself.
 */
async function onlyMatch(
  env: ExecutionEnv,
  path: string,
  spellings: readonly string[],
  context: Context,
): Promise<Result<OpenedPath, FileError> | undefined> {
  const found = new Map<string, string>()
  let failed: FileError | undefined
  for (const spelling of spellings) {
    if (refusal(env, spelling) !== undefined) continue
    const opened = await open(env, spelling, context)
    if (opened.ok) {
      const { identity, path: absolute } = opened.value.info
      await opened.value.close(context)
      if (!found.has(identity)) found.set(identity, absolute)
    } else if (!isMissing(opened.error)) {
      failed ??= opened.error
    }
    if (context.abortSignal?.aborted) return err(new Failure("aborted", `Aborted: ${path}`, path))
  }
  const [match, ...others] = found.values()
  if (match === undefined) return failed === undefined ? undefined : err(failed)
  if (others.length > 0) return err(new Failure("not_found", severalFiles(path, [...found.values()]), path))
  const reader = await env.openFileReader(match, context)
  return reader.ok ? ok({ reader: reader.value, path: match }) : reader
}

/** The error with up to 3 near names, where its folder can be listed in a moment. */
async function namingNear(env: ExecutionEnv, error: FileError, context: Context, clock: Clock): Promise<FileError> {
  const missing = error.path
  if (missing === undefined) return error
  const cut = Math.max(missing.lastIndexOf("/"), hasWindowsPaths(env.cwd) ? missing.lastIndexOf("\\") : -1)
  const folder = missing.slice(0, Math.max(cut, 1))
  const listing = new AbortController()
  const cancel = clock.startTimer(() => listing.abort(), NEAR_NAMES_DEADLINE_MS)
  try {
    const listed = await env.listDir(folder, withAbortSignal(listing.signal, context))
    if (context.abortSignal?.aborted) return new Failure("aborted", `Aborted: ${missing}`, missing)
    if (!listed.ok) return error
    const files = listed.value.filter(({ kind }) => kind !== "directory")
    const names = nearNames(
      missing.slice(cut + 1),
      files.map(({ name }) => name),
    )
    return new Failure(error.code, withNearNames(error.message, names), missing, error)
  } finally {
    cancel()
  }
}
