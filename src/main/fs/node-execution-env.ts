import type {
  Context,
  ExecutionEnv,
  Result,
  ShellExecOptions,
  ShellExecResult,
} from "../../../vendor/pi-harness/index.ts"
import { ExecutionError, err } from "../../../vendor/pi-harness/index.ts"
import { NodeFileSystem } from "./node-file-system.ts"
import { openFiles } from "./open-files.ts"
import { readTurns } from "./read-turns.ts"
import type { WritableFileSystemModule } from "./writable-file-system-module.ts"
import { nodeWritableFileSystemModule } from "./writable-file-system-module.ts"

export interface NodeExecutionEnvOptions {
  /** What relative paths are relative to, and where commands run. */
  cwd: string
  /** The functions that open and change files; Electron hands in `original-fs`. Defaults to `node:fs`. */
  fs?: WritableFileSystemModule
}

/** Files and a shell on this machine. See {@link NodeFileSystem}. */
export class NodeExecutionEnv extends NodeFileSystem implements ExecutionEnv {
  constructor(options: NodeExecutionEnvOptions) {
    super(options.cwd, { fs: options.fs ?? nodeWritableFileSystemModule, turns: readTurns, openFiles })
  }

  async exec(
    _command: string,
    _options: ShellExecOptions | undefined,
    _context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    return err(new ExecutionError("shell_unavailable", "This environment runs no commands yet"))
  }
}
