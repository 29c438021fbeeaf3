import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { init } from "@embedpdf/pdfium"
import { describe, expect, test } from "vitest"
import { withMemoryLimit } from "../../../../src/main/documents/engines/wasm-memory-limit.ts"
import { MAX_DOCUMENT_WASM_BYTES } from "../../../../src/main/limits.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../../support/document-extraction.ts"

const PAGE_BYTES = 65_536
const wasmPath = join(dirname(DOCUMENT_PROCESS_ENTRY), "pdfium.wasm")

test("PDFium's memory grows to its limit and not past it", async () => {
  const limited = withMemoryLimit(await readFile(wasmPath), MAX_DOCUMENT_WASM_BYTES)
  const { pdfium } = await init({ wasmBinary: limited.buffer, print: () => undefined, printErr: () => undefined })
  const { memory, malloc } = pdfium.wasmExports as unknown as {
    memory: { buffer: ArrayBuffer; grow(pages: number): number }
    malloc(size: number): number
  }
  expect(malloc(MAX_DOCUMENT_WASM_BYTES)).toBe(0)
  const left = MAX_DOCUMENT_WASM_BYTES / PAGE_BYTES - memory.buffer.byteLength / PAGE_BYTES
  expect(() => memory.grow(left + 1)).toThrow()
  expect(memory.grow(left)).toBeGreaterThan(0)
  expect(memory.buffer.byteLength).toBe(MAX_DOCUMENT_WASM_BYTES)
  expect(() => memory.grow(1)).toThrow()
})

test("nothing of the module but the maximum is changed", async () => {
  const original = await readFile(wasmPath)
  const limited = withMemoryLimit(original, MAX_DOCUMENT_WASM_BYTES)
  expect(limited.length).toBe(original.length)
  const changed = [...limited.keys()].filter((at) => limited[at] !== original[at])
  expect(changed.length).toBeGreaterThan(0)
  expect((changed.at(-1) ?? 0) - (changed[0] ?? 0)).toBeLessThan(5)
})

describe("a module that has no memory of its own with a maximum is refused", () => {
  const header = [0, 97, 115, 109, 1, 0, 0, 0]
  test.each([
    ["without a memory", header],
    ["with a memory without a maximum", [...header, 5, 3, 1, 0, 1]],
    ["with two memories", [...header, 5, 7, 2, 1, 1, 16, 1, 1, 16]],
    ["that starts larger than the limit", [...header, 5, 6, 1, 1, 128, 128, 1, 255, 127]],
    ["that is cut", [...header, 5, 128]],
  ])("%s", (_title, bytes) => {
    expect(() => withMemoryLimit(Uint8Array.from(bytes), 16 * PAGE_BYTES)).toThrow(/maximum|cut/)
  })
})

test("a maximum in several bytes keeps its length", () => {
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 5, 6, 1, 1, 1, 128, 128, 2]
  expect([...withMemoryLimit(Uint8Array.from(module), 2 * PAGE_BYTES)].slice(8)).toEqual([5, 6, 1, 1, 1, 130, 128, 0])
})
