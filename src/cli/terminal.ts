import type { Writable } from "node:stream"
import { printableMessage } from "./printable-message.ts"

/** Where the command line prints, and what stops it. */
export interface Terminal {
  stdout: Writable
  stderr: Writable & { isTTY?: boolean; columns?: number }
  signal: AbortSignal
}

/** Prints a result and answers the exit code. It has been handed to the operating system when this settles. */
export async function print(text: string, terminal: Terminal): Promise<number> {
  const error = await write(terminal.stdout, text)
  // Whoever read the pipe has seen enough: `bounded-read big.log | head -1`.
  if (error === undefined || error.code === "EPIPE") return 0
  await complain(error.message, terminal)
  return 1
}

/** Says on standard error what is wrong, each line as the terminal may have it. */
export async function complain(message: string, { stderr }: Terminal): Promise<void> {
  await write(stderr, `bounded-read: ${printableMessage(message)}\n`)
}

/** Settles once all of `text` was taken or refused, with what refused it. */
function write(stream: Writable, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((settle) => {
    stream.write(text, (error) => settle(error ?? undefined))
  })
}
