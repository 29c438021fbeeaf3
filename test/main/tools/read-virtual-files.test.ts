import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { DEFAULT_LIMITS, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { FakeFileByteReader } from "../../../src/testing/fake-file-byte-reader.ts"
import { callRead, envWithReader, ToolFolder, textOf } from "../../support/tool-calls.ts"

let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(() => folder.remove())

const SIZE = 500 * 1024 * 1024
const LINE = Buffer.from("twenty bytes a line\n")
/** Whole lines, so that any stretch of it can be copied from. */
const PATTERN = Buffer.alloc(READ_CHUNK_BYTES + LINE.length, LINE)

/** A file that is nowhere on the disk, and what was asked of it. */
function virtualFile(fill: (position: number, view: Uint8Array) => void): FakeFileByteReader {
  return new FakeFileByteReader({ path: "/virtual/big.log", size: SIZE, fill })
}

const log = (): FakeFileByteReader =>
  virtualFile((position, view) => {
    const from = position % LINE.length
    view.set(PATTERN.subarray(from, from + view.length))
  })
const singleLine = (): FakeFileByteReader => virtualFile((_, view) => view.fill(0x78))

describe.each([
  ["a log of 500 MB", log, "[Showing lines 1-2000 of 26214401. Use offset=2001 to continue.]"],
  [
    "a single line of 500 MB",
    singleLine,
    "[Line 1 is 500.0MB, exceeds 50.0KB limit. Use bash: sed -n '1p' big.log | head -c 51200]",
  ],
])("%s", (_, makeFile, notice) => {
  it("answers the exact notice, in bounded reads into one buffer, to the end, with bounded decoding", async () => {
    const reader = makeFile()
    const decode = vi.spyOn(TextDecoder.prototype, "decode")
    const result = await callRead(createReadTool(), envWithReader(folder.env, reader), { path: "big.log" })
    const decoded = decode.mock.calls.map(([bytes]) => (bytes as Uint8Array | undefined)?.byteLength ?? 0)
    decode.mockRestore()
    expect(textOf(result).endsWith(notice)).toBe(true)
    expect(Math.max(...reader.reads.map(({ length }) => length))).toBeLessThanOrEqual(READ_CHUNK_BYTES)
    expect(new Set(reader.reads.map(({ view }) => view.buffer)).size).toBe(1)
    const [first] = reader.reads
    const span = reader.reads.map(({ view }) => view.byteOffset - (first?.view.byteOffset ?? 0))
    expect(Math.max(...span)).toBeLessThan(2 * READ_CHUNK_BYTES)
    expect(reader.mostUnderWay).toBeLessThanOrEqual(2)
    expect(reader.reads.reduce((sum, { answered = 0 }) => sum + answered, 0)).toBe(SIZE)
    expect(Math.max(...decoded)).toBeLessThanOrEqual(DEFAULT_LIMITS.maxBytes + 1 + READ_CHUNK_BYTES)
    expect(reader.isReleased).toBe(true)
  })
})
