import type { BigIntStats } from "node:fs"
import type { Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"

/** The stats of a regular file; of anything else an error that names what it is. */
export function checkKind(stats: BigIntStats, path: string): Result<BigIntStats, FileError> {
  if (stats.isFile()) return ok(stats)
  if (stats.isDirectory()) return err(new FileError("is_directory", `Is a directory: ${path}`, path))
  return err(new FileError("invalid", `Not a regular file: ${path} (${kindOf(stats)})`, path))
}

function kindOf(stats: BigIntStats): string {
  if (stats.isFIFO()) return "FIFO"
  if (stats.isCharacterDevice()) return "character device"
  if (stats.isBlockDevice()) return "block device"
  if (stats.isSocket()) return "socket"
  return "of unknown kind"
}
