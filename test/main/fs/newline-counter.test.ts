import { readFile } from "node:fs/promises"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { assembleNewlineCounter } from "../../../scripts/assemble-newline-counter.mjs"
import { createNewlineCounter, type WebAssemblyEngine } from "../../../src/main/fs/newline-counter.ts"
import { NEWLINE_COUNTER_WASM } from "../../../src/main/fs/newline-counter-wasm.ts"
import { MAX_SCAN_BUFFERS, MAX_THREADS_HELD, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"

const processEngine = (globalThis as unknown as { WebAssembly: WebAssemblyEngine }).WebAssembly

const withoutSimd: WebAssemblyEngine = {
  validate: () => false,
  Module: processEngine.Module,
  Instance: processEngine.Instance,
}

describe.each([
  ["by WebAssembly", createNewlineCounter()],
  ["by a plain loop, where the engine does not know the instructions", createNewlineCounter(withoutSimd)],
])("the newline counter %s", (_, counter) => {
  it("has room for every buffer, in memory of its own", () => {
    expect(counter.memory.length).toBe(MAX_SCAN_BUFFERS * 2 * READ_CHUNK_BYTES)
    expect(counter.memory.byteOffset).toBe(0)
  })

  it("counts nothing in no bytes", () => {
    counter.memory.fill(0x0a, 0, 64)
    expect(counter.count(0, 0)).toBe(0)
    expect(counter.count(17, 17)).toBe(0)
    expect(counter.find(17, 17, 1)).toBe(-1)
  })

  it("counts a whole chunk, and all memory, of line feeds", () => {
    counter.memory.fill(0x0a)
    expect(counter.count(0, READ_CHUNK_BYTES)).toBe(READ_CHUNK_BYTES)
    expect(counter.count(0, counter.memory.length)).toBe(counter.memory.length)
    expect(counter.find(3, counter.memory.length, 1_000_000)).toBe(1_000_002)
  })

  it("takes no other byte for a line feed", () => {
    for (let at = 0; at < 512; at++) counter.memory[at] = at & 0xff
    expect(counter.count(0, 512)).toBe(2)
    expect(counter.find(0, 512, 2)).toBe(0x10a)
    expect(counter.find(0, 512, 3)).toBe(-1)
  })

  it("agrees with a filter over any bytes, at any place and length", () => {
    const bytes = fc
      .uint8Array({ maxLength: 9_000 })
      .chain((random) =>
        fc.constantFrom(1, 2, 7, 100).map((modulus) => random.map((byte) => (byte % modulus === 0 ? 0x0a : byte))),
      )
    fc.assert(
      fc.property(bytes, fc.nat(300), fc.nat(9_000), (content, start, nth) => {
        counter.memory.fill(0x0a, 0, start + content.length + 200)
        counter.memory.set(content, start)
        const positions = [...content.keys()].filter((at) => content[at] === 0x0a).map((at) => start + at)
        expect(counter.count(start, start + content.length)).toBe(positions.length)
        expect(counter.find(start, start + content.length, nth + 1)).toBe(positions[nth] ?? -1)
      }),
      { numRuns: 300 },
    )
  })
})

describe("the memory of the newline counter", () => {
  it("leaves one buffer free however many calls the operating system never answers", () => {
    expect(MAX_SCAN_BUFFERS).toBeGreaterThan(MAX_THREADS_HELD)
  })
})

describe("newline-counter-wasm.ts", () => {
  it("is what newline-counter.wat assembles to", async () => {
    const committed = await readFile(new URL("../../../src/main/fs/newline-counter-wasm.ts", import.meta.url), "utf8")
    expect(await assembleNewlineCounter()).toBe(committed)
  })

  it("is known to this engine, so the fast way is among those tested above", () => {
    expect(processEngine.validate(Buffer.from(NEWLINE_COUNTER_WASM, "base64"))).toBe(true)
  })
})
