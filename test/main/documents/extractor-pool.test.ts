import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { ExtractorPool, type ExtractorPoolOptions } from "../../../src/main/documents/extractor-pool.ts"
import { createProcessExtractor } from "../../../src/main/documents/process-extractor.ts"
import { DEFAULT_LIMITS } from "../../../src/main/limits.ts"
import { FakeDocumentProcess } from "../../../src/testing/fake-document-process.ts"
import { BACKGROUND_CONTEXT, type FileByteReader, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { readerOf } from "../../support/document-extraction.ts"

const SPARE_IDLE_MS = 30_000
const EXIT_BOUND_MS = 5_000
const never = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function poolOf(options: Partial<ExtractorPoolOptions> & { answers?: string[]; lingers?: boolean } = {}) {
  const started: FakeDocumentProcess[] = []
  const { answers, lingers = false } = options
  const pool = new ExtractorPool({
    start: (flavour) => {
      const fake = new FakeDocumentProcess(flavour, { pid: started.length + 1, answers, lingers })
      started.push(fake)
      return fake
    },
    loadEngine: async () => new Uint8Array(1_000),
    maxProcesses: 2,
    maxSpares: 1,
    spareIdleMs: SPARE_IDLE_MS,
    exitBoundMs: EXIT_BOUND_MS,
    ...options,
  })
  return { pool, started }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

test("two work at once, and those who wait are served first in, first out", async () => {
  const { pool, started } = poolOf({ maxSpares: 0 })
  const order: number[] = []
  const calls = [1, 2, 3, 4].map(async (call) => {
    const lease = await pool.lease("plain", never)
    order.push(call)
    return lease
  })
  await settled()
  expect(order).toEqual([1, 2])
  started[1]?.kill()
  await settled()
  expect(order).toEqual([1, 2, 3])
  started[0]?.kill()
  started[2]?.kill()
  await Promise.all(calls)
  expect(order).toEqual([1, 2, 3, 4])
  await pool.close()
})

test("an abort leaves the queue at once, and the next in it is served", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, maxProcesses: 1 })
  await pool.lease("plain", never)
  const controller = new AbortController()
  const aborted = pool.lease("plain", controller.signal)
  const next = pool.lease("plain", never)
  controller.abort()
  expect(await aborted).toBeUndefined()
  expect(started).toHaveLength(1)
  started[0]?.kill()
  expect(await next).toBeDefined()
  expect(started).toHaveLength(2)
  await pool.close()
})

test("a process that lives on when it is killed frees its place after a bound", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, maxProcesses: 1, lingers: true })
  const first = await pool.lease("plain", never)
  let served = false
  const next = pool.lease("plain", never).then(() => {
    served = true
  })
  first?.conversation.endWith("killed")
  await vi.advanceTimersByTimeAsync(EXIT_BOUND_MS - 1)
  expect(served).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await next
  expect(started).toHaveLength(2)
})

test("a spare is started once a job's process is gone, stands by without keeping its host, and takes the next job", async () => {
  const { pool, started } = poolOf({ answers: [] })
  await pool.lease("plain", never)
  expect(started).toHaveLength(1)
  await settled()
  started[0]?.kill()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(started).toHaveLength(2)
  expect(started[0]?.posted[0]).toMatchObject({ type: "engine", practise: false })
  expect(started[1]?.posted[0]).toMatchObject({ type: "engine", practise: true })
  expect(started[1]?.keepsAlive).toBe(false)
  const lease = await pool.lease("plain", never)
  expect(lease?.conversation.pid).toBe(2)
  expect(started).toHaveLength(2)
  expect(started[1]?.keepsAlive).toBe(true)
  await pool.close()
  expect(started.every(({ exited }) => exited)).toBe(true)
})

test("the spare is of the flavour that was read last, and there is never more than one", async () => {
  const { pool, started } = poolOf({ answers: [] })
  const alive = () => started.filter(({ exited }) => !exited).map(({ flavour }) => flavour)
  await pool.lease("plain", never)
  started[0]?.kill()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(alive()).toEqual(["plain"])
  // What stands by for PDFs has no addons: an image gets a process of its own.
  const image = await pool.lease("addons", never)
  expect(image?.conversation.pid).toBe(3)
  expect(alive()).toEqual(["plain", "addons"])
  started[2]?.kill()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(alive()).toEqual(["addons"])
  expect(started[2]?.posted).toEqual([])
  expect(started[3]?.posted).toMatchObject([{ type: "standby", engine: "image" }])
  expect(started[3]?.keepsAlive).toBe(false)
  const next = await pool.lease("addons", never)
  expect(next?.conversation.pid).toBe(4)
  expect(started[3]?.keepsAlive).toBe(true)
  await pool.close()
})

test("a spare of the other flavour is gone before the next one is started", async () => {
  const { pool, started } = poolOf({ answers: [], lingers: true })
  await pool.lease("plain", never)
  started[0]?.exit()
  await vi.advanceTimersByTimeAsync(1_000)
  await pool.lease("addons", never)
  started[2]?.exit()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(started[1]?.killed).toBe(true)
  expect(started).toHaveLength(3)
  started[1]?.exit()
  await settled()
  expect(started.map(({ flavour }) => flavour)).toEqual(["plain", "plain", "addons", "addons"])
  const closed = pool.close()
  started[3]?.exit()
  await closed
})

test("a spare is ended when no document was read for a while", async () => {
  const { pool, started } = poolOf({ answers: [] })
  await pool.lease("plain", never)
  started[0]?.kill()
  await vi.advanceTimersByTimeAsync(1_000)
  await pool.lease("addons", never)
  started[2]?.kill()
  await vi.advanceTimersByTimeAsync(SPARE_IDLE_MS - 1)
  expect(started.filter(({ exited }) => !exited)).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2)
  expect(started.filter(({ exited }) => !exited)).toHaveLength(0)
})

test("a spare that dies is not started over and over", async () => {
  const { pool, started } = poolOf({ answers: [] })
  await pool.lease("plain", never)
  started[0]?.kill()
  await vi.advanceTimersByTimeAsync(1_000)
  started[1]?.exit(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(started).toHaveLength(2)
  expect((await pool.lease("plain", never))?.conversation.pid).toBe(3)
  await pool.close()
})

test("a start that throws, and an engine that cannot be loaded, are of that call alone", async () => {
  let fails = true
  const { pool } = poolOf({
    maxSpares: 0,
    start: (flavour) => {
      if (fails) throw new Error("EAGAIN")
      return new FakeDocumentProcess(flavour)
    },
  })
  expect(await pool.lease("plain", never)).toBeUndefined()
  fails = false
  expect(await pool.lease("plain", never)).toBeDefined()
  await pool.close()
  const { pool: other } = poolOf({ maxSpares: 0, loadEngine: () => Promise.reject(new Error("gone")) })
  const lease = await other.lease("plain", never)
  await expect(lease?.prepared).rejects.toThrow("gone")
})

const limits = { ...DEFAULT_LIMITS, documentDeadlineMs: 10_000 }

test("the wait in the queue counts toward the deadline, and the pages that were finished are kept", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, maxProcesses: 1 })
  const extractor = createProcessExtractor(pool, limits)
  const request = { kind: "pdf", reader: readerOf(Uint8Array.of(1)), images: false } as const
  const first = extractor.extract(request, BACKGROUND_CONTEXT)
  const waiting = extractor.extract(request, BACKGROUND_CONTEXT)
  await settled()
  const fake = started[0]
  fake?.say({ type: "ready" })
  await settled()
  fake?.say({ type: "ack", of: 1 })
  fake?.say({ type: "prepared" })
  await settled()
  fake?.say({ type: "ack", of: 3 })
  fake?.say({ type: "opened", id: 1, pageCount: 9 })
  fake?.say({ type: "page", id: 1, page: 1, text: "One", textTruncated: false })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await first).toMatchObject({ value: { notRead: "timeout", pageCount: 9, pages: [{ page: 1, text: "One" }] } })
  expect(await waiting).toMatchObject({ value: { notRead: "timeout", pages: [] } })
  expect(fake?.killed).toBe(true)
  await pool.close()
})

test("an abort settles a call at once, even while its reader never answers", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, answers: ["One"] })
  const extractor = createProcessExtractor(pool, limits)
  let asked = 0
  const reader: FileByteReader = {
    ...readerOf(Uint8Array.of(1)),
    read: () => {
      asked += 1
      return new Promise(() => undefined)
    },
  }
  const controller = new AbortController()
  const call = extractor.extract(
    { kind: "pdf", reader, images: false },
    withAbortSignal(controller.signal, BACKGROUND_CONTEXT),
  )
  await settled()
  expect(asked).toBe(1)
  controller.abort()
  expect(await call).toMatchObject({ ok: false, error: { code: "aborted" } })
  expect(started[0]?.exited).toBe(true)
  await pool.close()
})

test("bytes are sent in exact copies, one message at a time", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, answers: ["One"] })
  const extractor = createProcessExtractor(pool, limits)
  const bytes = new Uint8Array(600_000).fill(7)
  const read = await extractor.extract({ kind: "pdf", reader: readerOf(bytes), images: false }, BACKGROUND_CONTEXT)
  expect(read).toMatchObject({ value: { pages: [{ page: 1, text: "One" }] } })
  const chunks = started[0]?.posted.filter(({ type }) => type === "chunk").map(({ bytes }) => bytes as Uint8Array) ?? []
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([1_000, 262_144, 262_144, 75_712])
  expect(chunks.every(({ buffer, byteLength }) => buffer.byteLength === byteLength)).toBe(true)
  expect(started[0]?.posted.map(({ n }) => n)).toEqual(started[0]?.posted.map((_, i) => i))
  await pool.close()
})

test("who closes the pool runs until the processes are gone, though their jobs end meanwhile", async () => {
  const { pool, started } = poolOf({ maxSpares: 0, lingers: true })
  const abort = new AbortController()
  const request = { kind: "pdf", reader: readerOf(new Uint8Array(10)), images: false } as const
  const extractor = createProcessExtractor(pool, DEFAULT_LIMITS)
  const extracted = extractor.extract(request, withAbortSignal(abort.signal, BACKGROUND_CONTEXT))
  await settled()
  const closing = pool.close()
  abort.abort()
  expect(await extracted).toMatchObject({ ok: false, error: { code: "aborted" } })
  await settled()
  expect(started.map(({ killed, exited, keepsAlive }) => ({ killed, exited, keepsAlive }))).toEqual([
    { killed: true, exited: false, keepsAlive: true },
  ])
  started[0]?.exit()
  await closing
})
