import { describe, expect, test } from "vitest"
import { documentJob } from "../../../src/main/documents/document-job.ts"
import { DEFAULT_LIMITS } from "../../../src/main/limits.ts"
import { readerOf } from "../../support/document-extraction.ts"

const request = { kind: "pdf", reader: readerOf(new Uint8Array(1)), images: false } as const

describe("the pages of a job", () => {
  test("are ascending, each once", () => {
    expect(documentJob({ ...request, pages: [3, 1, 3, 2] }, DEFAULT_LIMITS)).toMatchObject({
      value: { pages: [1, 2, 3] },
    })
  })

  test.each([[[]], [[0]], [[-1]], [[1.5]], [[Number.NaN]], [[2 ** 31]], [Array.from({ length: 21 }, (_, i) => i + 1)]])(
    "%j are refused",
    (pages) => {
      expect(documentJob({ ...request, pages }, DEFAULT_LIMITS)).toMatchObject({ error: { code: "invalid_pages" } })
    },
  )
})

test("what a host allows stays within what a message may hold", () => {
  const job = documentJob(
    { ...request, password: "x".repeat(5_000) },
    { ...DEFAULT_LIMITS, maxDocumentCharacters: 1e9 },
  )
  expect(job).toMatchObject({ value: { password: "x".repeat(1_024), limits: { maxCharacters: 4_000_000 } } })
})

test.each([
  [undefined, 4_000_000],
  [10_000.9, 10_000],
  [4_000_001, 4_000_000],
  [Number.POSITIVE_INFINITY, 4_000_000],
  [0, 1],
  [-5, 1],
  [Number.NaN, 4_000_000],
])("%s pixels asked for are %s of the limit", (maxPixels, allowed) => {
  const asked = maxPixels === undefined ? request : { ...request, maxPixels }
  expect(documentJob(asked, DEFAULT_LIMITS)).toMatchObject({ value: { limits: { maxPixels: allowed } } })
})
