import { execFile } from "node:child_process"
import fs, { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createElectronDocumentExtractor } from "../../src/main/electron.ts"
import { type ElectronProcessPorts, startElectronProcess } from "../../src/main/electron-document-process.ts"
import type { ElectronApp, ElectronUtilityProcessModule } from "../../src/main/electron-ports.ts"
import * as library from "../../src/main/index.ts"
import { MAX_DOCUMENT_RESIDENT_BYTES } from "../../src/main/limits.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { CASES } from "../electron/cases.mjs"
import { createFakeElectron } from "../electron/fake-electron.mjs"
import { textPdf } from "../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../support/document-extraction.ts"

const pdf = textPdf(["Hello, world"])
const request = { kind: "pdf", reader: readerOf(pdf), images: false } as const
const engine = join(dirname(DOCUMENT_PROCESS_ENTRY), "pdfium.wasm")
const child = (name: string): string => join(import.meta.dirname, "..", "electron", "children", `${name}.mjs`)

describe("Electron's utility process, on the fake", () => {
  it.each(CASES)("$title", async ({ run }) => {
    const electron = createFakeElectron()
    const createExtractor = (options: object) =>
      createElectronDocumentExtractor({ ...electron, entry: DOCUMENT_PROCESS_ENTRY, ...options })
    await expect(run({ ...electron, createExtractor, pdf, engine, library, fs })).resolves.toBeUndefined()
  })

  it.each([
    [
      "before the app is ready",
      { isReady: false },
      "did not start: utilityProcess cannot be created before app is ready.",
    ],
    ["when a launch fails", { launchFails: true, reportsLaunchFailure: true }, "could not be launched"],
  ])("is unavailable %s, and the host is told why", async (_, traps, why) => {
    const told: string[] = []
    const extractor = createElectronDocumentExtractor({
      ...createFakeElectron(traps),
      entry: DOCUMENT_PROCESS_ENTRY,
      // One that stands by would fail too, and be told of.
      maxSpares: 0,
      onProcessFailure: (message) => told.push(message),
    })
    expect(getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))).toMatchObject({ notRead: "unavailable" })
    expect(told).toEqual([`The document process ${why}`])
    await extractor.close()
  })
})

/** Timers that go off when the test says so. */
function manualClock() {
  const timers = new Set<{ ms: number; run: () => void }>()
  const start = (ms: number, run: () => void) => {
    const timer = { ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return { clock: { after: start, every: start }, fire: () => [...timers].map(({ run }) => run()), timers }
}

function portsOf(electron: ReturnType<typeof createFakeElectron>, clock = manualClock().clock): ElectronProcessPorts {
  const killByPid = (pid: number, signal: "SIGKILL") => void process.kill(pid, signal)
  return { ...electron, platform: process.platform, killByPid, clock }
}

describe("the document process in Electron", () => {
  it("gives up on a launch that no one hears of again", () => {
    const { clock, fire } = manualClock()
    const started = startElectronProcess("/entry.js", portsOf(createFakeElectron({ launchFails: true }), clock))
    const heard: string[] = []
    started.on("error", () => heard.push("error"))
    started.on("exit", () => heard.push("exit"))
    fire()
    expect(heard).toEqual(["error", "exit"])
  })

  it("remembers a kill that is asked for before the spawn", async () => {
    const started = startElectronProcess(child("spins"), portsOf(createFakeElectron()))
    started.kill()
    await new Promise<void>((resolve) => started.on("exit", () => resolve()))
    expect(started.pid).toBeUndefined()
  })

  it("posts nothing once it heard of the exit, not even inside of its listener", async () => {
    const started = startElectronProcess(child("ends"), portsOf(createFakeElectron()))
    await new Promise<void>((resolve) =>
      started.on("exit", () => {
        started.postMessage("too late")
        resolve()
      }),
    )
    started.postMessage("much too late")
    expect(started.pid).toBeUndefined()
  })

  it("hears of one exit, whether the process or the app tells first", async () => {
    const electron = createFakeElectron()
    const started = startElectronProcess(child("echo"), portsOf(electron))
    let exits = 0
    started.on("exit", () => exits++)
    await until(() => started.pid !== undefined)
    const pid = started.pid ?? 0
    started.reportGone("crashed")
    process.kill(pid, "SIGKILL")
    await until(() => !isRunning(pid))
    await new Promise((resolve) => setImmediate(resolve))
    expect(exits).toBe(1)
  })

  it("is started with an environment of its own, and with a heap limit that V8 sees", async () => {
    const electron = createFakeElectron()
    const seen: unknown[] = []
    const utilityProcess: ElectronUtilityProcessModule = {
      fork: (path, args, options) => {
        seen.push(options)
        return electron.utilityProcess.fork(path, args, options)
      },
    }
    process.env.BOUNDED_READ_TEST_SECRET = "secret"
    const started = startElectronProcess(child("echo"), { ...portsOf(electron), utilityProcess })
    const answer = new Promise<{ env: Record<string, string> }>((resolve) =>
      started.on("message", (message) => resolve(message as { env: Record<string, string> })),
    )
    started.postMessage("?")
    expect((await answer).env).not.toHaveProperty("BOUNDED_READ_TEST_SECRET")
    expect((await answer).env).toHaveProperty("BOUNDED_READ_DOCUMENT_PROCESS", "1")
    expect(seen).toMatchObject([{ execArgv: ["--js-flags=--max-old-space-size=256"] }])
    delete process.env.BOUNDED_READ_TEST_SECRET
    started.kill()
  })

  it.runIf(process.platform === "linux")("is ended by its host when it grows past its bound", async () => {
    const electron = createFakeElectron()
    const { clock, fire } = manualClock()
    const started = startElectronProcess(child("grows"), portsOf(electron, clock))
    const exited = new Promise<void>((resolve) => started.on("exit", () => resolve()))
    started.keepsParentAlive?.(true)
    await until(() => {
      const [metric] = electron.app.getAppMetrics()
      return metric !== undefined && metric.memory.workingSetSize * 1024 > MAX_DOCUMENT_RESIDENT_BYTES
    })
    fire()
    await exited
    expect(started.pid).toBeUndefined()
  })

  it("kills by pid and then asks Electron to reap, but on Windows only asks", async () => {
    for (const [platform, kills] of [
      ["darwin", 1],
      ["win32", 0],
    ] as const) {
      let byPid = 0
      const ports = portsOf(createFakeElectron())
      const killByPid = (pid: number, signal: "SIGKILL") => {
        byPid++
        process.kill(pid, signal)
      }
      const started = startElectronProcess(child("echo"), { ...ports, platform, killByPid })
      await until(() => started.pid !== undefined)
      const exited = new Promise<void>((resolve) => started.on("exit", () => resolve()))
      started.kill()
      await exited
      expect(byPid).toBe(kills)
    }
  })
})

it("fits Electron's own types", () => {
  type Own = typeof import("electron")
  const fits = (own: Pick<Own, "utilityProcess">): ElectronUtilityProcessModule => own.utilityProcess
  const appFits = (own: Pick<Own, "app">): ElectronApp => own.app
  expect([fits, appFits]).toHaveLength(2)
})

describe("Electron's utility process, on the real one", () => {
  const binary = electronBinary()
  const results = new Map<string, { passed: boolean; error?: string }>()
  let folder = ""

  beforeAll(async () => {
    if (binary === undefined) {
      console.log("Skipped on real Electron: its binary is not installed. `npx install-electron` enables these tests.")
      return
    }
    folder = await mkdtemp(join(tmpdir(), "electron-"))
    await writeFile(join(folder, "hello.pdf"), pdf)
    const main = join(import.meta.dirname, "..", "electron", "real-main.mjs")
    const own = [binary, "--no-sandbox", main, join(folder, "hello.pdf")]
    const [command = "", ...args] =
      process.env.DISPLAY || process.platform !== "linux" ? own : ["xvfb-run", "-a", ...own]
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const { stdout } = await promisify(execFile)(command, args, { env, timeout: 240_000, killSignal: "SIGKILL" })
    for (const line of stdout.split("\n").filter((text) => text.startsWith("{"))) {
      const result = JSON.parse(line) as { title: string; passed: boolean; error?: string }
      results.set(result.title, result)
    }
  }, 300_000)

  afterAll(async () => {
    if (folder !== "") await rm(folder, { recursive: true })
  })

  it.runIf(binary !== undefined).each(CASES)("$title", ({ title }) => {
    expect(results.get(title)).toMatchObject({ title, passed: true })
  })
})

/** Never by importing `electron`, which would start a download. */
function electronBinary(): string | undefined {
  const packaged = dirname(createRequire(import.meta.url).resolve("electron/package.json"))
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(packaged, "dist")
  const names = ["electron", "electron.exe", "Electron.app/Contents/MacOS/Electron"]
  return names.map((name) => join(folder, name)).find((path) => existsSync(path))
}
