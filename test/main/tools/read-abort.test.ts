import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { leaseScanBuffer } from "../../../src/main/fs/scan-buffer.ts"
import { MAX_SCAN_BUFFERS, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import { FakeFileByteReader, repeating } from "../../../src/testing/fake-file-byte-reader.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import {
  BACKGROUND_CONTEXT,
  err,
  FileError,
  getOrThrow,
  ok,
  withAbortSignal,
} from "../../../vendor/pi-harness/index.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"
import { callRead } from "../../support/read-call.ts"

/** What a call may take to settle after an abort. */
const ABORT_SETTLES_MS = 100
/** Of the file that is read: three chunks and a bit. */
const FILE_BYTES = 3 * READ_CHUNK_BYTES + 1_000

let folder: string
let path: string
/** The file-system calls of one read of that file, in order. */
let callsOfRead: string[]

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), "read-abort-"))
  path = join(folder, "log")
  fs.writeFileSync(path, "a line of a log\n".repeat(FILE_BYTES / 16))
  const recorded = fakeFileSystemModule()
  await callRead(new NodeExecutionEnv({ cwd: folder, fs: recorded.module }), path)
  callsOfRead = recorded.calls.map((call) => call.name)
})

afterAll(() => fs.rmSync(folder, { recursive: true }))

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

/** Settles once `call` has, with the clock moved on by what an abort may take, and no more. */
async function settleAfterAbort(call: Promise<unknown>, clock: FakeClock): Promise<unknown> {
  const outcome = call.then(
    () => "a result",
    (error: unknown) => (error instanceof FileError ? error.code : error),
  )
  for (let turn = 0; turn < 10; turn++) await turnOfTheLoop()
  clock.advance(ABORT_SETTLES_MS)
  return Promise.race([
    outcome,
    (async () => {
      for (let turn = 0; turn < 10; turn++) await turnOfTheLoop()
      return "pending"
    })(),
  ])
}

/** Every buffer can be leased: none is left with a call that was aborted. */
async function expectAllBuffersFree(): Promise<void> {
  const abort = new AbortController()
  const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
  const leases = Array.from({ length: MAX_SCAN_BUFFERS }, () => leaseScanBuffer(context))
  const buffers = (await Promise.all(leases)).map(getOrThrow)
  expect(new Set(buffers.map((buffer) => buffer.halves[0].byteOffset)).size).toBe(MAX_SCAN_BUFFERS)
  for (const buffer of buffers) buffer.release()
}

describe("an aborted read call", () => {
  it("makes no file-system call when it was aborted before", async () => {
    const recorded = fakeFileSystemModule()
    const env = new NodeExecutionEnv({ cwd: folder, fs: recorded.module })
    const context = withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT)
    const clock = new FakeClock()
    expect(await settleAfterAbort(callRead(env, path, { context, clock }), clock)).toBe("aborted")
    expect(recorded.calls).toEqual([])
  })

  it("is tried at each of the calls that a read makes", () => {
    expect(callsOfRead.filter((name) => name === "read").length).toBeGreaterThanOrEqual(4)
    expect([callsOfRead.at(0), callsOfRead.at(1), callsOfRead.at(-1)]).toEqual(["open", "fstat", "close"])
  })

  it.each(["beforeCall", "beforeAnswer"] as const)(
    "settles in time at whichever call the operating system holds, and leaks nothing (%s)",
    async (when) => {
      const before = openDescriptors()
      for (let nth = 0; nth < callsOfRead.length; nth++) {
        let letGo = () => {}
        let seen = 0
        let hold = () => {}
        const isHeld = new Promise<void>((resolve) => {
          hold = resolve
        })
        const { module } = fakeFileSystemModule({
          [when]: (_call: unknown, go: () => void) => {
            if (seen++ !== nth) return go()
            letGo = go
            hold()
          },
        })
        const abort = new AbortController()
        const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
        const clock = new FakeClock()
        const call = callRead(new NodeExecutionEnv({ cwd: folder, fs: module }), path, { context, clock })
        call.catch(() => {})
        await isHeld
        abort.abort()
        expect([callsOfRead[nth], await settleAfterAbort(call, clock)]).toEqual([callsOfRead[nth], "aborted"])
        letGo()
        while (openDescriptors().length > before.length) await turnOfTheLoop()
        await expectAllBuffersFree()
      }
      expect(openDescriptors()).toEqual(before)
    },
  )

  it("settles in time while it waits for a buffer", async () => {
    const leased = await Promise.all(
      Array.from({ length: MAX_SCAN_BUFFERS }, () => leaseScanBuffer(BACKGROUND_CONTEXT)),
    )
    const before = openDescriptors()
    const abort = new AbortController()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const clock = new FakeClock()
    const call = callRead(new NodeExecutionEnv({ cwd: folder }), path, { context, clock })
    call.catch(() => {})
    while (openDescriptors().length === before.length) await turnOfTheLoop()
    abort.abort()
    expect(await settleAfterAbort(call, clock)).toBe("aborted")
    for (const buffer of leased) getOrThrow(buffer).release()
    while (openDescriptors().length > before.length) await turnOfTheLoop()
    await expectAllBuffersFree()
  })

  it.each([1, 2, 3, 500, 1_999])("settles in time while it counts 500 MB, at read %d", async (nth) => {
    const abort = new AbortController()
    const reader = new FakeFileByteReader({
      size: 500 * 1024 * 1024,
      fill: repeating("twenty bytes a line\n"),
      beforeRead: (read) => {
        if (read.nth === nth) abort.abort()
        return undefined
      },
    })
    const env = new NodeExecutionEnv({ cwd: folder })
    env.openFileReader = async () => ok(reader)
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const clock = new FakeClock()
    const call = callRead(env, "/virtual", { context, clock })
    call.catch(() => {})
    while (!abort.signal.aborted) await turnOfTheLoop()
    expect(await settleAfterAbort(call, clock)).toBe("aborted")
    expect([reader.isReleased, reader.reads.length <= nth + 2]).toEqual([true, true])
    await expectAllBuffersFree()
  })

  it("settles in time when the environment keeps to no abort at all", async () => {
    const env = new NodeExecutionEnv({ cwd: folder })
    let openLate = (_reader: FakeFileByteReader) => {}
    env.openFileReader = () =>
      new Promise((resolve) => {
        openLate = (reader) => resolve(ok(reader))
      })
    const abort = new AbortController()
    const clock = new FakeClock()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const call = callRead(env, "/virtual", { context, clock })
    call.catch(() => {})
    await turnOfTheLoop()
    abort.abort()
    expect(await settleAfterAbort(call, clock)).toBe("aborted")
    const late = new FakeFileByteReader({ content: "late\n" })
    openLate(late)
    while (!late.isReleased) await turnOfTheLoop()
    expect(late.reads).toEqual([])
  })
})

describe("a failure in the midst of a read call", () => {
  it("is thrown, and leaks nothing", async () => {
    for (let nth = 1; nth <= 4; nth++) {
      const failure = new FileError("unknown", `read ${nth} failed`)
      const reader = new FakeFileByteReader({
        size: FILE_BYTES,
        fill: repeating("a line\n"),
        beforeRead: (read) => (read.nth === nth ? failure : undefined),
      })
      const env = new NodeExecutionEnv({ cwd: folder })
      env.openFileReader = async () => ok(reader)
      await expect(callRead(env, "/virtual")).rejects.toBe(failure)
      while (!reader.isReleased) await turnOfTheLoop()
      await expectAllBuffersFree()
    }
  })

  it("at the open is thrown as it is", async () => {
    const failure = new FileError("permission_denied", "not yours")
    const env = new NodeExecutionEnv({ cwd: folder })
    env.openFileReader = async () => err(failure)
    await expect(callRead(env, "/virtual")).rejects.toBe(failure)
  })
})
