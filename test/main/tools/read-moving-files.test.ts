import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import { FakeFileByteReader, repeating } from "../../../src/testing/fake-file-byte-reader.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import { callRead, textOf } from "../../support/read-call.ts"

const LINE = "0123456789abcde\n"
const LINES = (4 * READ_CHUNK_BYTES) / LINE.length

let folder: string
let path: string

beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "read-moving-"))
  path = join(folder, "log")
})

afterAll(() => fs.rmSync(folder, { recursive: true }))

/** A kernel stamps files by a clock that ticks every few milliseconds: what happens in one tick looks the same. */
async function untilStampsDiffer(): Promise<void> {
  const { ctimeNs } = fs.statSync(path, { bigint: true })
  const probe = join(folder, "probe")
  do {
    await new Promise((resolve) => setImmediate(resolve))
    fs.writeFileSync(probe, "")
  } while (fs.statSync(probe, { bigint: true }).ctimeNs <= ctimeNs)
}

/** An environment in which `act` runs just before the nth read is made. */
function envActing(nth: number, act: () => void): NodeExecutionEnv {
  let reads = 0
  const { module } = fakeFileSystemModule({
    beforeCall(call, make) {
      if (call.name === "read" && ++reads === nth) act()
      make()
    },
  })
  return new NodeExecutionEnv({ cwd: folder, fs: module })
}

describe("a file that changes while it is read", () => {
  it.each([1, 2, 3])("and grows is read to the size it had when it was opened (at read %d)", async (nth) => {
    fs.writeFileSync(path, LINE.repeat(LINES))
    const result = await callRead(
      envActing(nth, () => fs.appendFileSync(path, LINE.repeat(LINES))),
      path,
    )
    expect(textOf(result)).toContain(`[Showing lines 1-2000 of ${LINES + 1}. Use offset=2001 to continue.]`)
    expect(textOf(result)).toContain("[File changed while it was read.]")
    expect(result.receipt).toMatchObject({ changed: true, bytes: LINE.length * LINES, totalLines: LINES + 1 })
  })

  it("and grows as fast as it is read comes to an end", async () => {
    fs.writeFileSync(path, LINE.repeat(LINES))
    let reads = 0
    const { module } = fakeFileSystemModule({
      beforeCall(call, make) {
        if (call.name === "read") {
          reads++
          fs.appendFileSync(path, "x".repeat(READ_CHUNK_BYTES))
        }
        make()
      },
    })
    const result = await callRead(new NodeExecutionEnv({ cwd: folder, fs: module }), path)
    expect(result.receipt).toMatchObject({ changed: true, totalLines: LINES + 1 })
    expect(reads).toBeLessThan(10)
  })

  it.each([2, 3])("and shrinks says so, and shows what was read (at read %d)", async (nth) => {
    fs.writeFileSync(path, LINE.repeat(LINES))
    const result = await callRead(
      envActing(nth, () => fs.truncateSync(path, READ_CHUNK_BYTES)),
      path,
    )
    expect(textOf(result)).toContain("[File changed while it was read.]")
    expect(result.receipt.changed).toBe(true)
    expect(textOf(result).startsWith(LINE.repeat(2_000).trimEnd())).toBe(true)
  })

  it("and is replaced says so, and shows the file that was opened", async () => {
    fs.writeFileSync(path, LINE.repeat(LINES))
    await untilStampsDiffer()
    const result = await callRead(
      envActing(3, () => {
        fs.writeFileSync(`${path}.new`, "another file\n")
        fs.renameSync(`${path}.new`, path)
      }),
      path,
    )
    expect(textOf(result)).toContain("[File changed while it was read.]")
    expect(textOf(result)).not.toContain("another file")
    expect(result.receipt).toMatchObject({ changed: true, totalLines: LINES + 1 })
  })

  it("is not what a file at rest is taken for", async () => {
    fs.writeFileSync(path, LINE.repeat(LINES))
    const result = await callRead(new NodeExecutionEnv({ cwd: folder }), path)
    expect(textOf(result)).not.toContain("changed")
    expect(result.receipt.changed).toBeUndefined()
  })
})

describe("a file that would take too long to count", () => {
  it("of 1 TB, sparse but for its text, is shown with the lines counted by the deadline", async ({ skip }) => {
    const sparse = join(folder, "sparse")
    fs.writeFileSync(sparse, LINE.repeat(1_024))
    try {
      fs.truncateSync(sparse, 2 ** 40)
    } catch (error) {
      return skip(`this file system holds no such file: ${error}`)
    }
    const clock = new FakeClock()
    let reads = 0
    const { module } = fakeFileSystemModule({
      beforeAnswer(call, deliver) {
        if (call.name === "read") {
          reads++
          clock.advance(100)
        }
        deliver()
      },
    })
    const env = new NodeExecutionEnv({ cwd: folder, fs: module })
    const result = await callRead(env, sparse, { clock })
    fs.rmSync(sparse)
    expect(textOf(result).split("\n").slice(1_022)).toEqual([
      LINE.trimEnd(),
      LINE.trimEnd(),
      "",
      "[Showing lines 1-1024 of more than 1025 (50.0KB limit). Use offset=1025 to continue.]",
    ])
    expect(result.receipt).toMatchObject({ lines: "1-1024", nextOffset: 1_025, bytes: 2 ** 40 })
    expect(result.receipt.totalLines).toBeUndefined()
    // 10 s in steps of 100 ms, and the read-ahead.
    expect(reads).toBeLessThanOrEqual(103)
  })

  it("says how far it got where the offset was not reached by then", async () => {
    const clock = new FakeClock()
    const reader = new FakeFileByteReader({
      size: 2 ** 40,
      fill: repeating(LINE),
      beforeRead: () => {
        clock.advance(100)
        return undefined
      },
    })
    const env = new NodeExecutionEnv({ cwd: folder })
    env.openFileReader = async () => ok(reader)
    await expect(callRead(env, "/virtual", { clock, parameters: { offset: 2 ** 35 } })).rejects.toThrow(/10 s/)
    expect(reader.isReleased).toBe(true)
    expect(reader.reads.length).toBeLessThanOrEqual(103)
  })
})
