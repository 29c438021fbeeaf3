import { describe, expect, it } from "vitest"
import { lendMemory, takeBackMemory } from "../../../src/main/fs/lent-memory.ts"
import { createScanBuffers, leaseScanBuffer, type ScanBuffer } from "../../../src/main/fs/scan-buffer.ts"
import { MAX_SCAN_BUFFERS, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { BACKGROUND_CONTEXT, getOrThrow, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

type Buffers = ReturnType<typeof createScanBuffers>

async function leaseAll(buffers: Buffers): Promise<ScanBuffer[]> {
  const leased: ScanBuffer[] = []
  while (leased.length < MAX_SCAN_BUFFERS) leased.push(getOrThrow(await buffers.lease(BACKGROUND_CONTEXT)))
  return leased
}

/** Lets every promise that can settle do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("scan buffers", () => {
  it("are halves of one chunk each, one behind the other, in one memory that no two share", async () => {
    const leased = await leaseAll(createScanBuffers())
    const starts = leased.flatMap(({ halves }) => halves.map((half) => half.byteOffset))
    for (const { halves } of leased) {
      expect(halves.map((half) => half.length)).toEqual([READ_CHUNK_BYTES, READ_CHUNK_BYTES])
      expect(halves[1].byteOffset - halves[0].byteOffset).toBe(READ_CHUNK_BYTES)
      expect(halves[1].buffer).toBe(leased[0]?.halves[0].buffer)
    }
    expect(new Set(starts).size).toBe(MAX_SCAN_BUFFERS * 2)
  })

  it("are lent again in the order that was asked for, once released", async () => {
    const buffers = createScanBuffers()
    const leased = await leaseAll(buffers)
    const served: string[] = []
    for (const name of ["first", "second", "third"]) {
      void buffers.lease(BACKGROUND_CONTEXT).then(() => served.push(name))
    }
    await settle()
    expect(served).toEqual([])
    leased[2]?.release()
    leased[2]?.release()
    await settle()
    expect(served).toEqual(["first"])
    leased[0]?.release()
    await settle()
    expect(served).toEqual(["first", "second"])
  })

  it("serve 2,000 borrowers one after the other with the same memory", async () => {
    const buffers = createScanBuffers()
    const places = new Set<number>()
    await Promise.all(
      Array.from({ length: 2_000 }, async () => {
        const buffer = getOrThrow(await buffers.lease(BACKGROUND_CONTEXT))
        places.add(buffer.halves[0].byteOffset)
        await settle()
        buffer.release()
      }),
    )
    expect(places.size).toBe(MAX_SCAN_BUFFERS)
  })

  it("stay lent after their release while the operating system may write to any part of them", async () => {
    const buffers = createScanBuffers()
    const [first, second] = await leaseAll(buffers)
    const views = (first?.halves ?? []).map((half) => half.subarray(100, 200))
    const elsewhere = second?.halves[0] ?? new Uint8Array()
    for (const view of [...views, elsewhere]) lendMemory(view)
    let served = false
    void buffers.lease(BACKGROUND_CONTEXT).then(() => {
      served = true
    })
    first?.release()
    takeBackMemory(views[0] ?? elsewhere)
    await settle()
    expect(served).toBe(false)
    takeBackMemory(views[1] ?? elsewhere)
    await settle()
    expect(served).toBe(true)
    takeBackMemory(elsewhere)
  })

  it("are not taken by a borrower that gave up while it waited, nor by one that had before", async () => {
    const buffers = createScanBuffers()
    const leased = await leaseAll(buffers)
    const abort = new AbortController()
    const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
    const given = buffers.lease(context)
    const next = buffers.lease(BACKGROUND_CONTEXT)
    abort.abort()
    expect(await given).toMatchObject({ ok: false, error: { code: "aborted" } })
    expect(await buffers.lease(context)).toMatchObject({ ok: false, error: { code: "aborted" } })
    leased[0]?.release()
    expect(await next).toMatchObject({ ok: true })
  })

  it("count and find line feeds in their halves and in any other bytes", async () => {
    const buffer = getOrThrow(await leaseScanBuffer(BACKGROUND_CONTEXT))
    const text = new TextEncoder().encode("one\ntwo\n\nfour")
    buffer.halves[1].set(text, 1_000)
    for (const view of [buffer.halves[1].subarray(1_000, 1_000 + text.length), text]) {
      expect(buffer.countNewlines(view)).toBe(3)
      expect([1, 2, 3, 4].map((nth) => buffer.indexOfNewline(view, nth))).toEqual([3, 7, 8, -1])
    }
    buffer.release()
  })
})
