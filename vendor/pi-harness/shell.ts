import type { Context } from "./context.ts"
import type { ExecutionError } from "./errors.ts"
import type { FileSystem } from "./file-system.ts"
import type { Result } from "./result.ts"
import type { TruncationResult } from "./truncate.ts"

/** Which end of an output survives once it is over its limits. */
export type ShellOutputRetention = "head" | "tail"

export interface ShellOutputLimits {
  maxBytes: number
  maxLines: number
  /** Defaults to `"tail"`. */
  retain?: ShellOutputRetention
}

export interface ShellOutputCaptureOptions {
  limits: ShellOutputLimits
  /** Keep the whole output in a file once the limits are crossed. */
  spill?: boolean
}

/** How an output was cut, without a second copy of its text. */
export type ShellOutputTruncation = Omit<TruncationResult, "content">

export interface ShellOutputMetadata {
  truncation: ShellOutputTruncation
  /** The file that holds the whole output, as the command printed it. */
  spillPath?: string
  /** Where only a part of the last line is kept: bytes of the whole line. */
  lastLineBytes?: number
}

/** The bounded output, whole. */
export interface ShellOutputView extends ShellOutputMetadata {
  text: string
}

/** How the bounded output changed. */
export type ShellOutputUpdate =
  | { kind: "replace"; output: ShellOutputView }
  | { kind: "append"; text: string; metadata: ShellOutputMetadata }
  /** `drop` UTF-16 code units are gone from the start, then `text` was added to the end. */
  | { kind: "slide"; drop: number; text: string; metadata: ShellOutputMetadata }
  | { kind: "metadata"; metadata: ShellOutputMetadata }

/** The view after an update: what `onUpdate` was given, folded one after the other, is the final output. */
export function applyShellOutputUpdate(
  current: ShellOutputView | undefined,
  update: ShellOutputUpdate,
): ShellOutputView {
  const text = current?.text ?? ""
  switch (update.kind) {
    case "replace":
      return update.output
    case "append":
      return { ...update.metadata, text: text + update.text }
    case "slide":
      return { ...update.metadata, text: text.slice(update.drop) + update.text }
    case "metadata":
      return { ...update.metadata, text }
  }
}

/** How a command ended. Its output went to `onUpdate`. */
export interface ShellExecResult extends ShellOutputMetadata {
  exitCode: number
}

export interface ShellExecOptions {
  /** Relative to the environment's `cwd`, which is the default. */
  cwd?: string
  env?: Record<string, string>
  /** Defaults to true. */
  inheritEnv?: boolean
  /** Seconds; none by default. */
  timeout?: number
  /** Without it and without `onUpdate` the output is thrown away. */
  capture?: ShellOutputCaptureOptions
  onUpdate?: (update: ShellOutputUpdate, context: Context) => void
}

/** Runs commands. Neither method throws or rejects. */
export interface Shell {
  exec(
    command: string,
    options: ShellExecOptions | undefined,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>>
  cleanup(context: Context): Promise<void>
}

/** What an agent's tools are given: files and a shell. */
export interface ExecutionEnv extends FileSystem, Shell {}
