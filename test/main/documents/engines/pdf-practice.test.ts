import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createPdfEngine } from "../../../../src/main/documents/engines/pdf.ts"
import { PDF_PRACTICE_DOCUMENT } from "../../../../src/main/documents/engines/pdf-practice-document.ts"
import { createNodeDocumentExtractor } from "../../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../../vendor/pi-harness/index.ts"
import { DOCUMENT_PROCESS_ENTRY, readerOf } from "../../../support/document-extraction.ts"

const extractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
afterAll(() => extractor.close())

test("what a process practises on is a document that reads like any other", async () => {
  const bytes = Buffer.from(PDF_PRACTICE_DOCUMENT, "base64")
  const request = { kind: "pdf", reader: readerOf(bytes), images: false } as const
  const read = getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))
  expect(read).toMatchObject({ pageCount: 3, textTruncated: false })
  expect(read.notRead).toBeUndefined()
  expect(read.pages).toHaveLength(3)
  for (const { text } of read.pages) expect(text).toContain("The five boxing wizards jump quickly")
  // By the typesetter: a ligature, and a word that was broken at the end of a line. By the library: not Latin-1.
  expect(read.pages[0]?.text).toContain("fluffy traffic")
  expect(read.pages[0]?.text).toContain("typographical constructions")
  expect(read.pages[1]?.text).toContain("\u0386\u03bb\u03c6\u03b1")
})

test("practice ends with the step in which a job comes", async () => {
  const engine = await createPdfEngine(
    new Uint8Array(await readFile(join(dirname(DOCUMENT_PROCESS_ENTRY), "pdfium.wasm"))),
  )
  let asked = 0
  await engine.practise?.(() => ++asked < 3)
  expect(asked).toBe(3)
  await engine.practise?.(() => false)
  expect(asked).toBe(3)
})
