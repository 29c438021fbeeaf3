import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import type { Result } from "../../../vendor/pi-harness/index.ts"
import { ExecutionError, err, ok, toError } from "../../../vendor/pi-harness/index.ts"

/** A command under way, in a process group of its own. */
export interface ShellProcess {
  readonly child: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
}

/** Starts `command` with nothing to read. Whether the shell could be started at all is told by the child's events. */
export function startShell(
  shell: string,
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Result<ShellProcess, ExecutionError> {
  try {
    const child = spawn(shell, ["-c", command], {
      cwd,
      env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    return ok({ child, stdout: child.stdout, stderr: child.stderr })
  } catch (thrown) {
    return err(spawnError(toError(thrown)))
  }
}

export function spawnError(cause: Error): ExecutionError {
  return new ExecutionError("spawn_error", `The command could not be started: ${cause.message}`, cause)
}

/**
 * Kills the shell and all that it started, at once and without asking: a command that ignores SIGTERM must not outlive
 * its deadline. Processes that made a session of their own escape. Does nothing once the shell has exited: its number
 * may then mean another process.
 */
export function killGroup(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    // Windows knows no groups; taskkill walks the tree. Not tried on Windows.
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" })
    else process.kill(-pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

/** As a shell tells it: 128 and the signal's number for what was killed. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return 128 + (signal === null ? 0 : constants.signals[signal])
}
