import { afterAll, expect, test } from "vitest"
import { createNodeDocumentExtractor } from "../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { textPdf } from "../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../support/document-extraction.ts"

const extractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
afterAll(() => extractor.close())

test("a PDF is read page by page in a process of its own", async () => {
  const pdf = textPdf(["Hello, world"], ["Second page", "of two"])
  const read = await extractor.extract({ kind: "pdf", reader: readerOf(pdf), images: false }, BACKGROUND_CONTEXT)
  expect(getOrThrow(read)).toEqual({
    kind: "pdf",
    bytes: pdf.length,
    pageCount: 2,
    pages: [
      { page: 1, text: "Hello, world" },
      { page: 2, text: "Second page\nof two" },
    ],
    textTruncated: false,
  })
})

test("closing leaves no process, and later documents are unavailable", async () => {
  const own = createNodeDocumentExtractor({ entry: DOCUMENT_PROCESS_ENTRY, limits: { documentDeadlineMs: 60_000 } })
  const request = { kind: "pdf", reader: readerOf(textPdf(["x"])), images: false } as const
  expect(await own.extract(request, BACKGROUND_CONTEXT)).toMatchObject({ ok: true })
  const second = own.extract(request, BACKGROUND_CONTEXT)
  const pids = own.processIds
  await own.close()
  await second
  // On a machine under load a killed process may take longer to go than anyone waits for it.
  await until(() => !pids.some(isRunning))
  expect(pids.length).toBeGreaterThan(0)
  expect(own.processIds).toEqual([])
  expect(getOrThrow(await own.extract(request, BACKGROUND_CONTEXT))).toMatchObject({ notRead: "unavailable" })
})
