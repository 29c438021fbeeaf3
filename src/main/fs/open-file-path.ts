import type { BigIntStats } from "node:fs"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { createContextKey, err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { Descriptor, FileCalls } from "./descriptor.ts"

/** Whether the kernel names what a descriptor has open: Linux alone does so by a link. */
export const PLATFORM_NAMES_OPEN_FILES = process.platform === "linux" || process.platform === "android"

/**
 * Says that whoever opens a file is going to ask for its real path: the kernel is then asked beside `fstat` and not
 * after it, which saves a guard most of what the question costs.
 */
export const ASKS_FOR_REAL_PATH = createContextKey<true>("asks for the real path")

/** What the kernel puts after the name of a file that has lost it. */
const DELETED = " (deleted)"

/**
 * The absolute path at which an open file stands now, or stood when it was `asked` for; of one that was deleted or replaced since, the path that it had.
 * No name is looked up to find it. An error where procfs is not there, or where the file never had a name.
 */
export async function pathOfOpenFile(
  descriptor: Descriptor,
  asked: Promise<Result<string, FileError>> | undefined,
  identity: string,
  calls: FileCalls,
  context: Context,
): Promise<Result<string, FileError>> {
  const link = await (asked ?? descriptor.link(context))
  if (!link.ok) return link
  const { path } = descriptor
  if (!link.value.startsWith("/")) return err(new FileError("not_supported", `Has no path: ${link.value}`, path))
  if (!link.value.endsWith(DELETED)) return link
  // A file may really be called so: then it stands there.
  const named = await calls.turns.run<BigIntStats>((done) => calls.fs.stat(link.value, { bigint: true }, done), {
    context,
    path,
  })
  if (named.ok && identityOf(named.value) === identity) return link
  if (!named.ok && named.error.code === "aborted") return named
  return ok(link.value.slice(0, -DELETED.length))
}

/** The same for every name of one file. */
export function identityOf(stats: Pick<BigIntStats, "dev" | "ino">): string {
  return `${stats.dev}:${stats.ino}`
}
