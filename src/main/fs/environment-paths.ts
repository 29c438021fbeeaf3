import { join, resolve } from "node:path"
import type { Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"

/**
 * The absolute, tidied spelling of `path`, which may be relative to `cwd`. Nothing is expanded: `~` and `file://` are
 * spellings that a tool may try, and a name that holds them stays reachable. A NUL, or what is no string, is `invalid`.
 */
export function resolvePath(cwd: string, path: string): Result<string, FileError> {
  if (typeof path !== "string") return err(new FileError("invalid", "The path is not a string"))
  if (path.includes("\0")) return err(new FileError("invalid", "The path holds a NUL character", path))
  return ok(resolve(cwd, path))
}

/** As {@link resolvePath}, for what is then opened or changed: the empty path is nobody's name and `invalid`. */
export function resolveName(cwd: string, path: string): Result<string, FileError> {
  if (path === "") return err(new FileError("invalid", "The path is empty"))
  return resolvePath(cwd, path)
}

export function joinParts(parts: readonly string[]): Result<string, FileError> {
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) {
    return err(new FileError("invalid", "The parts of a path are strings"))
  }
  return ok(join(...parts))
}
