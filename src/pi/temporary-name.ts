import { randomUUID } from "node:crypto"
import { err, FileError, ok, type Result } from "../../vendor/pi-harness/index.ts"

/** A name that cannot be guessed. */
export function temporaryName(prefix: string, suffix: string): Result<string, FileError> {
  const name = `${prefix}${randomUUID()}${suffix}`
  if (!/[/\\\0]/.test(name)) return ok(name)
  return err(new FileError("invalid", "The prefix and the suffix of a temporary name are parts of a name"))
}
