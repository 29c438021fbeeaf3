import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { cp, mkdir, mkdtemp, realpath, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textPdf } from "../support/build-pdf.ts"
import { isRunning, until } from "../support/document-extraction.ts"
import { PROGRAM } from "../support/mcp-server.ts"
import { spinningPdf } from "../support/pdf/bombs.ts"

let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-mcp-process-")))
  await mkdir(join(folder, "root"))
  await mkdir(join(folder, "second"))
  await writeFile(join(folder, "file.txt"), "no folder")
  await writeFile(join(folder, "root", "huge.log"), "a line of the log\n".repeat(1_000))
  await truncate(join(folder, "root", "huge.log"), 400 * 1024 ** 3)
  await writeFile(join(folder, "root", "spinning.pdf"), spinningPdf())
  await writeFile(join(folder, "root", "paper.pdf"), textPdf(["Hello, world"]))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Start {
  program?: string
  cwd?: string
}

function start(
  args: readonly string[],
  { program = PROGRAM, cwd = folder }: Start = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, "mcp", ...args], { cwd, env: { ...process.env, HOME: folder } })
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** How a process ends whose standard input is left open: a server that refuses to start does not wait for it. */
async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let out = ""
  let err = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text
  })
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null]
  return { code, signal, out, err }
}

describe("a server that cannot start says why on standard error, and nothing on standard output", () => {
  const HINT = "\nSee bounded-read mcp --help.\n"
  const usage = [
    { args: [], says: "At least one --root DIR is needed." },
    { args: ["--root", ""], says: "--root must name a folder." },
    { args: ["--root", "root", "more"], says: 'Folders are given by --root: "more".' },
    { args: ["--bogus", "--root", "root"], says: /Unknown option '--bogus'/ },
    { args: ["--root"], says: /'--root <value>' argument missing/ },
  ]

  test.each(usage)("$args ends with 2", async ({ args, says }) => {
    const { code, out, err } = await endOf(start(args))
    expect({ code, out }).toEqual({ code: 2, out: "" })
    if (typeof says === "string") expect(err).toBe(`bounded-read mcp: ${says}${HINT}`)
    else expect(err).toMatch(says)
    expect(err.startsWith("bounded-read mcp: ") && err.endsWith(HINT)).toBe(true)
  })

  test.each([
    { what: "a missing folder", args: () => ["--root", "gone"], says: () => missing("gone") },
    {
      what: "a second one that is missing",
      args: () => ["--root", "root", "--root", "gone"],
      says: () => missing("gone"),
    },
    { what: "a file", args: () => ["--root", "file.txt"], says: () => "Not a folder: file.txt" },
    {
      what: "the home folder",
      args: () => ["--root", folder],
      says: () =>
        `Not a scope for an agent, it is the home folder, or holds it: ${folder}. Name the folder of the project.`,
    },
  ])("$what ends with 1", async ({ args, says }) => {
    expect(await endOf(start(args()))).toEqual({ code: 1, signal: null, out: "", err: `bounded-read mcp: ${says()}\n` })
  })

  const missing = (name: string): string => `No such file or directory: ${join(folder, name)} (ENOENT)`
})

test("help is no error", async () => {
  const { code, out, err } = await endOf(start(["--help"]))
  expect({ code, err }).toEqual({ code: 0, err: "" })
  expect(out).toMatch(/^Usage: bounded-read mcp --root DIR/)
})

/** Answers of a server that is spoken to line by line. */
function conversationWith(child: ChildProcessWithoutNullStreams) {
  const lines = createInterface({ input: child.stdout })
  return {
    async ask(id: number, method: string, params: object): Promise<Record<string, unknown>> {
      const answer = new Promise<Record<string, unknown>>((resolve) => {
        const look = (line: string): void => {
          const message = JSON.parse(line) as { id?: number; result?: Record<string, unknown> }
          if (message.id !== id) return
          lines.off("line", look)
          resolve(message.result ?? {})
        }
        lines.on("line", look)
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
      return answer
    },
    tell(method: string): void {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`)
    },
    /** Settles at the first message of that method. */
    hear(method: string): Promise<void> {
      return new Promise((resolve) => {
        const look = (line: string): void => {
          if ((JSON.parse(line) as { method?: string }).method !== method) return
          lines.off("line", look)
          resolve()
        }
        lines.on("line", look)
      })
    },
  }
}

async function startedServer(
  args: readonly string[] = ["--root", "root"],
  options: Start = {},
): Promise<{
  child: ChildProcessWithoutNullStreams
  ask: (method: string, params: object) => Promise<Record<string, unknown>>
  read: (path: string, offset?: number) => Promise<Record<string, unknown>>
  hear: (method: string) => Promise<void>
}> {
  const child = start(args, options)
  const { ask, tell, hear } = conversationWith(child)
  const clientInfo = { name: "test", version: "1.0.0" }
  await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
  tell("notifications/initialized")
  let id = 1
  const read = (path: string, offset = 1) =>
    ask(++id, "tools/call", { name: "read", arguments: { path, offset }, _meta: { progressToken: id } })
  return { child, ask: (method, params) => ask(++id, method, params), read, hear }
}

describe("what a server tells the model of its folders", () => {
  test.each([
    { args: ["--root", "root"], within: ".", relativeTo: "root", folders: ["root"] },
    { args: ["--root", "root", "--root", "second"], within: ".", relativeTo: "root", folders: ["root", "second"] },
    { args: ["--root", "../root", "--root", "."], within: "second", relativeTo: "second", folders: ["root", "second"] },
  ])("of $args, started in $within", async ({ args, within, relativeTo, folders }) => {
    const { child, ask } = await startedServer(args, { cwd: join(folder, within) })
    const [{ description }] = (await ask("tools/list", {})).tools as [{ description: string }]
    child.stdin.end()
    const absolute = (name: string): string => JSON.stringify(join(folder, name))
    const words = `Only files within these folders can be read: ${folders.map(absolute).join(", ")}.`
    expect(description.endsWith(`\n\n${words} Relative paths are relative to ${absolute(relativeTo)}.`)).toBe(true)
  })
})

test("a server whose install is broken says on standard error why no document is read", async () => {
  const broken = join(folder, "broken", "out", "main")
  await cp(dirname(PROGRAM), broken, { recursive: true })
  await writeFile(join(folder, "broken", "package.json"), '{ "type": "module" }')
  await writeFile(join(broken, "document-process.js"), 'throw new Error("half an install")')
  const { child, read } = await startedServer(["--root", "root"], { program: join(broken, "cli.js") })
  const ended = endOf(child)
  const result = await read("paper.pdf")
  expect(result).toMatchObject({ structuredContent: { document: { read: false, notRead: "unavailable" } } })
  child.stdin.end()
  const { code, err } = await ended
  expect(code).toBe(0)
  expect(err).toMatch(/^bounded-read mcp: The document process did not start \(exit code 1\): .*half an install/s)
})

/** Ids of the processes that `pid` has started and that have not ended. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => isRunning(id) && parentOf(id) === pid)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) . (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1])
  } catch {
    return undefined
  }
}

describe.runIf(process.platform === "linux")("a server that has read a PDF", () => {
  const HOW = [
    { how: "at the end of its input", end: (child: ChildProcessWithoutNullStreams) => child.stdin.end(), code: 0 },
    { how: "by SIGTERM", end: (child: ChildProcessWithoutNullStreams) => child.kill("SIGTERM"), signal: "SIGTERM" },
    { how: "by SIGINT", end: (child: ChildProcessWithoutNullStreams) => child.kill("SIGINT"), signal: "SIGINT" },
    { how: "by SIGKILL", end: (child: ChildProcessWithoutNullStreams) => child.kill("SIGKILL"), signal: "SIGKILL" },
  ]

  test.each(HOW)("ends $how, and no document process is left", async ({ end, code = null, signal = null }) => {
    const { child, read } = await startedServer()
    const pid = child.pid ?? 0
    expect(await read("paper.pdf")).toMatchObject({ structuredContent: { document: { read: true } } })
    // One stands by for the next document.
    await until(() => childrenOf(pid).length > 0)
    const documentProcesses = childrenOf(pid)
    const ended = endOf(child)
    end(child)
    expect(await ended).toMatchObject({ code, signal, err: "" })
    await until(() => !documentProcesses.some(isRunning))
  })
})

// A read that went on would be ended by the program's own SIGTERM, two seconds after its host has returned.
test.skipIf(process.platform === "win32").each([
  { what: "a text", path: "huge.log", offset: 1_000_000_000 },
  { what: "a document", path: "spinning.pdf", offset: 1 },
])("the end of its input aborts the read of $what that is under way", async ({ path, offset }) => {
  const { child, read, hear } = await startedServer()
  const progress = hear("notifications/progress")
  void read(path, offset)
  await progress
  const ended = endOf(child)
  child.stdin.end()
  expect(await ended).toMatchObject({ code: 0, signal: null, err: "" })
})

test.skipIf(process.platform === "win32")("a server whose client goes without a word ends too", async () => {
  const { child, read } = await startedServer()
  const exited = once(child, "exit")
  child.stdout.destroy()
  // What is asked now cannot be answered.
  void read("paper.pdf")
  expect(await exited).toEqual([0, null])
})
