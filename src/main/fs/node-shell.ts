import type { ChildProcess } from "node:child_process"
import { resolve } from "node:path"
import type { Context, Result, ShellExecOptions, ShellExecResult } from "../../../vendor/pi-harness/index.ts"
import { ExecutionError, err, ok, toError } from "../../../vendor/pi-harness/index.ts"
import type { Clock } from "./clock.ts"
import { systemClock } from "./clock.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { checkExecArguments } from "./shell-arguments.ts"
import { ShellCommand } from "./shell-command.ts"
import { findShell } from "./shell-path.ts"
import { killGroup, startShell } from "./shell-process.ts"

export interface NodeShellOptions {
  /** Absolute; by default bash is looked for. */
  shellPath?: string | undefined
  /** Variables that every command gets beside those of this process. */
  shellEnv?: NodeJS.ProcessEnv | undefined
  clock?: Clock
}

/**
 * Runs commands, each in a process group of its own that is killed with SIGKILL on abort, on timeout and when `onUpdate`
 * throws. Output is held up to its limits, whatever is printed. What a command left running in the background goes on
 * after it, but is no longer listened to. Never throws or rejects.
 */
export class NodeShell {
  private readonly running = new Set<ChildProcess>()

  constructor(
    private readonly calls: EnvironmentCalls,
    private readonly options: NodeShellOptions,
  ) {}

  async exec(
    command: string,
    cwd: string,
    options: ShellExecOptions,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    try {
      return await this.start(command, cwd, options, context)
    } catch (thrown) {
      const cause = toError(thrown)
      return err(new ExecutionError("unknown", cause.message, cause))
    }
  }

  /** Kills what is running: those commands end as killed ones do. */
  cleanup(): void {
    for (const child of this.running) killGroup(child)
  }

  private async start(
    command: string,
    envCwd: string,
    options: ShellExecOptions,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    const checked = checkExecArguments(command, options)
    if (!checked.ok) return checked
    if (context.abortSignal?.aborted) return err(new ExecutionError("aborted", "Aborted"))
    const cwd = resolve(envCwd, options.cwd ?? ".")
    const folder = await this.checkFolder(cwd, context)
    if (!folder.ok) return folder
    const shell = await findShell(this.options.shellPath, context, this.calls)
    if (context.abortSignal?.aborted) return err(new ExecutionError("aborted", "Aborted"))
    if (!shell.ok) return shell
    const inherited = options.inheritEnv === false ? {} : { ...process.env, ...this.options.shellEnv }
    const started = startShell(shell.value, command, cwd, { ...inherited, ...options.env })
    if (!started.ok) return started
    const { child } = started.value
    this.running.add(child)
    child.once("exit", () => this.running.delete(child))
    child.once("error", () => this.running.delete(child))
    const clock = this.options.clock ?? systemClock
    return new ShellCommand(started.value, checked.value, options.onUpdate, context, this.calls, clock).result
  }

  /** A spawn in a folder that is missing fails as if the shell were. */
  private async checkFolder(cwd: string, context: Context): Promise<Result<void, ExecutionError>> {
    const stats = await this.calls.turns.run<{ isDirectory(): boolean }>(
      (done) => this.calls.fs.stat(cwd, { bigint: true }, done),
      { context, path: cwd },
    )
    if (!stats.ok && stats.error.code === "aborted") return err(new ExecutionError("aborted", "Aborted"))
    if (!stats.ok) return err(new ExecutionError("spawn_error", `No command can run there. ${stats.error.message}`))
    if (stats.value.isDirectory()) return ok(undefined)
    return err(new ExecutionError("spawn_error", `No command can run there. Not a directory: ${cwd}`))
  }
}
