import { TextDecoder } from "node:util"
import type {
  Context,
  ShellOutputLimits,
  ShellOutputMetadata,
  ShellOutputUpdate,
} from "../../../vendor/pi-harness/index.ts"
import { SHELL_UPDATE_INTERVAL_MS } from "../limits.ts"
import type { Clock } from "./clock.ts"
import type { ShellOutputPart } from "./shell-output-window.ts"
import { ShellOutputWindow } from "./shell-output-window.ts"

export interface ShellOutputListener {
  onUpdate?: ((update: ShellOutputUpdate, context: Context) => void) | undefined
  /** `onUpdate` threw. It is not called again. */
  onThrow(thrown: unknown): void
}

/**
 * The bounded output of one command and the updates that tell of it. The first change is told at once, later ones at
 * most every {@link SHELL_UPDATE_INTERVAL_MS}, however much was printed in between.
 */
export class ShellOutputCapture {
  private readonly window: ShellOutputWindow
  private readonly decoders = new Map<unknown, TextDecoder>()
  private spillPath: string | undefined
  private told: ShellOutputPart | undefined
  private isDirty = false
  private isOver = false
  private cancelTimer: (() => void) | undefined

  constructor(
    limits: Required<ShellOutputLimits>,
    private readonly listener: ShellOutputListener,
    private readonly context: Context,
    private readonly clock: Clock,
  ) {
    this.window = new ShellOutputWindow(limits)
  }

  get isCut(): boolean {
    return this.window.isCut
  }

  /** `source` is any value that stands for the stream: a character may be cut between two chunks of one stream. */
  add(source: unknown, chunk: Uint8Array): void {
    const decoder = this.decoders.get(source) ?? new TextDecoder()
    this.decoders.set(source, decoder)
    this.addText(decoder.decode(chunk, { stream: true }))
  }

  setSpillPath(path: string | undefined): void {
    this.spillPath = path
    this.changed()
  }

  /** No more output comes: what is left is told now. */
  end(): void {
    for (const decoder of this.decoders.values()) this.addText(decoder.decode())
    this.decoders.clear()
    this.tell()
    this.stop()
  }

  /** Nothing is told any more. */
  stop(): void {
    this.isOver = true
    this.cancelTimer?.()
  }

  metadata(): ShellOutputMetadata {
    return this.withSpill(this.window.part().metadata)
  }

  private addText(text: string): void {
    if (text === "") return
    this.window.add(text)
    this.changed()
  }

  private changed(): void {
    this.isDirty = true
    if (this.cancelTimer === undefined) this.tell()
  }

  private tell(): void {
    const { onUpdate } = this.listener
    if (this.isOver || !this.isDirty || onUpdate === undefined) return
    this.isDirty = false
    this.cancelTimer?.()
    this.cancelTimer = this.clock.startTimer(() => {
      this.cancelTimer = undefined
      this.tell()
    }, SHELL_UPDATE_INTERVAL_MS)
    const part = this.window.part()
    const update = this.updateTo({ ...part, metadata: this.withSpill(part.metadata) })
    try {
      if (update !== undefined) onUpdate(update, this.context)
    } catch (thrown) {
      this.stop()
      this.listener.onThrow(thrown)
    }
  }

  private updateTo(part: ShellOutputPart): ShellOutputUpdate | undefined {
    const { told } = this
    this.told = part
    const { metadata } = part
    if (told === undefined || part.start < told.start || part.start > told.end || part.end < told.end) {
      return { kind: "replace", output: { ...metadata, text: part.text } }
    }
    const text = this.window.textBetween(told.end, part.end)
    const drop = told.text.length - (part.text.length - text.length)
    if (drop > 0 && drop === told.text.length) return { kind: "replace", output: { ...metadata, text: part.text } }
    if (drop > 0) return { kind: "slide", drop, text, metadata }
    if (text !== "") return { kind: "append", text, metadata }
    return JSON.stringify(told.metadata) === JSON.stringify(metadata) ? undefined : { kind: "metadata", metadata }
  }

  private withSpill(metadata: ShellOutputMetadata): ShellOutputMetadata {
    return this.spillPath === undefined ? metadata : { ...metadata, spillPath: this.spillPath }
  }
}
