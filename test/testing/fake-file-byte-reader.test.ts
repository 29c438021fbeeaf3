import { describe, expect, it } from "vitest"
import { isMemoryLent } from "../../src/main/fs/lent-memory.ts"
import { FakeFileByteReader, repeating } from "../../src/testing/fake-file-byte-reader.ts"
import { BACKGROUND_CONTEXT, FileError, getOrThrow, withAbortSignal } from "../../vendor/pi-harness/index.ts"

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe("a fake file reader", () => {
  it("answers the bytes of its content, fewer at the end and none past it", async () => {
    const reader = new FakeFileByteReader({ content: "hello" })
    expect(reader.info).toMatchObject({ path: "/fake/file", size: 5, identity: "1:1" })
    expect(text(getOrThrow(await reader.read(1, 2, BACKGROUND_CONTEXT)))).toBe("el")
    expect(text(getOrThrow(await reader.read(3, 10, BACKGROUND_CONTEXT)))).toBe("lo")
    expect(getOrThrow(await reader.read(5, 10, BACKGROUND_CONTEXT))).toHaveLength(0)
    expect(reader.reads.map((read) => [read.nth, read.position, read.length, read.answered])).toEqual([
      [1, 1, 2, 2],
      [2, 3, 10, 2],
      [3, 5, 10, 0],
    ])
  })

  it("fills the memory that it is given, and answers a view of it", async () => {
    const into = new Uint8Array(8)
    const reader = new FakeFileByteReader({ content: "hello" })
    const view = getOrThrow(await reader.read(0, 4, BACKGROUND_CONTEXT, into))
    expect(view.buffer).toBe(into.buffer)
    expect(text(view)).toBe("hell")
  })

  it("repeats a pattern from any position on", async () => {
    const pattern = "0123456789abc\n"
    const reader = new FakeFileByteReader({ size: 500, fill: repeating(pattern) })
    const whole = pattern.repeat(40)
    for (const position of [0, 1, 13, 14, 15, 200, 499]) {
      for (const length of [1, 5, 13, 14, 15, 28, 29, 100, 255]) {
        const bytes = getOrThrow(await reader.read(position, length, BACKGROUND_CONTEXT))
        expect(text(bytes)).toBe(whole.slice(position, Math.min(500, position + length)))
      }
    }
  })

  it("reads short by its seed, and never nothing before the end", async () => {
    const lengths = async (seed: number) => {
      const reader = new FakeFileByteReader({ size: 5_000, fill: repeating("ab"), shortReads: seed })
      const counts: number[] = []
      for (let position = 0; position < 5_000; ) {
        const { byteLength } = getOrThrow(await reader.read(position, 1_000, BACKGROUND_CONTEXT))
        expect(byteLength).toBeGreaterThan(0)
        counts.push(byteLength)
        position += byteLength
      }
      return counts
    }
    expect(await lengths(7)).toEqual(await lengths(7))
    expect(await lengths(7)).not.toEqual(await lengths(8))
  })

  it("settles an aborted read at once, and fills its memory when the read comes back", async () => {
    let release = () => {}
    const reader = new FakeFileByteReader({
      content: "late",
      beforeRead: () => new Promise((resolve) => (release = () => resolve(undefined))),
    })
    const abort = new AbortController()
    const into = new Uint8Array(4)
    const pending = reader.read(0, 4, withAbortSignal(abort.signal, BACKGROUND_CONTEXT), into)
    await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    expect(await pending).toMatchObject({ ok: false, error: { code: "aborted" } })
    await reader.close(BACKGROUND_CONTEXT)
    expect([reader.isReleased, isMemoryLent(into)]).toEqual([false, true])
    release()
    await new Promise((resolve) => setImmediate(resolve))
    expect([reader.isReleased, isMemoryLent(into), text(into)]).toEqual([true, false, "late"])
  })

  it("fails the read that it is told to, and says on refresh what has become of the file", async () => {
    const reader = new FakeFileByteReader({
      content: "abc",
      beforeRead: ({ nth }) => (nth === 2 ? new FileError("unknown", "gone") : undefined),
    })
    expect((await reader.read(0, 1, BACKGROUND_CONTEXT)).ok).toBe(true)
    expect(await reader.read(1, 1, BACKGROUND_CONTEXT)).toMatchObject({ ok: false, error: { message: "gone" } })
    reader.change({ size: 1, ctimeNs: 5_000_000_000n })
    expect(getOrThrow(await reader.refresh(BACKGROUND_CONTEXT))).toMatchObject({ size: 1, ctimeNs: 5_000_000_000n })
    expect(reader.info).toMatchObject({ size: 3, ctimeNs: 1_000_000_000n })
    expect(getOrThrow(await reader.read(1, 5, BACKGROUND_CONTEXT))).toHaveLength(0)
  })

  it("states another size where it is told to, as procfs does", async () => {
    const reader = new FakeFileByteReader({ content: "Name:\tnode\n", statedSize: 0 })
    expect(reader.info.size).toBe(0)
    expect(getOrThrow(await reader.read(0, 100, BACKGROUND_CONTEXT))).toHaveLength(11)
  })

  it("refuses what the real one refuses", async () => {
    const reader = new FakeFileByteReader({ content: "abc" })
    expect(await reader.read(-1, 1, BACKGROUND_CONTEXT)).toMatchObject({ ok: false, error: { code: "invalid" } })
    await reader.close(BACKGROUND_CONTEXT)
    await reader.close(BACKGROUND_CONTEXT)
    expect(await reader.read(0, 1, BACKGROUND_CONTEXT)).toMatchObject({ ok: false, error: { code: "invalid" } })
  })
})
