import { expect, test } from "vitest"
import { exactBytes } from "../../../src/main/documents/exact-bytes.ts"

test("a view of a larger buffer, or of shared memory, is copied into a buffer of its own", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(5)
  for (const view of [new Uint8Array(64).fill(5).subarray(8, 11), Buffer.from([5, 5, 5]), shared]) {
    const exact = exactBytes(view)
    expect([...exact]).toEqual([5, 5, 5])
    expect(exact.buffer).toBeInstanceOf(ArrayBuffer)
    expect(exact.buffer.byteLength).toBe(3)
    view.fill(6)
    expect([...exact]).toEqual([5, 5, 5])
  }
})

test("a view that is alone in its buffer is not copied", () => {
  const alone = Uint8Array.of(1, 2, 3)
  expect(exactBytes(alone).buffer).toBe(alone.buffer)
})
