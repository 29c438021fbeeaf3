import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import { nodeFileSystemModule } from "../../../src/main/fs/file-system-module.ts"
import { isMemoryLent } from "../../../src/main/fs/lent-memory.ts"
import { createOpenFiles } from "../../../src/main/fs/open-files.ts"
import { MAX_OPEN_FILES, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import type { FakeFileSystemHooks } from "../../../src/testing/fake-file-system-module.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import type { Context, FileByteReader } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, getOrThrow, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"

let folder: string
let path: string

beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "file-reader-"))
  path = join(folder, "ten")
  fs.writeFileSync(path, "0123456789")
})

afterAll(() => fs.rmSync(folder, { recursive: true }))

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const open = async (name = path) => getOrThrow(await openFileReader(name, BACKGROUND_CONTEXT))

describe("a file reader", () => {
  it("says what fstat said, with an absolute path", async () => {
    fs.linkSync(path, join(folder, "also-ten"))
    const stats = fs.statSync(path, { bigint: true })
    const info = {
      size: 10,
      mtimeMs: fs.statSync(path).mtimeMs,
      identity: `${stats.dev}:${stats.ino}`,
      links: 2,
      mtimeNs: stats.mtimeNs,
      ctimeNs: stats.ctimeNs,
    }
    for (const [name, absolute] of [
      [path, path],
      [join(folder, "also-ten"), join(folder, "also-ten")],
      [relative(process.cwd(), path), path],
      [`${folder}/./ten`, `${folder}/./ten`],
    ] as const) {
      const reader = await open(name)
      expect(reader.info).toEqual({ ...info, path: absolute })
      await reader.close(BACKGROUND_CONTEXT)
    }
  })

  it("reads by position, fewer bytes at the end and none past it", async () => {
    const reader = await open()
    const reads: string[] = []
    for (const [position, length] of [
      [3, 4],
      [0, 2],
      [8, 100],
      [10, 1],
      [1_000_000, 5],
      [4, 0],
    ] as const) {
      reads.push(text(getOrThrow(await reader.read(position, length, BACKGROUND_CONTEXT))))
    }
    await reader.close(BACKGROUND_CONTEXT)
    expect(reads).toEqual(["3456", "01", "89", "", "", ""])
  })

  it("writes to the memory that it is given, from its start, and answers a view of it", async () => {
    const reader = await open()
    const into = new Uint8Array(20).subarray(4, 16)
    const view = getOrThrow(await reader.read(7, 12, BACKGROUND_CONTEXT, into))
    const part = getOrThrow(await reader.read(0, 2, BACKGROUND_CONTEXT, into))
    await reader.close(BACKGROUND_CONTEXT)
    expect([view.buffer, view.byteOffset, text(part), text(into.subarray(2, 3))]).toEqual([into.buffer, 4, "01", "9"])
    expect(isMemoryLent(into)).toBe(false)
  })

  it("never reads more than a chunk at once, however much was asked for", async () => {
    const large = join(folder, "large")
    fs.writeFileSync(large, new Uint8Array(READ_CHUNK_BYTES + 10))
    const reader = await open(large)
    const bytes = getOrThrow(await reader.read(0, Number.MAX_SAFE_INTEGER, BACKGROUND_CONTEXT))
    await reader.close(BACKGROUND_CONTEXT)
    expect(bytes).toHaveLength(READ_CHUNK_BYTES)
  })

  it.each([
    ["a negative position", -1, 1, undefined],
    ["half a position", 0.5, 1, undefined],
    ["no position", Number.NaN, 1, undefined],
    ["a position past what a number counts", 2 ** 53, 1, undefined],
    ["a negative length", 0, -1, undefined],
    ["no length", 0, Number.NaN, undefined],
    ["endless length", 0, Number.POSITIVE_INFINITY, undefined],
    ["more than fits", 0, 9, new Uint8Array(8)],
  ])("refuses %s", async (_name, position, length, into) => {
    const reader = await open()
    const answer = await reader.read(position, length, BACKGROUND_CONTEXT, into)
    await reader.close(BACKGROUND_CONTEXT)
    expect(answer).toMatchObject({ ok: false, error: { code: "invalid", path } })
  })

  it.each([11, -1, 0.5, Number.NaN])("does not believe a read of 10 bytes that answers %d", async (count) => {
    const lying = {
      ...nodeFileSystemModule,
      read: (...args: Parameters<typeof nodeFileSystemModule.read>) => args[5](null, count),
    }
    const reader = getOrThrow(await openFileReader(path, BACKGROUND_CONTEXT, { fs: lying }))
    const answer = await reader.read(0, 10, BACKGROUND_CONTEXT)
    await reader.close(BACKGROUND_CONTEXT)
    expect(answer).toMatchObject({ ok: false, error: { code: "unknown" } })
  })

  it("tells by refresh that the file was changed or replaced", async () => {
    const log = join(folder, "log")
    fs.writeFileSync(log, "one\n")
    const reader = await open(log)
    expect(getOrThrow((await reader.refresh?.(BACKGROUND_CONTEXT)) ?? expect.fail())).toEqual(reader.info)
    fs.appendFileSync(log, "two\n")
    const grown = getOrThrow((await reader.refresh?.(BACKGROUND_CONTEXT)) ?? expect.fail())
    expect([reader.info.size, grown.size]).toEqual([4, 8])
    fs.writeFileSync(`${log}.new`, "three\n")
    fs.renameSync(`${log}.new`, log)
    const replaced = getOrThrow((await reader.refresh?.(BACKGROUND_CONTEXT)) ?? expect.fail())
    expect([replaced.size, replaced.identity, replaced.links]).toEqual([8, reader.info.identity, 0])
    expect(text(getOrThrow(await reader.read(0, 100, BACKGROUND_CONTEXT)))).toBe("one\ntwo\n")
    await reader.close(BACKGROUND_CONTEXT)
  })

  it("may be closed twice, and answers nothing afterwards", async () => {
    const before = openDescriptors()
    const reader = await open()
    await reader.close(BACKGROUND_CONTEXT)
    await reader.close(BACKGROUND_CONTEXT)
    expect(openDescriptors()).toEqual(before)
    const closed = { ok: false, error: { code: "invalid", message: `The file was closed: ${path}` } }
    expect(await reader.read(0, 1, BACKGROUND_CONTEXT)).toMatchObject(closed)
    expect(await reader.refresh?.(BACKGROUND_CONTEXT)).toMatchObject(closed)
  })

  it("drops the reads that still wait for their turn when it is closed", async () => {
    const reader = await open()
    const reads = Array.from({ length: 5 }, () => reader.read(0, 10, BACKGROUND_CONTEXT))
    const closed = reader.close(BACKGROUND_CONTEXT)
    const answers = await Promise.all(reads)
    await closed
    expect(answers.map((answer) => (answer.ok ? "read" : answer.error.code))).toEqual([
      "read",
      "read",
      "invalid",
      "invalid",
      "invalid",
    ])
  })

  it.each([
    ["more than a number counts", 2n ** 62n, Number.MAX_SAFE_INTEGER],
    ["less than nothing", -1n, 0],
  ])("takes a size of %s for a size that is possible", async (_name, claimed, size) => {
    const lying = {
      ...nodeFileSystemModule,
      fstat: (...args: Parameters<typeof nodeFileSystemModule.fstat>) =>
        nodeFileSystemModule.fstat(args[0], args[1], (error, stats) =>
          args[2](error, Object.assign(stats, { size: claimed })),
        ),
    }
    const reader = getOrThrow(await openFileReader(path, BACKGROUND_CONTEXT, { fs: lying }))
    const bytes = getOrThrow(await reader.read(0, 100, BACKGROUND_CONTEXT))
    await reader.close(BACKGROUND_CONTEXT)
    expect([reader.info.size, text(bytes)]).toEqual([size, "0123456789"])
  })
})

describe("opening many files", () => {
  it("holds at most so many at once, and opens the others as those are closed", async () => {
    let held = 0
    let most = 0
    const counting = fakeFileSystemModule({
      beforeCall(call, make) {
        if (call.name === "open") most = Math.max(most, ++held)
        if (call.name === "close") held--
        make()
      },
    })
    const openFiles = createOpenFiles()
    const answers = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const reader = getOrThrow(await openFileReader(path, BACKGROUND_CONTEXT, { fs: counting.module, openFiles }))
        const bytes = getOrThrow(await reader.read(0, 10, BACKGROUND_CONTEXT))
        await reader.close(BACKGROUND_CONTEXT)
        return text(bytes)
      }),
    )
    expect(new Set(answers)).toEqual(new Set(["0123456789"]))
    expect([most, held]).toEqual([MAX_OPEN_FILES, 0])
  })

  it("gives every place back, whatever becomes of the open", async () => {
    const openFiles = createOpenFiles()
    const abort = new AbortController()
    abort.abort()
    const broken = fakeFileSystemModule({
      beforeCall(call, make) {
        if (call.name === "fstat") throw new Error("broken module")
        make()
      },
    })
    for (let round = 0; round < MAX_OPEN_FILES; round++) {
      await openFileReader(join(folder, "missing"), BACKGROUND_CONTEXT, { openFiles })
      await openFileReader("nul\0", BACKGROUND_CONTEXT, { openFiles })
      await openFileReader(folder, BACKGROUND_CONTEXT, { openFiles })
      await openFileReader(path, withAbortSignal(abort.signal, BACKGROUND_CONTEXT), { openFiles })
      await openFileReader(path, BACKGROUND_CONTEXT, { openFiles, fs: broken.module })
    }
    let free = 0
    while (openFiles.tryEnter()) free++
    expect(free).toBe(MAX_OPEN_FILES)
  })
})

/** Holds the nth call of a name, before it is made or before it is answered, until it is let go. */
function holdingModule(name: string, when: keyof FakeFileSystemHooks) {
  let letGo = () => {}
  let hold = () => {}
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve
  })
  const module = fakeFileSystemModule({
    [when]: (call: { name: string }, go: () => void) => {
      if (call.name !== name) return go()
      letGo = go
      hold()
    },
  }).module
  return { module, isHeld, letGo: () => letGo() }
}

/** Resolves once the files that are open are these again. */
async function untilOpen(expected: string[]): Promise<void> {
  while (JSON.stringify(openDescriptors()) !== JSON.stringify(expected)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe("an abort", () => {
  type Step = (reader: FileByteReader, context: Context) => Promise<unknown>
  const steps: Record<string, Step> = {
    read: (reader, context) => reader.read(0, 10, context),
    refresh: async (reader, context) => reader.refresh?.(context),
    close: (reader, context) => reader.close(context),
  }
  const holds = ["beforeCall", "beforeAnswer"] as const

  it("before the open settles it without a call", async () => {
    const abort = new AbortController()
    abort.abort()
    const recorded = fakeFileSystemModule()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const opened = await openFileReader(path, context, { fs: recorded.module })
    expect(opened).toMatchObject({ ok: false, error: { code: "aborted", path } })
    expect(recorded.calls).toEqual([])
  })

  describe.each(holds)("while the operating system holds the call (%s)", (when) => {
    it.each(["open", "fstat"])(
      "settles the open at its %s, and the descriptor is closed when that comes back",
      async (name) => {
        const before = openDescriptors()
        const abort = new AbortController()
        const held = holdingModule(name, when)
        const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
        const pending = openFileReader(path, context, { fs: held.module })
        await held.isHeld
        abort.abort()
        expect(await pending).toMatchObject({ ok: false, error: { code: "aborted", path } })
        held.letGo()
        await untilOpen(before)
      },
    )

    it.each([
      ["read", "read"],
      ["refresh", "fstat"],
      ["close", "close"],
    ])("settles a %s, and the descriptor is closed when that comes back", async (step, name) => {
      const before = openDescriptors()
      const abort = new AbortController()
      const held = holdingModule(name, when)
      let opening = true
      const module = new Proxy(held.module, {
        get: (target, member) => Reflect.get(opening && member !== "close" ? nodeFileSystemModule : target, member),
      })
      const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
      const reader = getOrThrow(await openFileReader(path, context, { fs: module }))
      opening = false
      const pending = steps[step]?.(reader, context)
      await held.isHeld
      abort.abort()
      const answer = await pending
      if (step !== "close") expect(answer).toMatchObject({ ok: false, error: { code: "aborted", path } })
      await reader.close(context)
      held.letGo()
      await untilOpen(before)
      expect(openDescriptors()).toEqual(before)
    })
  })

  it("between reads settles the next one, and the close still closes", async () => {
    const before = openDescriptors()
    const abort = new AbortController()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const reader = getOrThrow(await openFileReader(path, context))
    getOrThrow(await reader.read(0, 5, context))
    abort.abort()
    expect(await reader.read(5, 5, context)).toMatchObject({ ok: false, error: { code: "aborted" } })
    await reader.close(context)
    await untilOpen(before)
    expect(openDescriptors()).toEqual(before)
  })

  it("leaves the memory of a read lent until that comes back", async () => {
    const abort = new AbortController()
    const held = holdingModule("read", "beforeCall")
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const reader = getOrThrow(await openFileReader(path, context, { fs: held.module }))
    const into = new Uint8Array(10)
    const pending = reader.read(0, 10, context, into)
    await held.isHeld
    abort.abort()
    await pending
    await reader.close(context)
    expect(isMemoryLent(into)).toBe(true)
    held.letGo()
    while (isMemoryLent(into)) await new Promise((resolve) => setImmediate(resolve))
    expect(text(into)).toBe("0123456789")
  })

  it("takes back the memory of a read that was still waiting for its turn", async () => {
    const abort = new AbortController()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const reader = getOrThrow(await openFileReader(path, context))
    const buffers = Array.from({ length: 4 }, () => new Uint8Array(10))
    const reads = buffers.map((into) => reader.read(0, 10, context, into))
    expect(buffers.map(isMemoryLent)).toEqual([true, true, true, true])
    abort.abort()
    await Promise.all(reads)
    expect(buffers.slice(2).map(isMemoryLent)).toEqual([false, false])
    await reader.close(context)
    expect(buffers.slice(2).map(text)).toEqual(["\0".repeat(10), "\0".repeat(10)])
  })
})
