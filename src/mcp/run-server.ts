import type { Writable } from "node:stream"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { HELP, readArguments } from "./arguments.ts"
import { createReadServer } from "./read-server.ts"
import { openReadSession } from "./read-session.ts"

/** Where the server says what is wrong with its start, and what stops it. */
export interface Terminal {
  stdout: Writable
  stderr: Writable
  signal: AbortSignal
}

/**
 * Serves until standard input ends, standard output closes or `signal` aborts. Answers the exit code: 0 served, 1 a
 * folder that cannot be one, 2 wrong usage.
 */
export async function runServer(args: readonly string[], { stdout, stderr, signal }: Terminal): Promise<number> {
  const read = readArguments(args)
  if (read.kind === "help") return said(stdout, HELP, 0)
  if (read.kind === "wrong") return said(stderr, `bounded-read mcp: ${read.message}\nSee bounded-read mcp --help.\n`, 2)
  const session = await openReadSession(read.roots, (message) => stderr.write(`bounded-read mcp: ${message}\n`))
  if (!session.ok) return said(stderr, `bounded-read mcp: ${session.error.message}\n`, 1)

  const server = createReadServer(session.value)
  try {
    await new Promise<void>((settle, fail) => {
      server.onclose = settle
      const stop = (): void => void server.close().catch(fail)
      process.stdin.once("end", stop)
      stdout.once("error", stop)
      signal.addEventListener("abort", stop, { once: true })
      server.connect(new StdioServerTransport()).catch(fail)
    })
  } finally {
    await session.value.close()
  }
  return 0
}

function said(stream: Writable, text: string, code: number): Promise<number> {
  return new Promise((settle) => {
    stream.write(text, () => settle(code))
  })
}
