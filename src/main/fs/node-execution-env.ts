import type {
  Context,
  ExecutionEnv,
  ExecutionError,
  Result,
  ShellExecOptions,
  ShellExecResult,
} from "../../../vendor/pi-harness/index.ts"
import { NodeFileSystem } from "./node-file-system.ts"
import { NodeShell } from "./node-shell.ts"
import { openFiles } from "./open-files.ts"
import { readTurns } from "./read-turns.ts"
import type { WritableFileSystemModule } from "./writable-file-system-module.ts"
import { nodeWritableFileSystemModule } from "./writable-file-system-module.ts"

export interface NodeExecutionEnvOptions {
  /** What relative paths are relative to, and where commands run. */
  cwd: string
  /** The shell of {@link NodeExecutionEnv.exec}, absolute. By default bash is looked for, then sh. */
  shellPath?: string
  /** Variables that every command gets beside those of this process. */
  shellEnv?: NodeJS.ProcessEnv
  /** The functions that open and change files; Electron hands in `original-fs`. Defaults to `node:fs`. */
  fs?: WritableFileSystemModule
}

/** Files and a shell on this machine: see {@link NodeFileSystem} and {@link NodeShell} for what they promise. */
export class NodeExecutionEnv extends NodeFileSystem implements ExecutionEnv {
  private readonly shell: NodeShell

  constructor(options: NodeExecutionEnvOptions) {
    const calls = { fs: options.fs ?? nodeWritableFileSystemModule, turns: readTurns, openFiles }
    super(options.cwd, calls)
    this.shell = new NodeShell(calls, { shellPath: options.shellPath, shellEnv: options.shellEnv })
  }

  exec(
    command: string,
    options: ShellExecOptions | undefined,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    return this.shell.exec(command, this.cwd, options ?? {}, context)
  }

  /** Kills the commands that run. Temporary files are left to whoever asked for them. */
  override async cleanup(_context: Context): Promise<void> {
    this.shell.cleanup()
  }
}
