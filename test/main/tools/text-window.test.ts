import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLineIndex, type LineIndex } from "../../../src/main/fs/line-index.ts"
import { createScanBuffers } from "../../../src/main/fs/scan-buffer.ts"
import { READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { readTextWindow } from "../../../src/main/tools/text-window.ts"
import type { TextWindowOutcome, TextWindowRequest } from "../../../src/main/tools/text-window-types.ts"
import { FakeFileByteReader } from "../../../src/testing/fake-file-byte-reader.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { dropBom, oracleWindow, splitAtLineFeeds } from "../../support/text-oracle.ts"

const buffers = createScanBuffers()
const SMALL = { maxLines: 4, maxBytes: 40, countingDeadlineMs: 10_000 }

async function windowOf(
  bytes: Uint8Array,
  request: Partial<TextWindowRequest>,
  { shortReads = 0, headBytes = bytes.length }: { shortReads?: number; headBytes?: number } = {},
): Promise<TextWindowOutcome> {
  const reader = new FakeFileByteReader({ content: bytes, ...(shortReads > 0 ? { shortReads } : {}) })
  const buffer = getOrThrow(await buffers.lease(BACKGROUND_CONTEXT))
  try {
    const [half] = buffer.halves
    const head = half.subarray(0, Math.min(headBytes, bytes.length, half.length))
    head.set(bytes.subarray(0, head.length))
    const asked = { offset: 1, encoding: "utf-8", limits: SMALL, clock: () => 0, ...request }
    return getOrThrow(await readTextWindow(reader, buffer, head, asked, BACKGROUND_CONTEXT))
  } finally {
    buffer.release()
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
/** What files are made of that windows got wrong somewhere: line ends, marks, damage, characters of each length. */
const piece = fc.oneof(
  fc
    .constantFrom("\n", "\r\n", "\r", "\n\n\n", "\ufeff", "\0", "\ufffd", "\u2028", "\f", "é", "漢", "🙂", "\x85")
    .map(utf8),
  fc
    .constantFrom([0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xff, 0xfe], [0xef, 0xbf])
    .map((bytes) => Uint8Array.from(bytes)),
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ maxLength: 30 }).map(utf8),
  fc.integer({ min: 1, max: 60 }).map((length) => utf8("x".repeat(length))),
)
const smallFile = fc.array(piece, { maxLength: 24 }).map((pieces) => new Uint8Array(Buffer.concat(pieces)))
/** The same at the border of two chunks, some bytes before and some behind it. */
const fileAcrossChunks = fc
  .tuple(smallFile, smallFile, fc.integer({ min: 0, max: 40 }))
  .map(([start, behind, before]) => {
    const filler = Buffer.alloc(Math.max(0, READ_CHUNK_BYTES - start.length - before), "0123456789abcde\n")
    return new Uint8Array(Buffer.concat([start, filler, behind]))
  })

/** Both sides in the same terms; the bytes of the selection only where no character is longer as it is shown. */
function comparable(outcome: TextWindowOutcome, bytes: Uint8Array) {
  if (outcome.kind === "empty") return { kind: "empty" }
  if (outcome.kind === "beyond-end") return { kind: outcome.kind, totalLines: outcome.totalLines }
  if (outcome.kind === "beyond-line") throw new Error("No column was asked for")
  const { truncation } = outcome
  const isPlain = !bytes.includes(0) && Buffer.from(new TextDecoder().decode(bytes)).equals(dropBom(bytes))
  return {
    kind: outcome.kind,
    totalLines: outcome.totalLines,
    truncated: truncation.truncated,
    truncatedBy: truncation.truncatedBy,
    selectedLines: truncation.totalLines,
    outputLines: truncation.outputLines,
    outputBytes: truncation.outputBytes,
    ...(isPlain ? { selectedBytes: truncation.totalBytes } : {}),
    ...(outcome.kind === "window" ? { content: outcome.content, replaced: outcome.replaced } : {}),
  }
}

function expected(bytes: Uint8Array, offset: number, limit: number | undefined) {
  const { kind, content, replaced, selectedBytes, ...facts } = oracleWindow(bytes, offset, limit, SMALL)
  if (kind === "empty") return { kind }
  if (kind === "beyond-end") return { kind, totalLines: facts.totalLines }
  const isPlain = !bytes.includes(0) && Buffer.from(new TextDecoder().decode(bytes)).equals(dropBom(bytes))
  return {
    kind,
    ...facts,
    ...(isPlain ? { selectedBytes } : {}),
    ...(kind === "window" ? { content, replaced } : {}),
  }
}

const offsets = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 20_000 }))
const limits = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined })

describe("A window equals that of the whole file at once", () => {
  it("for any bytes, offset and limit, however few bytes a read answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        smallFile,
        offsets,
        limits,
        fc.nat(1_000),
        fc.nat(64),
        async (bytes, offset, limit, seed, head) => {
          const request = limit === undefined ? { offset } : { offset, limit }
          const outcome = await windowOf(bytes, request, { shortReads: seed, headBytes: Math.max(3, head) })
          expect(comparable(outcome, bytes)).toEqual(expected(bytes, offset, limit))
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it("at the borders of chunks", async () => {
    await fc.assert(
      fc.asyncProperty(fileAcrossChunks, limits, fc.nat(30), async (bytes, limit, back) => {
        const offset = Math.max(1, splitAtLineFeeds(bytes).length - back)
        const outcome = await windowOf(bytes, limit === undefined ? { offset } : { offset, limit })
        expect(comparable(outcome, bytes)).toEqual(expected(bytes, offset, limit))
      }),
      { numRuns: 60 },
    )
  })

  it("also where lines are known from an earlier read", async () => {
    await fc.assert(
      fc.asyncProperty(fileAcrossChunks, fc.nat(100), limits, async (bytes, step, limit) => {
        const index = createLineIndex({ now: () => 10_000 })
        await windowOf(bytes, { index })
        const offset = 1 + step * 200
        const request = limit === undefined ? { offset, index } : { offset, limit, index }
        expect(comparable(await windowOf(bytes, request), bytes)).toEqual(expected(bytes, offset, limit))
      }),
      { numRuns: 60 },
    )
  })
})

describe("The parts of a line", () => {
  it("join to the line, each further on than the one before, for any bytes and any column to begin with", async () => {
    await fc.assert(
      fc.asyncProperty(smallFile, fc.integer({ min: 1, max: 6 }), fc.nat(500), async (bytes, offset, seed) => {
        const line = splitAtLineFeeds(dropBom(bytes))[offset - 1]
        fc.pre(line !== undefined && line.length > 0)
        let column: number | undefined = 1
        let joined = ""
        while (column !== undefined) {
          const part: TextWindowOutcome = await windowOf(bytes, { offset, column }, { shortReads: seed })
          if (part.kind !== "window" || part.part === undefined) throw new Error(`Not a part: ${part.kind}`)
          expect(Buffer.byteLength(part.content)).toBeLessThanOrEqual(SMALL.maxBytes)
          expect(part.part.column).toBe(column)
          joined += part.content
          if (part.part.nextColumn !== undefined) expect(part.part.nextColumn).toBeGreaterThan(column)
          column = part.part.nextColumn
        }
        const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(line).replaceAll("\0", "\u2400")
        expect(joined).toBe(whole)
      }),
      { numRuns: 600 },
    )
  })

  it("begin at the start of the character that the column is in", async () => {
    const bytes = utf8(`a漢🙂${"b".repeat(60)}`)
    const starts: (number | undefined)[] = []
    for (let column = 1; column <= 9; column++) {
      const outcome = await windowOf(bytes, { column })
      starts.push(outcome.kind === "window" ? outcome.part?.column : undefined)
    }
    expect(starts).toEqual([1, 2, 2, 2, 5, 5, 5, 5, 9])
  })
})

describe("What is remembered of lines", () => {
  const ROW = "a line of twenty chr\n"
  const bytes = utf8(ROW.repeat(200_000))
  const start = { mtimeNs: 1_000_000_000n, ctimeNs: 1_000_000_000n }

  async function secondRead(index: LineIndex, change: object): Promise<number> {
    const read = async (state: object, offset: number): Promise<number> => {
      const reader = new FakeFileByteReader({ content: bytes, ...start, ...state })
      const buffer = getOrThrow(await buffers.lease(BACKGROUND_CONTEXT))
      const head = buffer.halves[0].subarray(0, 0)
      const request = { offset, limit: 1, encoding: "utf-8", limits: SMALL, index }
      const outcome = getOrThrow(await readTextWindow(reader, buffer, head, request, BACKGROUND_CONTEXT))
      buffer.release()
      expect(outcome).toMatchObject({ kind: "window", totalLines: 200_001 })
      return reader.reads.reduce((sum, { answered = 0 }) => sum + answered, 0)
    }
    await read({}, 1)
    return read(change, 150_000)
  }

  it("spares the second read all but the chunks from the last checkpoint on", async () => {
    const scanned = await secondRead(createLineIndex({ now: () => 10_000 }), {})
    expect(scanned).toBeLessThanOrEqual(1024 * 1024 + 2 * READ_CHUNK_BYTES)
  })

  it.each([
    ["another file has the name", { identity: "1:2" }],
    ["it was written to", { mtimeNs: 1_000_000_001n }],
    ["it was written to and its time was set back", { ctimeNs: 1_000_000_001n }],
  ])("is not trusted where %s", async (_, change) => {
    expect(await secondRead(createLineIndex({ now: () => 10_000 }), change)).toBe(bytes.length)
  })

  it.each([
    ["less than 2 s before the scan", 2_999, bytes.length],
    ["2 s before the scan", 3_000, undefined],
  ])("is kept of a file that was last changed %s, or not", async (_, now, scanned) => {
    const second = await secondRead(createLineIndex({ now: () => now }), {})
    expect(second === bytes.length).toBe(scanned === bytes.length)
  })

  it("is bounded in files, the least recently used out first", async () => {
    const index = createLineIndex({ now: () => 10_000, maxFiles: 2 })
    const known = (identity: string) =>
      index.find({ ...new FakeFileByteReader({ content: bytes, identity, ...start }).info }, "byte")
    for (const identity of ["1:1", "1:2", "1:1", "1:3"]) {
      const reader = new FakeFileByteReader({ content: bytes, identity, ...start })
      const buffer = getOrThrow(await buffers.lease(BACKGROUND_CONTEXT))
      const request = { offset: 1, encoding: "utf-8", limits: SMALL, index }
      await readTextWindow(reader, buffer, buffer.halves[0].subarray(0, 0), request, BACKGROUND_CONTEXT)
      buffer.release()
    }
    expect(["1:1", "1:2", "1:3"].map((identity) => known(identity) !== undefined)).toEqual([true, false, true])
  })
})
