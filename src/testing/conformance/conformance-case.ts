import assert from "node:assert/strict"
import type { Context, FileErrorCode, FileSystem, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, FileError, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

/** What a case runs against. */
export interface Subject {
  fileSystem: FileSystem
  root: string
  /** Writes what the case needs. */
  arrange: FileSystem
  makeSymlink(target: string, path: string): Promise<void>
  makeFifo(path: string): Promise<void>
}

export interface ConformanceCase {
  /** Reads as a sentence about the file system. */
  title: string
  methods: readonly string[]
  needs?: "special files"
  run(subject: Subject): Promise<void>
}

export const context: Context = BACKGROUND_CONTEXT

/** A context that was aborted before the call. */
export function abortedContext(): Context {
  return withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT)
}

export function expectValue<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value
  assert.fail(`Expected a value, but it failed: ${String(result.error)}`)
}

/** A failure with one of the codes, as the port has it. */
export function assertFails(result: Result<unknown, unknown>, ...codes: FileErrorCode[]): void {
  assert.equal(result.ok, false, `Expected ${codes.join(" or ")}, but it succeeded`)
  if (result.ok) return
  const { error } = result
  // By its shape: the class may come from another copy of the port.
  assert.ok(error instanceof Error && "code" in error, `Expected a FileError, but it was ${String(error)}`)
  assert.equal(error.name, new FileError("unknown", "").name)
  assert.ok((codes as unknown[]).includes(error.code), `Expected ${codes.join(" or ")}: ${error.code} ${error.message}`)
}
