import { type ChildProcess, fork, spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { DocumentResult } from "../../../src/main/documents/document-extractor.ts"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../../support/document-extraction.ts"
import { BOMBS, spinningPdf } from "../../support/pdf/bombs.ts"

const limits = { documentDeadlineMs: 60_000 }
const sixPages = textPdf(...["One", "Two", "Three", "Four", "Five", "Six"].map((word) => [word]))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounded-read-processes-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("a process that is killed from outside", () => {
  /** Messages of the child after which it is killed: ready, the engine's acknowledgements, prepared, and what it reads. */
  test.each([0, 1, 2, 9, 19, 20, 21, 22, 24, 28])(
    "after %i of its messages leaves what was finished, and the next document reads",
    async (messages) => {
      let first: ChildProcess | undefined
      const extractor = createNodeDocumentExtractor({
        entry: DOCUMENT_PROCESS_ENTRY,
        limits,
        maxSpares: 0,
        fork: (entry, args, options) => {
          const child = fork(entry, args, options)
          if (first === undefined) {
            first = child
            let seen = 0
            if (messages === 0) child.kill("SIGKILL")
            child.on("message", () => {
              if (++seen === messages) child.kill("SIGKILL")
            })
          }
          return child
        },
      })
      const request = { kind: "pdf", reader: readerOf(sixPages), images: false } as const
      const read = getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))
      expectHonest(read)
      if (messages === 0) expect(read.notRead).toBe("unavailable")
      else if (messages < 20) expect(read).toMatchObject({ notRead: "too-large", pages: [] })
      const next = getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))
      expect(next.pages).toHaveLength(6)
      await extractor.close()
      expect(isRunning(first?.pid ?? 0)).toBe(false)
    },
  )

  /** Everything, or the first pages and one reason. */
  function expectHonest({ pages, notRead }: DocumentResult): void {
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6].slice(0, pages.length))
    expect(notRead === undefined ? pages.length : 6).toBe(6)
    expect([undefined, "too-large", "unavailable"]).toContain(notRead)
  }
})

test("a missing entry is unavailable at that call only", async () => {
  let started = 0
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits,
    maxSpares: 0,
    fork: (entry, args, options) => fork(started++ === 0 ? join(folder, "nowhere.js") : entry, args, options),
  })
  const request = { kind: "pdf", reader: readerOf(sixPages), images: false } as const
  expect(getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))).toMatchObject({ notRead: "unavailable" })
  expect(getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT)).pages).toHaveLength(6)
  await extractor.close()
})

test("a fork that throws is unavailable, and so is one whose engine is not the pinned one", async () => {
  const throwing = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits,
    fork: () => {
      throw new Error("EAGAIN")
    },
  })
  const request = { kind: "pdf", reader: readerOf(sixPages), images: false } as const
  expect(getOrThrow(await throwing.extract(request, BACKGROUND_CONTEXT))).toMatchObject({ notRead: "unavailable" })
  await throwing.close()
  await writeFile(join(folder, "pdfium.wasm"), "\0asm of someone else")
  const forged = createNodeDocumentExtractor({
    entry: join(folder, "document-process.js"),
    limits,
    fork: (_entry, args, options) => fork(DOCUMENT_PROCESS_ENTRY, args, { ...options, execArgv: [] }),
  })
  expect(getOrThrow(await forged.extract(request, BACKGROUND_CONTEXT))).toMatchObject({ notRead: "unavailable" })
  await forged.close()
})

test("fifty calls with random aborts: each settles, two work at once and one stands by, none is left", async () => {
  const random = seededRandom(20_261_201)
  const alive = new Set<number>()
  let most = 0
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits,
    fork: (entry, args, options) => {
      const child = fork(entry, args, options)
      const pid = child.pid ?? 0
      alive.add(pid)
      most = Math.max(most, alive.size)
      child.on("exit", () => alive.delete(pid))
      return child
    },
  })
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const controller = new AbortController()
      if (random() < 0.5) setTimeout(() => controller.abort(), random() * 1_500)
      const context = withAbortSignal(controller.signal, BACKGROUND_CONTEXT)
      const read = await extractor.extract({ kind: "pdf", reader: readerOf(sixPages), images: false }, context)
      return read.ok ? `${read.value.pages.length} pages, ${read.value.notRead}` : read.error.code
    }),
  )
  expect(new Set(outcomes)).toEqual(new Set(["6 pages, undefined", "aborted"]))
  expect(most).toBeLessThanOrEqual(3)
  await extractor.close()
  await until(() => alive.size === 0)
  expect(extractor.processIds).toEqual([])
})

test("a call that is aborted before it begins starts nothing", async () => {
  let started = 0
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    fork: (entry, args, options) => {
      started++
      return fork(entry, args, options)
    },
  })
  const context = withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT)
  const read = await extractor.extract({ kind: "pdf", reader: readerOf(sixPages), images: false }, context)
  expect(read).toMatchObject({ ok: false, error: { code: "aborted" } })
  expect(started).toBe(0)
  await extractor.close()
})

describe("a host", () => {
  const HOST = fileURLToPath(new URL("../../support/processes/reading-host.mjs", import.meta.url))

  async function startHost(pdf: Uint8Array, then: string) {
    const path = join(folder, `${then}.pdf`)
    await writeFile(path, pdf)
    const host = spawn(process.execPath, [HOST, DOCUMENT_PROCESS_ENTRY, path, then], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    const stderr: string[] = []
    host.stderr.on("data", (bytes) => stderr.push(String(bytes)))
    const exit = new Promise((resolve) => host.on("exit", (code, signal) => resolve(code ?? signal)))
    const said: { pids?: number[]; pages?: number }[] = []
    createInterface({ input: host.stdout }).on("line", (line) => said.push(JSON.parse(line)))
    return { host, exit, said, stderr }
  }

  test("that read one document ends by itself, with nothing on its stderr", async () => {
    const { exit, said, stderr } = await startHost(sixPages, "ends")
    expect(await exit).toBe(0)
    expect(said).toEqual([{ pages: 6 }])
    expect(stderr.join("")).toBe("")
  })

  test.each(["a gigabyte of content, deflated twice", "two forms that draw each other"])(
    "that read %s ends by itself and well",
    async (name) => {
      const { exit, said, stderr } = await startHost(BOMBS[name]?.() ?? Buffer.alloc(0), "ends")
      expect(await exit).toBe(0)
      expect(said).toEqual([{ pages: 0, notRead: "too-large" }])
      expect(stderr.join("")).toBe("")
    },
  )

  test.each(["stays", "crashes"])("that %s and is gone leaves no process", async (then) => {
    const { host, exit, said } = await startHost(then === "stays" ? spinningPdf() : sixPages, then)
    await until(() => (said.at(-1)?.pids ?? []).length > 0)
    if (then === "stays") {
      // Well inside the job, where only the watchdog's thread can notice.
      await until(() => said.length > 15)
      host.kill("SIGKILL")
    }
    await exit
    const pids = said.at(-1)?.pids ?? []
    expect(pids.length).toBeGreaterThan(0)
    await until(() => !pids.some(isRunning))
    expect(pids.filter(isRunning)).toEqual([])
  })
})

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
