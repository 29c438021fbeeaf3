import { fork } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { DocumentProcess } from "../../src/main/documents/document-process.ts"
import { type Fork, nodeFlags, startNodeProcess } from "../../src/main/node-document-process.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../support/document-extraction.ts"

const PROBE = `
import { Worker } from "node:worker_threads"
const codes = {}
const attempt = async (name, action) => {
  try { await action(); codes[name] = "done" } catch (error) { codes[name] = error.code ?? error.message }
}
const fs = await import("node:fs")
await attempt("own file", () => fs.readFileSync(new URL(import.meta.url)))
await attempt("own chunk", () => fs.readFileSync(new URL("./chunks/own.js", import.meta.url)))
await attempt("sibling", () => fs.readFileSync(new URL("./sibling.js", import.meta.url)))
await attempt("system file", () => fs.readFileSync("/etc/passwd"))
await attempt("write", () => fs.writeFileSync(new URL("./chunks/new", import.meta.url), "x"))
await attempt("child process", async () => (await import("node:child_process")).execFileSync(process.execPath, ["-v"]))
await attempt("addon", () => process.dlopen({ exports: {} }, "/nowhere.node"))
await attempt("worker", () => new Promise((resolve, reject) =>
  new Worker("0", { eval: true }).on("exit", resolve).on("error", reject)))
process.send({ codes, environment: Object.keys(process.env), warning: process.emitWarning("shown?") })
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounded-read-permissions-"))
  await mkdir(join(folder, "chunks"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "probe.js"), PROBE)
  await writeFile(join(folder, "sibling.js"), "export {}")
  await writeFile(join(folder, "chunks", "own.js"), "export {}")
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const DENIED = "ERR_ACCESS_DENIED"

test.each([
  ["plain", "ERR_DLOPEN_DISABLED"],
  ["addons", "ERR_DLOPEN_FAILED"],
] as const)(
  "a %s process reads its own files and starts threads, and nothing else is permitted",
  async (flavour, addon) => {
    const child = startNodeProcess(fork, join(folder, "probe.js"), flavour)
    const answer = await new Promise<unknown>((resolve) => {
      child.on("message", resolve)
      child.on("exit", (code) => resolve(`exit ${code}`))
    })
    child.kill()
    expect(answer).toMatchObject({
      codes: {
        "own file": "done",
        "own chunk": "done",
        sibling: DENIED,
        "system file": DENIED,
        write: DENIED,
        "child process": DENIED,
        addon,
        worker: "done",
      },
    })
    // Node puts the descriptor of the channel there itself.
    expect(
      (answer as { environment: string[] }).environment.filter((name) => !/^(NODE_CHANNEL|SystemRoot)/.test(name)),
    ).toEqual([])
  },
)

describe("a process that does not come up", () => {
  /** What is told of a process that runs `code`, once nothing more can come of it. */
  async function toldOf(code: string, use: (started: DocumentProcess) => void = () => undefined): Promise<string[]> {
    const entry = join(folder, "starts.mjs")
    await writeFile(entry, code)
    const told: string[] = []
    await new Promise<void>((resolve) => {
      const forked: Fork = (at, args, options) => fork(at, args, options).on("close", () => resolve())
      const started = startNodeProcess(forked, entry, "plain", (message) => told.push(message))
      use(started)
    })
    return told
  }
  const FAILED = "The document process did not start"

  test("is told with what it said last", async () => {
    const [message, ...more] = await toldOf('throw new Error("part of the install is missing")')
    expect(message?.startsWith(`${FAILED} (exit code 1): `)).toBe(true)
    expect(message).toContain("Error: part of the install is missing")
    expect(more).toEqual([])
  })

  test.each([
    { what: "without a word", code: "process.exit(3)", message: `${FAILED} (exit code 3)` },
    { what: "by a signal", code: 'process.kill(process.pid, "SIGTERM")', message: `${FAILED} (SIGTERM)` },
    {
      what: "with what a terminal would obey",
      code: 'process.stderr.write("\\u001b]0;owned\\u0007\\r\\n\\tno\\u009bmore\\n", () => process.exit(1))',
      message: `${FAILED} (exit code 1): \ufffd]0;owned\ufffd\n\tno\ufffdmore`,
    },
  ])("is told where it ends $what", async ({ code, message }) => {
    expect(await toldOf(code)).toEqual([message])
  })

  test("is told in bounded words, the last of many", async () => {
    const code = 'process.stderr.write("x".repeat(5_000_000) + "the end", () => process.exit(1))'
    const [message = ""] = await toldOf(code)
    expect(message).toMatch(/x{8000}the end$/)
    expect(message.length).toBeLessThan(8_300)
  })

  test.each([
    { what: "spoke before it ended", code: 'process.send("ready", () => process.exit(1))' },
    { what: "is killed by its host", code: "setInterval(() => {}, 1_000)", use: (it: DocumentProcess) => it.kill() },
  ])("is nothing that is told where it $what", async ({ code, use }) => {
    expect(await toldOf(code, use)).toEqual([])
  })

  test("is told where there is no such program", async () => {
    const told: string[] = []
    const gone = join(folder, "gone")
    await new Promise<void>((resolve) => {
      const forked: Fork = (at, args, options) =>
        fork(at, args, { ...options, execPath: gone }).on("close", () => resolve())
      startNodeProcess(forked, join(folder, "probe.js"), "plain", (message) => told.push(message))
    })
    expect(told).toEqual([`${FAILED} (spawn ${gone} ENOENT)`])
  })
})

describe("the flags of a process", () => {
  test.each([
    ["20.20.2", "--experimental-permission"],
    ["22.12.0", "--experimental-permission"],
    ["22.13.0", "--permission"],
    ["24.0.0", "--permission"],
  ])("on Node %s switch the permission model on by %s", (version, flag) => {
    const flags = nodeFlags("/package/out/main/document-process.js", "plain", version)
    expect(flags).toContain(flag)
    expect(flags).toContain("--max-old-space-size=256")
    expect(flags.filter((name) => /addons|write|child|wasi/.test(name))).toEqual([])
  })
})

test("the built document process imports its own files, threads and zlib, and can make no other module of Node", async () => {
  const seen = new Map<string, string>()
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    const code = await readFile(file, "utf8")
    seen.set(file, code)
    for (const specifier of importsOf(code)) if (specifier.startsWith(".")) await visit(join(dirname(file), specifier))
  }
  await visit(DOCUMENT_PROCESS_ENTRY)
  const code = [...seen.values()].join("\n")
  expect(code).toContain("FPDF_LoadMemDocument")
  const outside = importsOf(code).filter((specifier) => !specifier.startsWith("."))
  expect([...new Set(outside)].filter((name) => name !== "sharp").sort()).toEqual(["node:worker_threads", "node:zlib"])
  expect(code).not.toMatch(/createRequire|process\.binding|__require\(/)
  const builtins = [...code.matchAll(/getBuiltinModule\(\s*"([^"]+)"/g)].map(([, name]) => name)
  expect(new Set(builtins)).toEqual(new Set(["node:worker_threads", "node:zlib"]))
})

function importsOf(code: string): string[] {
  const statements =
    /(?:^|\n)\s*(?:import|export)\s(?:[^"'\n]*?\sfrom\s)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/g
  return [...code.matchAll(statements)].map(([, stated, dynamic]) => stated ?? dynamic ?? "")
}
