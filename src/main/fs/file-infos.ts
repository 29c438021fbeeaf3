import type { Stats } from "node:fs"
import { basename, join } from "node:path"
import type { Context, FileInfo, FileKind, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"

/** Of the absolute `path` itself, symlinks not followed. A FIFO, device or socket has no {@link FileKind}: `invalid`. */
export async function infoOf(
  path: string,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<FileInfo, FileError>> {
  const stats = await lstat(path, context, calls)
  if (!stats.ok) return stats
  const kind = kindOf(stats.value)
  if (kind === undefined) return err(new FileError("invalid", `Not a file, directory or symlink: ${path}`, path))
  return ok({ name: basename(path), path, kind, size: stats.value.size, mtimeMs: stats.value.mtimeMs })
}

/**
 * What stands directly in a directory, as the operating system lists it. FIFOs, devices and sockets are left out, and
 * so is what was removed meanwhile.
 */
export async function infosIn(
  path: string,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<FileInfo[], FileError>> {
  const names = await calls.turns.run<string[]>((done) => calls.fs.readdir(path, done), { context, path })
  if (!names.ok) return names
  const infos: FileInfo[] = []
  for (const name of names.value) {
    const info = await infoOf(join(path, name), context, calls)
    if (info.ok) infos.push(info.value)
    else if (info.error.code !== "invalid" && info.error.code !== "not_found") return info
  }
  return ok(infos)
}

/** Whether a name stands there, whatever it is of. */
export async function nameExists(
  path: string,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<boolean, FileError>> {
  const stats = await lstat(path, context, calls)
  if (stats.ok) return ok(true)
  return stats.error.code === "not_found" ? ok(false) : stats
}

export function lstat(path: string, context: Context, calls: EnvironmentCalls): Promise<Result<Stats, FileError>> {
  return calls.turns.run<Stats>((done) => calls.fs.lstat(path, done), { context, path })
}

function kindOf(stats: Stats): FileKind | undefined {
  if (stats.isFile()) return "file"
  if (stats.isDirectory()) return "directory"
  return stats.isSymbolicLink() ? "symlink" : undefined
}
