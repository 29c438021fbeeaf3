import type { Context, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import type { FileCalls } from "./descriptor.ts"
import type { WritableFileSystemModule } from "./writable-file-system-module.ts"

/** What every file-system call of an environment goes through. */
export interface EnvironmentCalls extends FileCalls {
  fs: WritableFileSystemModule
}

/** One call that answers nothing but whether it failed. */
export function runToEnd(
  calls: EnvironmentCalls,
  path: string,
  context: Context,
  begin: (done: (error: NodeJS.ErrnoException | null) => void) => void,
): Promise<Result<void, FileError>> {
  return calls.turns.run<void>((done) => begin((error) => done(error, undefined)), { context, path })
}
