import { expect, it, test } from "vitest"
import { DEFAULT_LIMITS } from "../../../src/main/limits.ts"
import { imageBlocks } from "../../../src/main/tools/image-block.ts"
import { readImage } from "../../../src/main/tools/image-content.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { byteReader } from "../../support/byte-reader.ts"

function bytesOf(length: number): Uint8Array {
  // Within a buffer that holds more, as what a process sends may be.
  return new Uint8Array(length + 7).map((_, at) => (at * 31) >>> 3).subarray(3, length + 3)
}

it.each([0, 1, 2, 3, 98_303, 98_304, 98_305, 98_306, 400_001])("is base64 as one, of %i bytes", async (length) => {
  const data = bytesOf(length)
  const blocks = await imageBlocks([{ data, mimeType: "image/png" }])
  expect(blocks).toEqual([{ type: "image", mimeType: "image/png", data: Buffer.from(data).toString("base64") }])
})

it("lets the event loop turn between slices", async () => {
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await imageBlocks([{ data: bytesOf(98_304 * 8), mimeType: "image/png" }])
  clearImmediate(counting)
  expect(turns).toBeGreaterThanOrEqual(7)
})

test("an abort while an image is put in base64 is an abort of the read", async () => {
  const abort = new AbortController()
  const reader = byteReader(bytesOf(100))
  const documentExtractor = {
    extract: () => Promise.reject(new Error("Not asked")),
    convertImage: async () => {
      const image = { data: bytesOf(1_000_000), mimeType: "image/png" as const, width: 9, height: 9 }
      setImmediate(() => abort.abort())
      return { ok: true as const, value: { bytes: 100, originalWidth: 9, originalHeight: 9, converted: true, image } }
    },
  }
  const request = {
    reader,
    image: { format: "png" as const, mimeType: "image/png" as const, width: 9, height: 9 },
    limits: DEFAULT_LIMITS,
    documentExtractor,
  }
  const result = await readImage(request, withAbortSignal(abort.signal, BACKGROUND_CONTEXT))
  expect(result).toMatchObject({ ok: false, error: { code: "aborted" } })
})
