import type { Writable } from "node:stream"
import { printableMessage } from "./printable-message.ts"

/** One line of a terminal that is written over and over, and wiped before anything else is printed. */
export interface ProgressLine {
  show(text: string): void
  wipe(): void
}

/** Shows nothing where `stream` is no terminal. */
export function createProgressLine(stream: Writable & { isTTY?: boolean; columns?: number }): ProgressLine {
  let shown = false
  return {
    show(text) {
      if (stream.isTTY !== true) return
      const line = printableMessage(text).replaceAll("\n", " ")
      stream.write(`\r\u001b[K${line.slice(0, Math.max(1, (stream.columns ?? 80) - 1))}`)
      shown = true
    },
    wipe() {
      if (shown) stream.write("\r\u001b[K")
      shown = false
    },
  }
}
