import type { Result, ShellExecOptions, ShellOutputLimits } from "../../../vendor/pi-harness/index.ts"
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, ExecutionError, err, ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_CAPTURE_BYTES } from "../limits.ts"

/** Node's timers hold no longer time, in seconds. */
const MAX_TIMEOUT_SECONDS = (2 ** 31 - 1) / 1000

export interface CheckedExecOptions {
  timeoutMs: number | undefined
  limits: Required<ShellOutputLimits>
  spill: boolean
}

/** The options of a command, judged before anything is started. More bytes than may be held are cut to those. */
export function checkExecArguments(
  command: string,
  options: ShellExecOptions,
): Result<CheckedExecOptions, ExecutionError> {
  if (typeof command !== "string") return refuse("spawn_error", "The command is not a string")
  if (command.includes("\0")) return refuse("spawn_error", "The command holds a NUL character")
  const { timeout, capture, onUpdate } = options
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
    return refuse("timeout", `A timeout is a number of seconds above 0 and up to ${MAX_TIMEOUT_SECONDS}`)
  }
  if (onUpdate !== undefined && typeof onUpdate !== "function") {
    return refuse("callback_error", "onUpdate is not a function")
  }
  const { maxBytes = DEFAULT_MAX_BYTES, maxLines = DEFAULT_MAX_LINES, retain = "tail" } = capture?.limits ?? {}
  if (!(typeof maxBytes === "number" && Number.isFinite(maxBytes) && maxBytes > 0)) {
    return refuse("unknown", "maxBytes is a finite number above 0")
  }
  if (!(Number.isInteger(maxLines) && maxLines > 0)) return refuse("unknown", "maxLines is an integer above 0")
  if (retain !== "head" && retain !== "tail") return refuse("unknown", 'retain is "head" or "tail"')
  return ok({
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    limits: { maxBytes: Math.min(maxBytes, MAX_CAPTURE_BYTES), maxLines, retain },
    spill: capture?.spill === true,
  })
}

function refuse(code: ExecutionError["code"], message: string): Result<never, ExecutionError> {
  return err(new ExecutionError(code, message))
}
