import packageFacts from "../../package.json" with { type: "json" }
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { type AskedRead, readArguments } from "./arguments.ts"
import { HELP } from "./help.ts"
import { printedJson, printedResult } from "./printed-result.ts"
import { createProgressLine } from "./progress-line.ts"
import { openReadSession, type ReadSession, type ReadSessionOptions } from "./read-session.ts"
import { complain, print, type Terminal } from "./terminal.ts"

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
      await complain(`${read.message}\nSee bounded-read --help.`, terminal)
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
    void complain(message, terminal)
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
    if (!terminal.signal.aborted) await complain(message, terminal)
    return 1
  } finally {
    await session.close()
  }
}
