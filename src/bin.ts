#!/usr/bin/env node
/**
 * The program `bounded-read`. Hands its arguments to one host, which is loaded only then; the hosts know nothing of
 * each other. A file that is called like a host is read as `./mcp`.
 */
import type { Terminal } from "./cli/terminal.ts"

type Host = (args: readonly string[], terminal: Terminal) => Promise<number>

const HOSTS: Readonly<Record<string, () => Promise<Host>>> = {
  mcp: async () => (await import("./mcp/run-server.ts")).runServer,
  pdf: async () => (await import("./cli/pdf-command.ts")).runPdfCommand,
}

/** What still holds the process after this is a file-system call that the operating system does not answer. */
const EXIT_GRACE_MS = 2_000

const interruption = new AbortController()
let interrupted: NodeJS.Signals | undefined
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted = signal
    interruption.abort()
  })
}
// A closed pipe is told by the write that met it; without a listener it would end the process with a stack.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

const args = process.argv.slice(2)
const loadHost = Object.hasOwn(HOSTS, args[0] ?? "") ? HOSTS[args[0] ?? ""] : undefined
const host = loadHost === undefined ? (await import("./cli/command-line.ts")).runCommandLine : await loadHost()
const code = await host(loadHost === undefined ? args : args.slice(1), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interruption.signal,
})

if (interrupted !== undefined) {
  // The listener is gone, so this ends the process as the signal would have: shells see what happened.
  process.kill(process.pid, interrupted)
} else {
  process.exitCode = code
  // `process.exit` would wait for ever for a thread that such a call holds; a signal does not.
  setTimeout(() => process.kill(process.pid, "SIGTERM"), EXIT_GRACE_MS).unref()
}
