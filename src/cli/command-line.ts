import type { Writable } from "node:stream"
import packageFacts from "../../package.json" with { type: "json" }
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { type AskedRead, readArguments } from "./arguments.ts"
import { HELP } from "./help.ts"
import { printableMessage } from "./printable-message.ts"
import { printedJson, printedResult } from "./printed-result.ts"
import { createProgressLine } from "./progress-line.ts"
import { openReadSession, type ReadSession, type ReadSessionOptions } from "./read-session.ts"

/** Where the command line prints, and what stops it. */
export interface Terminal {
  stdout: Writable
  stderr: Writable & { isTTY?: boolean; columns?: number }
  signal: AbortSignal
}

/**
 * Runs one command line and answers its exit code: 0 a result, 1 an error, 2 wrong usage. Never rejects. What was
 * printed has been handed to the operating system when it settles.
 */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  openSession: (options: ReadSessionOptions) => ReadSession = openReadSession,
): Promise<number> {
  const read = readArguments(args)
  switch (read.kind) {
    case "help":
      return print(HELP, terminal)
    case "version":
      return print(`${packageFacts.version}\n`, terminal)
    case "wrong":
      await write(terminal.stderr, `bounded-read: ${printableMessage(read.message)}\nSee bounded-read --help.\n`)
      return 2
    case "read":
      return readAndPrint(read, openSession, terminal)
  }
}

async function readAndPrint(
  { asked, json, shell }: { asked: AskedRead; json: boolean; shell: boolean },
  openSession: (options: ReadSessionOptions) => ReadSession,
  terminal: Terminal,
): Promise<number> {
  const progress = createProgressLine(terminal.stderr)
  const warn = (message: string): void => {
    progress.wipe()
    void write(terminal.stderr, `bounded-read: ${printableMessage(message)}\n`)
  }
  const session = openSession({ shell, warn })
  try {
    const context = withAbortSignal(terminal.signal, BACKGROUND_CONTEXT)
    const result = await session.read(asked, (text) => progress.show(text), context)
    progress.wipe()
    return await print(json ? printedJson(result) : printedResult(result), terminal)
  } catch (error) {
    progress.wipe()
    const message = error instanceof Error ? error.message : String(error)
    if (!terminal.signal.aborted) await write(terminal.stderr, `bounded-read: ${printableMessage(message)}\n`)
    return 1
  } finally {
    await session.close()
  }
}

async function print(text: string, { stdout, stderr }: Terminal): Promise<number> {
  const error = await write(stdout, text)
  // Whoever read the pipe has seen enough: `bounded-read big.log | head -1`.
  if (error === undefined || error.code === "EPIPE") return 0
  await write(stderr, `bounded-read: ${printableMessage(error.message)}\n`)
  return 1
}

/** Settles once all of `text` was taken or refused, with what refused it. */
function write(stream: Writable, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((settle) => {
    stream.write(text, (error) => settle(error ?? undefined))
  })
}
