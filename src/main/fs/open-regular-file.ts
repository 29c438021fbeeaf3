import type { BigIntStats } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { FileCalls } from "./descriptor.ts"
import { Descriptor } from "./descriptor.ts"
import { errnoOf } from "./file-error.ts"
import { checkKind } from "./file-kind.ts"
import { ASKS_FOR_REAL_PATH, PLATFORM_NAMES_OPEN_FILES } from "./open-file-path.ts"

export interface OpenRegularFile {
  /** Owned by the caller. */
  descriptor: Descriptor
  /** Of the descriptor, not of the name. */
  stats: BigIntStats
  /** Asked for at once where {@link ASKS_FOR_REAL_PATH} says so. Never rejects. */
  link: Promise<Result<string, FileError>> | undefined
}

/**
 * Opens what `path` names, and keeps it only if `fstat` says that it is a regular file. Nothing asks for the type
 * before: the name could be swapped in between. Symlinks are followed; a FIFO without a writer does not block the open,
 * and a terminal does not become this process's own. `flags` say what it is opened for, by default for reading.
 */
export async function openRegularFile(
  path: string,
  context: Context,
  calls: FileCalls,
  flags = calls.fs.constants.O_RDONLY,
): Promise<Result<OpenRegularFile, FileError>> {
  if (path === "") return err(new FileError("invalid", "The path is empty"))
  // An absolute path is opened as it is: to tidy `link/..` away would name another file.
  const absolute = isAbsolute(path) ? path : resolve(path)
  const opened = await openDescriptor(absolute, flags, context, calls)
  if (!opened.ok) return err(await explain(opened.error, absolute, context, calls))
  const descriptor = opened.value
  const asksForLink = PLATFORM_NAMES_OPEN_FILES && context.value(ASKS_FOR_REAL_PATH) === true
  const link = asksForLink ? descriptor.link(context) : undefined
  const stats = await descriptor.fstat(context)
  const checked = stats.ok ? checkKind(stats.value, absolute) : stats
  if (checked.ok) return ok({ descriptor, stats: checked.value, link })
  await descriptor.close(context)
  return checked
}

async function openDescriptor(
  path: string,
  flags: number,
  context: Context,
  calls: FileCalls,
): Promise<Result<Descriptor, FileError>> {
  const { fs, turns, openFiles } = calls
  if (!openFiles.tryEnter()) {
    const entered = await openFiles.enter(path, context)
    if (!entered.ok) return entered
  }
  const { O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants
  let begun = false
  const opened = await turns.run<number>(
    (done) => {
      fs.open(path, flags | O_NONBLOCK | O_NOCTTY, undefined, (error, fd) => {
        if (error) openFiles.leave()
        done(error, fd)
      })
      begun = true
    },
    { context, path, whenLate: (fd) => void new Descriptor(fd, path, calls).close(BACKGROUND_CONTEXT) },
  )
  if (opened.ok) return ok(new Descriptor(opened.value, path, calls))
  // One that was begun gives its place back when it comes back, however late.
  if (!begun) openFiles.leave()
  return opened
}

/** Failures of an open that say all there is to say; behind the others may stand a socket or a device. */
const PLAIN_FAILURES: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EMFILE", "ENFILE"])

/** A socket cannot be opened at all: the name is looked at after the open failed, only to choose the words. */
async function explain(error: FileError, path: string, context: Context, calls: FileCalls): Promise<FileError> {
  const errno = error.cause instanceof Error ? errnoOf(error.cause) : undefined
  if (errno === undefined || PLAIN_FAILURES.has(errno) || errno.startsWith("ERR_")) return error
  const stats = await calls.turns.run<BigIntStats>((done) => calls.fs.stat(path, { bigint: true }, done), {
    context,
    path,
  })
  const checked = stats.ok ? checkKind(stats.value, path) : stats
  return stats.ok && !checked.ok ? checked.error : error
}
