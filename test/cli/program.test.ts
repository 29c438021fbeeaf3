import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textPdf } from "../support/build-pdf.ts"
import { buildPng } from "../support/build-png.ts"
import { spinningPdf } from "../support/pdf/bombs.ts"

const root = join(import.meta.dirname, "../..")
const program = join(root, "out/main/cli.js")
const execute = promisify(execFile)

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-cli-")))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function start(args: string[], nodeArgs: string[] = [], entry = program): ChildProcess {
  return spawn(process.execPath, [...nodeArgs, entry, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
}

async function run(...args: string[]): Promise<Ended> {
  return ended(start(args))
}

async function ended(child: ChildProcess): Promise<Ended> {
  const exit = once(child, "close")
  const [out, err] = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? textOf(stream) : "")))
  const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null]
  return { code, signal, out: out ?? "", err: err ?? "" }
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content)
  return name
}

describe("bounded-read, as a process", () => {
  test("prints a file exactly as the model sees it", async () => {
    const content = "eins\tzwei\r\nd\u00e9j\u00e0 \u{1f600}\u2028vu\nno line end"
    expect(await run(await file("plain.txt", content))).toEqual({ code: 0, signal: null, out: content, err: "" })
  })

  test("passes its options on", async () => {
    await file("ten.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10")
    const { out, code } = await run("--offset", "3", "--limit", "2", "ten.txt")
    expect({ out, code }).toEqual({ out: "3\n4\n\n[6 more lines in file. Use offset=5 to continue.]", code: 0 })
  })

  test("shows a region of an image", async () => {
    await file("chart.png", buildPng({ width: 16, height: 8, sample: (x, y) => 10 * x + y }))
    const { out, code } = await run("--region", "8,4,5x3", "--json", "chart.png")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: "text" }, { type: "image", mimeType: "image/png" }],
      receipt: { image: { width: 5, height: 3, originalWidth: 16, originalHeight: 8 } },
    })
  })

  test("names no command with --no-shell", async () => {
    await file("line.txt", "x".repeat(60_000))
    expect((await run("line.txt")).out).toMatch(/Use bash: /)
    const { out } = await run("--no-shell", "line.txt")
    expect(out).toContain("column=1")
    expect(out).not.toContain("bash")
  })

  test("prints the whole result with --json", async () => {
    await file("json.txt", "a\nb\nc\n")
    const { out, code } = await run("--json", "--limit", "1", "json.txt")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: "text", text: "a\n\n[3 more lines in file. Use offset=2 to continue.]" }],
      receipt: { kind: "text", path: join(folder, "json.txt"), bytes: 6, lines: "1-1", totalLines: 4, nextOffset: 2 },
    })
  })

  test("reads a file that is called like a host", async () => {
    await file("mcp", "not a server")
    expect(await run("./mcp")).toMatchObject({ code: 0, out: "not a server" })
    expect(await run("--", "mcp")).toMatchObject({ code: 0, out: "not a server" })
  })

  test("ends with 1 and a message, without a stack", async () => {
    const { code, out, err } = await run("missing.txt")
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toMatch(/^bounded-read: .*missing\.txt/)
    expect(err).not.toMatch(/^\s+at /m)
  })

  test("ends with 2 on wrong usage", async () => {
    expect(await run("--bogus", "a")).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--bogus") })
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining("--help") })
  })

  test("prints help and version", async () => {
    const help = await run("--help")
    expect(help).toMatchObject({ code: 0, err: "" })
    expect(help.out).toMatch(/Examples:\n {2}bounded-read README\.md/)
    const facts = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }
    expect(await run("--version")).toMatchObject({ code: 0, out: `${facts.version}\n` })
  })

  test("says on standard error why no document was read, where the install is broken", async () => {
    const broken = join(folder, "broken", "out", "main")
    await cp(dirname(program), broken, { recursive: true })
    await writeFile(join(folder, "broken", "package.json"), '{ "type": "module" }')
    await writeFile(join(broken, "document-process.js"), 'throw new Error("half an install")')
    await file("paper.pdf", textPdf(["Hello, world"]))
    const { code, out, err } = await ended(start(["paper.pdf"], [], join(broken, "cli.js")))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\[PDF \(\d+B\), not shown: /) })
    expect(err).toMatch(
      /^bounded-read: The document process did not start \(exit code 1\): .*Error: half an install\n/s,
    )
  })

  test("ends quietly when the reader of the pipe has seen enough", async () => {
    await file("long.txt", "a line of text\n".repeat(3_000))
    const child = start(["long.txt"])
    child.stdout?.destroy()
    const [[code], err] = await Promise.all([once(child, "close"), child.stderr ? textOf(child.stderr) : ""])
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })
})

describe.skipIf(process.platform === "win32")("bounded-read, interrupted", () => {
  // A file that never answers: its open is made to wait for a writer that never comes.
  const deadFile = `data:text/javascript,${encodeURIComponent(`
    import fs from "node:fs"
    import { syncBuiltinESMExports } from "node:module"
    const open = fs.open
    fs.open = (path, flags, ...rest) => {
      if (!String(path).endsWith("dead.fifo")) return open(path, flags, ...rest)
      process.stderr.write("opening\\n")
      return open(path, fs.constants.O_RDONLY, ...rest)
    }
    syncBuiltinESMExports()
  `)}`

  // Says when the document process has been sent its first message.
  const documentProcessSeen = `data:text/javascript,${encodeURIComponent(`
    import { ChildProcess } from "node:child_process"
    const emit = ChildProcess.prototype.emit
    let said = false
    ChildProcess.prototype.emit = function (event, ...args) {
      if (event === "message" && !said) {
        said = true
        process.stderr.write("document process\\n")
      }
      return emit.call(this, event, ...args)
    }
  `)}`

  test.each(["SIGINT", "SIGTERM"] as const)("ends by %s though a file holds its thread for ever", async (signal) => {
    await rm(join(folder, "dead.fifo"), { force: true })
    await execute("mkfifo", [join(folder, "dead.fifo")])
    const child = start(["dead.fifo"], ["--import", deadFile])
    child.stderr?.once("data", () => child.kill(signal))
    expect(await ended(child)).toEqual({ code: null, signal, out: "", err: "opening\n" })
  })

  test.each(["SIGINT", "SIGTERM"] as const)("ends by %s while a document is read", async (signal) => {
    await file("spinning.pdf", spinningPdf())
    const child = start(["spinning.pdf"], ["--import", documentProcessSeen])
    child.stderr?.once("data", () => child.kill(signal))
    expect(await ended(child)).toEqual({ code: null, signal, out: "", err: "document process\n" })
  })
})
