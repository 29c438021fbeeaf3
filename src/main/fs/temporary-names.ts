import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { basename, join, sep } from "node:path"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { runToEnd } from "./environment-calls.ts"
import { removeTree } from "./remove-tree.ts"
import { writeRegularFile } from "./write-regular-file.ts"

const DEFAULT_PREFIX = "tmp-"

/**
 * A new folder in the system's temporary folder, which only this user may look into. It is left to the caller. An
 * abort leaves none.
 */
export async function makeTemporaryFolder(
  prefix: string | undefined,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<string, FileError>> {
  const name = prefix ?? DEFAULT_PREFIX
  const misuse = misuseOf("prefix", name)
  if (misuse !== undefined) return err(misuse)
  const start = `${tmpdir()}${sep}${name}`
  const remove = (path: string) => void runToEnd(calls, path, BACKGROUND_CONTEXT, (done) => calls.fs.rmdir(path, done))
  return calls.turns.run<string>((done) => calls.fs.mkdtemp(start, done), { context, path: start, whenLate: remove })
}

/** A new empty file, in a new temporary folder of its own. Both are left to the caller; a failure leaves neither. */
export async function makeTemporaryFile(
  options: { prefix?: string; suffix?: string },
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<string, FileError>> {
  const { prefix = "", suffix = "" } = options
  const misuse = misuseOf("prefix", prefix) ?? misuseOf("suffix", suffix)
  if (misuse !== undefined) return err(misuse)
  const folder = await makeTemporaryFolder(undefined, context, calls)
  if (!folder.ok) return folder
  const path = join(folder.value, `${prefix}${randomUUID()}${suffix}`)
  const written = await writeRegularFile(path, "", "new", context, calls)
  if (written.ok) return ok(path)
  const removed = removeTree(folder.value, { recursive: true }, BACKGROUND_CONTEXT, calls)
  if (!context.abortSignal?.aborted) await removed
  return written
}

/** A part of a name that held a separator would put the file elsewhere. */
function misuseOf(part: string, value: unknown): FileError | undefined {
  const isNamePart = typeof value === "string" && !value.includes("\0") && basename(`x${value}x`) === `x${value}x`
  return isNamePart ? undefined : new FileError("invalid", `The ${part} of a temporary name is a part of a name`)
}
