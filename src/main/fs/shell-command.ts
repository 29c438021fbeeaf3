import type { Readable } from "node:stream"
import type { Context, Result, ShellExecOptions, ShellExecResult } from "../../../vendor/pi-harness/index.ts"
import { ExecutionError, err, ok, toError } from "../../../vendor/pi-harness/index.ts"
import { SHELL_DRAIN_MS, SHELL_KILL_WAIT_MS, SHELL_QUIET_MS } from "../limits.ts"
import type { Clock } from "./clock.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import type { CheckedExecOptions } from "./shell-arguments.ts"
import { ShellOutputCapture } from "./shell-output-capture.ts"
import type { ShellProcess } from "./shell-process.ts"
import { exitCodeOf, killGroup, spawnError } from "./shell-process.ts"
import { ShellSpill } from "./shell-spill.ts"

/** What is held before the spill file is begun: the limit, and what decoding takes away at the start of two streams. */
const SPILL_MARGIN_BYTES = 64

/**
 * One command from its start to its result. It ends when its pipes are closed, or when the shell has exited and nothing
 * came for {@link SHELL_QUIET_MS}, {@link SHELL_DRAIN_MS} at most: a background process may hold them for ever. Killed,
 * it is waited for {@link SHELL_KILL_WAIT_MS}.
 */
export class ShellCommand {
  readonly result: Promise<Result<ShellExecResult, ExecutionError>>
  private settle: (result: Result<ShellExecResult, ExecutionError>) => void = () => {}
  private readonly capture: ShellOutputCapture
  private readonly spill: ShellSpill | undefined
  private readonly timers = new Set<() => void>()
  private cancelQuiet: (() => void) | undefined
  private exitCode: number | undefined
  /** Why it was killed. */
  private failure: ExecutionError | undefined
  /** Nothing more is read. */
  private isFinishing = false
  private isOver = false

  constructor(
    private readonly process: ShellProcess,
    options: CheckedExecOptions,
    onUpdate: ShellExecOptions["onUpdate"],
    private readonly context: Context,
    calls: EnvironmentCalls,
    private readonly clock: Clock,
  ) {
    this.result = new Promise((resolve) => {
      this.settle = resolve
    })
    const onThrow = (thrown: unknown) => {
      const cause = toError(thrown)
      this.kill(new ExecutionError("callback_error", `onUpdate failed: ${cause.message}`, cause))
    }
    this.capture = new ShellOutputCapture(options.limits, { onUpdate, onThrow }, context, clock)
    const { stdout, stderr, child } = process
    if (options.spill) {
      const heldBytes = Math.ceil(options.limits.maxBytes) + SPILL_MARGIN_BYTES
      this.spill = new ShellSpill(heldBytes, [stdout, stderr], calls, (path) => this.capture.setSpillPath(path))
    }
    for (const stream of [stdout, stderr]) {
      stream.on("data", (chunk: Uint8Array) => this.take(stream, chunk))
      stream.on("error", () => {})
    }
    child.on("error", (error) => this.end(err(spawnError(error))))
    child.once("exit", (code, signal) => this.exited(exitCodeOf(code, signal)))
    child.once("close", () => void this.finish())
    const { timeoutMs } = options
    if (timeoutMs !== undefined) {
      const message = `The command was killed after ${timeoutMs / 1000} s`
      this.after(timeoutMs, () => this.kill(new ExecutionError("timeout", message)))
    }
    context.abortSignal?.addEventListener("abort", this.onAbort, { once: true })
  }

  private readonly onAbort = () => this.kill(new ExecutionError("aborted", "Aborted"))

  private take(stream: Readable, chunk: Uint8Array): void {
    if (this.isFinishing) return
    this.capture.add(stream, chunk)
    if (this.capture.isCut) this.spill?.begin()
    this.spill?.add(chunk)
    if (this.exitCode !== undefined) this.waitForQuiet()
  }

  private exited(exitCode: number): void {
    this.exitCode = exitCode
    // A killed command has a timer already; what it printed before is still coming in.
    if (this.failure !== undefined) return
    this.cancelTimers()
    this.after(SHELL_DRAIN_MS, () => this.finishOnceRead())
    this.waitForQuiet()
  }

  /** Where the main thread was blocked, what came in meanwhile is delivered between the first timer and the second. */
  private waitForQuiet(): void {
    this.cancelQuiet?.()
    this.cancelQuiet = this.clock.startTimer(() => {
      this.cancelQuiet = this.clock.startTimer(() => this.finishOnceRead(), 1)
    }, SHELL_QUIET_MS)
  }

  /** Streams that stand still for the spill file still hold output. */
  private finishOnceRead(): void {
    const { stdout, stderr } = this.process
    if (stdout.isPaused() || stderr.isPaused()) this.waitForQuiet()
    else void this.finish()
  }

  private kill(failure: ExecutionError): void {
    if (this.isOver || this.failure !== undefined) return
    this.failure = failure
    if (this.isFinishing) {
      this.complete()
      return
    }
    killGroup(this.process.child)
    this.cancelTimers()
    this.after(SHELL_KILL_WAIT_MS, () => void this.finish())
  }

  private async finish(): Promise<void> {
    if (this.isFinishing) return
    this.isFinishing = true
    this.cancelTimers()
    this.process.stdout.destroy()
    this.process.stderr.destroy()
    if (this.failure === undefined) await this.spill?.end()
    this.complete()
  }

  private complete(): void {
    this.capture.end()
    const { failure, exitCode = 0 } = this
    this.end(failure === undefined ? ok({ exitCode, ...this.capture.metadata() }) : err(failure))
  }

  private end(result: Result<ShellExecResult, ExecutionError>): void {
    if (this.isOver) return
    this.isOver = true
    this.isFinishing = true
    this.cancelTimers()
    this.capture.stop()
    this.context.abortSignal?.removeEventListener("abort", this.onAbort)
    this.settle(result)
  }

  private cancelTimers(): void {
    this.cancelQuiet?.()
    for (const cancel of this.timers) cancel()
    this.timers.clear()
  }

  private after(ms: number, run: () => void): void {
    this.timers.add(this.clock.startTimer(run, ms))
  }
}
