import { dirname, join } from "node:path"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { runToEnd } from "./environment-calls.ts"
import { lstat } from "./file-infos.ts"

export interface RemoveOptions {
  recursive?: boolean
  force?: boolean
}

/**
 * Removes the absolute `path`; a symlink itself, never what it leads to. A directory needs `recursive`, even an empty
 * one; with `force` nothing needs to stand there. One call at a time, as everywhere: Node's own `rm` makes as many at
 * once as there are children. After an abort or a failure a part may be gone.
 */
export async function removeTree(
  path: string,
  options: RemoveOptions,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<void, FileError>> {
  if (dirname(path) === path) return err(new FileError("invalid", `The root is not removed: ${path}`, path))
  const stats = await lstat(path, context, calls)
  if (!stats.ok) return options.force === true && stats.error.code === "not_found" ? ok(undefined) : stats
  if (!stats.value.isDirectory()) return runToEnd(calls, path, context, (done) => calls.fs.unlink(path, done))
  if (options.recursive !== true) return err(new FileError("is_directory", `Is a directory: ${path}`, path))
  return removeDirectory(path, context, calls)
}

/** Depth first, by a list of its own: a tree may be deeper than the stack. */
async function removeDirectory(
  root: string,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<void, FileError>> {
  const toVisit = [root]
  const toRemove: string[] = []
  for (let path = toVisit.pop(); path !== undefined; path = toVisit.pop()) {
    const directory = path
    toRemove.push(directory)
    const names = await calls.turns.run<string[]>((done) => calls.fs.readdir(directory, done), { context, path })
    if (!names.ok) {
      if (names.error.code === "not_found") continue
      return names
    }
    for (const name of names.value) {
      const child = join(directory, name)
      const stats = await lstat(child, context, calls)
      if (stats.ok && stats.value.isDirectory()) toVisit.push(child)
      else if (stats.ok) {
        const removed = await runToEnd(calls, child, context, (done) => calls.fs.unlink(child, done))
        if (!removed.ok && removed.error.code !== "not_found") return removed
      } else if (stats.error.code !== "not_found") return stats
    }
  }
  for (const directory of toRemove.reverse()) {
    const removed = await runToEnd(calls, directory, context, (done) => calls.fs.rmdir(directory, done))
    if (!removed.ok && removed.error.code !== "not_found") return removed
  }
  return ok(undefined)
}
