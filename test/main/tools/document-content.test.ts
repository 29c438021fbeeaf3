import { describe, expect, test } from "vitest"
import type { DocumentPage } from "../../../src/main/documents/document-extractor.ts"
import { DocumentError } from "../../../src/main/documents/document-extractor.ts"
import { DocumentCache } from "../../../src/main/tools/document-cache.ts"
import { type ReadDocumentRequest, readDocument } from "../../../src/main/tools/document-content.ts"
import { BACKGROUND_CONTEXT, err, getOrThrow, ok, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { readerOf } from "../../support/document-extraction.ts"
import { FakeDocumentExtractor } from "../../support/fake-document-extractor.ts"

const reader = readerOf(new Uint8Array(1_536))
const base = { kind: "pdf", reader, offset: 1, path: "/in-memory" } as const

function pagesOf(...texts: string[]): DocumentPage[] {
  return texts.map((text, i) => ({ page: i + 1, text }))
}

function numbered(first: number, count: number): DocumentPage[] {
  return Array.from({ length: count }, (_, i) => ({ page: first + i, text: `Text of ${first + i}` }))
}

async function read(request: Partial<ReadDocumentRequest>) {
  return getOrThrow(await readDocument({ ...base, ...request }, BACKGROUND_CONTEXT))
}

const textOf = ({ content }: { content: { type: string; text?: string }[] }) => content[0]?.text

describe("the text of a document", () => {
  test("has a line before each page, and nothing after the last", async () => {
    const extractor = new FakeDocumentExtractor({ pageCount: 2, pages: pagesOf("One\nuno", "Two") })
    expect(await read({ extractor })).toEqual({
      content: [{ type: "text", text: "--- page 1 of 2 ---\nOne\nuno\n\n--- page 2 of 2 ---\nTwo" }],
      details: {
        document: { kind: "pdf", read: true, bytes: 1_536, pageCount: 2, pagesRead: "1-2", textTruncated: false },
      },
      receipt: {
        kind: "document",
        path: "/in-memory",
        bytes: 1_536,
        mimeType: "application/pdf",
        lines: "1-6",
        totalLines: 6,
        document: { kind: "pdf", read: true, bytes: 1_536, pageCount: 2, pagesRead: "1-2", textTruncated: false },
      },
    })
  })

  test.each<[string, Partial<ReadDocumentRequest>, string]>([
    ["from a line on", { offset: 5 }, "--- page 2 of 2 ---\nTwo"],
    [
      "as many lines as asked",
      { limit: 2 },
      "--- page 1 of 2 ---\nOne\n\n[4 more lines in file. Use offset=3 to continue.]",
    ],
    ["no line at all", { limit: 0 }, "[6 more lines in file. Use offset=1 to continue.]"],
    [
      "within the lines of a window",
      { limits: { maxLines: 3 } },
      "--- page 1 of 2 ---\nOne\nuno\n\n[Showing lines 1-3 of 6. Use offset=4 to continue.]",
    ],
    [
      "within the bytes of a window",
      { limits: { maxBytes: 25 } },
      "--- page 1 of 2 ---\nOne\n\n[Showing lines 1-2 of 6 (25B limit). Use offset=3 to continue.]",
    ],
    [
      "with the pages that the lines are of",
      { limits: { maxLines: 3 }, pages: "1-2" },
      '--- page 1 of 2 ---\nOne\nuno\n\n[Showing lines 1-3 of 6. Use offset=4 to continue.]\n\n[These are lines of pages="1-2": keep it together with offset.]',
    ],
  ])("is shown %s", async (_title, request, expected) => {
    const extractor = new FakeDocumentExtractor({ pageCount: 2, pages: pagesOf("One\nuno", "Two") })
    expect(textOf(await read({ extractor, ...request }))).toBe(expected)
  })

  test("past its end is an error that says how long it is", async () => {
    const extractor = new FakeDocumentExtractor({ pageCount: 1, pages: pagesOf("One") })
    const beyond = await readDocument({ ...base, extractor, offset: 3 }, BACKGROUND_CONTEXT)
    expect(beyond).toMatchObject({ error: { message: "Offset 3 is beyond end of file (2 lines total)" } })
    const column = await readDocument({ ...base, extractor, offset: 2, column: 9 }, BACKGROUND_CONTEXT)
    expect(column).toMatchObject({ error: { message: "Column 9 is beyond the end of line 2 (3 bytes)" } })
  })

  test("on one line over the window is read in parts, and the parts are the line", async () => {
    const line = "aé漢😀".repeat(12)
    const extractor = new FakeDocumentExtractor({ pageCount: 1, pages: pagesOf(line) })
    const limits = { maxBytes: 25 }
    const first = await read({ extractor, limits })
    expect(textOf(first)).toContain("[Showing lines 1-1 of 2 (25B limit). Use offset=2 to continue.]")
    const long = await read({ extractor, limits, offset: 2 })
    expect(textOf(long)).toBe("[Line 2 is 120B, exceeds 25B limit. Use column=1 to read it in parts.]")
    let joined = ""
    for (let column: number | undefined = 1; column !== undefined; ) {
      const part = await read({ extractor, limits, offset: 2, column })
      joined += textOf(part)?.split("\n\n[")[0] ?? ""
      expect(part.receipt.nextColumn ?? 1_000).toBeGreaterThan(column)
      column = part.receipt.nextColumn
    }
    expect(joined).toBe(line)
  })
})

describe("a document with more pages than a call may have", () => {
  test.each<[string, Partial<ReadDocumentRequest>, DocumentPage[], string]>([
    ["goes on after them", {}, numbered(1, 20), '[Showing pages 1-20 of 45. Use pages="21-40" to continue.]'],
    ["ends", { pages: "41-45" }, numbered(41, 5), ""],
    [
      "goes on to its end",
      { pages: "21-40" },
      numbered(21, 20),
      '[Showing pages 21-40 of 45. Use pages="41-45" to continue.]',
    ],
    [
      "goes on after a selection",
      { pages: "3,7" },
      [...numbered(3, 1), ...numbered(7, 1)],
      '[Showing pages 3,7 of 45. Use pages="8-27" to continue.]',
    ],
    [
      "goes on within a selection that the characters cut",
      { pages: "3,7,9" },
      numbered(3, 1),
      '[Showing pages 3 of 45. Use pages="7,9" to continue.]',
    ],
  ])("%s", async (_title, request, pages, notice) => {
    const extractor = new FakeDocumentExtractor({ pageCount: 45, pages })
    const text = textOf(await read({ extractor, ...request })) ?? ""
    expect(text.match(/\[Showing pages.*$/)?.[0] ?? "").toBe(notice)
  })

  test("more pages than a call may have are an error, whatever they claim", async () => {
    const extractor = new FakeDocumentExtractor({})
    const asked = await readDocument({ ...base, extractor, pages: "1-999999999" }, BACKGROUND_CONTEXT)
    expect(asked).toMatchObject({ error: { message: '"pages" may name at most 20 pages in one call' } })
    expect(extractor.requests).toEqual([])
  })

  test("pages are handed on ascending and once", async () => {
    const extractor = new FakeDocumentExtractor({ pageCount: 9, pages: numbered(2, 3) })
    await read({ extractor, pages: "4,2-3,3" })
    expect(extractor.requests[0]?.pages).toEqual([2, 3, 4])
  })
})

describe("pages with little text", () => {
  const image = { data: Uint8Array.of(1, 2, 3), mimeType: "image/png", width: 1, height: 1 } as const
  const pages = [
    { page: 1, text: "", image },
    { page: 2, text: "Words" },
    { page: 3, text: "", image },
  ]

  test("follow as images at the start, and are not sent again further on", async () => {
    const extractor = new FakeDocumentExtractor({ pageCount: 3, pages })
    const { content } = await read({ extractor })
    expect(content.map(({ type }) => type)).toEqual(["text", "image", "image"])
    expect(content[1]).toEqual({ type: "image", data: "AQID", mimeType: "image/png" })
    expect(content[0]).toMatchObject({
      text: expect.stringContaining("[Pages 1,3 have little text and follow as images, in this order.]"),
    })
    const further = await read({ extractor, offset: 3 })
    expect(further.content.map(({ type }) => type)).toEqual(["text"])
    expect(textOf(further)).not.toContain("follow as images")
  })

  test("are not asked for where the model takes no images", async () => {
    const extractor = new FakeDocumentExtractor({ pageCount: 1, pages: pagesOf("x") })
    await read({ extractor, acceptsImages: false })
    expect(extractor.requests[0]?.images).toBe(false)
  })
})

describe("a document that is not read says one reason and what to do next", () => {
  test.each<[string, Partial<ReadDocumentRequest>, object, string]>([
    [
      "too large a file",
      { reader: readerOf(new Uint8Array(), 70 * 1024 * 1024) },
      { notRead: "too-large" },
      "[PDF (70.0MB), not shown: files over 64.0MB are not read. Ask the user for a smaller file, or for the pages in question.]",
    ],
    [
      "too much memory",
      {},
      { notRead: "too-large" },
      '[PDF (1.5KB), not shown: it needs more memory than a document may have. Try a single page, such as pages="1".]',
    ],
    [
      "too long",
      { pages: "3-5" },
      { notRead: "timeout" },
      '[PDF (1.5KB), not shown: reading it took longer than 10 s. Try a single page, such as pages="3".]',
    ],
    [
      "too long for one page",
      { pages: "3" },
      { notRead: "timeout" },
      "[PDF (1.5KB), not shown: reading it took longer than 10 s. Try another page.]",
    ],
    [
      "encrypted",
      {},
      { notRead: "encrypted" },
      "[PDF (1.5KB), not shown: it is encrypted. Ask the user for its password and pass it as password.]",
    ],
    [
      "encrypted with another password",
      { password: "guess" },
      { notRead: "encrypted", passwordWrong: true },
      "[PDF (1.5KB), not shown: it is encrypted, and the password given is not the one. Ask the user for its password and pass it as password.]",
    ],
    [
      "without text",
      {},
      { notRead: "no-text", pageCount: 1, pages: pagesOf("") },
      "[PDF (1.5KB), not shown: it holds no text. Ask the user for a copy with text.]",
    ],
    [
      "without text so far, for a model without images",
      { acceptsImages: false },
      { notRead: "no-text", pageCount: 30, pages: numbered(1, 20).map((page) => ({ ...page, text: "" })) },
      '[PDF (1.5KB), not shown: pages 1-20 of 30 hold no text, and this model takes no images. Use pages="21-30" to read on.]',
    ],
    [
      "damaged",
      {},
      { notRead: "unsupported" },
      "[PDF (1.5KB), not shown: it is damaged, or not a PDF that can be read. Ask the user for another copy of it.]",
    ],
    [
      "without a reader that starts",
      {},
      { notRead: "unavailable" },
      "[PDF (1.5KB), not shown: the document reader could not be started. Try again once; if that fails too, ask the user for its text.]",
    ],
  ])("%s", async (_title, request, result, expected) => {
    const answer = await read({ extractor: new FakeDocumentExtractor(result), ...request })
    expect(answer.content).toEqual([{ type: "text", text: expected }])
    const { notRead } = result as { notRead: string }
    expect(answer.details?.document).toMatchObject({ read: false, notRead, textTruncated: false })
    expect(answer.receipt).toMatchObject({ kind: "document", document: answer.details?.document })
  })

  test("without an extractor", async () => {
    const answer = await read({})
    expect(textOf(answer)).toBe(
      "[PDF (1.5KB), not shown: no document reader is configured here. Ask the user for its text, or read another file.]",
    )
    expect(answer.receipt.document).toMatchObject({ read: false, notRead: "unavailable" })
  })
})

describe("a document that is read in part says so", () => {
  test.each<[string, object, string]>([
    [
      "at the deadline",
      { notRead: "timeout" },
      '[Reading stopped after page 2: it took longer than 10 s. Use pages="3-9" to continue.]',
    ],
    [
      "where memory ended",
      { notRead: "too-large" },
      '[Reading stopped after page 2: the next one needs more memory than a document may have. Use pages="4-9" to read what follows it.]',
    ],
    ["where a page was cut", { textTruncated: true }, '[Showing pages 1-2 of 9. Use pages="3-9" to continue.]'],
    ["with its notes", { notes: ["Page 2 could not be loaded."] }, "[Page 2 could not be loaded.]"],
  ])("%s", async (_title, result, notice) => {
    const extractor = new FakeDocumentExtractor({ pageCount: 9, pages: pagesOf("One", "Two"), ...result })
    const answer = await read({ extractor })
    expect(textOf(answer)).toContain(`\n\n${notice}`)
    expect(answer.details?.document).toMatchObject({
      read: true,
      pagesRead: "1-2",
      ...("notes" in result ? {} : result),
    })
  })
})

describe("reading on inside a document", () => {
  const cacheOf = () => new DocumentCache(8 * 1024 * 1024)
  const answer = { pageCount: 2, pages: pagesOf("One", "Two") }

  test("does not extract again while the file, its pages and its password are the same", async () => {
    const extractor = new FakeDocumentExtractor(answer)
    const cache = cacheOf()
    for (const offset of [1, 2, 5]) await read({ extractor, cache, offset })
    expect(extractor.requests).toHaveLength(1)
    await read({ extractor, cache, pages: "1-2" })
    await read({ extractor, cache, password: "secret" })
    await read({ extractor, cache, acceptsImages: false })
    await read({ extractor, cache, reader: { ...reader, info: { ...reader.info, mtimeMs: 1 } } })
    expect(extractor.requests).toHaveLength(5)
  })

  test("goes on in what was read in part, while a call from the start tries anew", async () => {
    const extractor = new FakeDocumentExtractor({ ...answer, notRead: "timeout" }, answer)
    const cache = cacheOf()
    await read({ extractor, cache })
    await read({ extractor, cache, offset: 2 })
    expect(extractor.requests).toHaveLength(1)
    await read({ extractor, cache })
    expect(extractor.requests).toHaveLength(2)
  })

  test("keeps no more than its bytes, the least recently used out first", () => {
    const cache = new DocumentCache(100)
    const key = (pages: string) => ({ pages, password: undefined, images: true })
    const result = (length: number) => ({
      kind: "pdf" as const,
      bytes: 1,
      pages: pagesOf("x".repeat(length)),
      textTruncated: false,
    })
    cache.set(reader.info, key("1"), result(20))
    cache.set(reader.info, key("2"), result(20))
    cache.get(reader.info, key("1"))
    cache.set(reader.info, key("3"), result(20))
    expect(["1", "2", "3"].map((pages) => cache.get(reader.info, key(pages)) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
    cache.set(reader.info, key("4"), result(51))
    expect(cache.get(reader.info, key("4"))).toBeUndefined()
    expect(cache.bytes).toBe(80)
  })
})

test("a failure that is not the document's is the read's error", async () => {
  const failing = (code: "aborted" | "invalid_pages") => ({
    extract: async () => err(new DocumentError(code, "Page 9 is out of range (4 pages total)")),
  })
  expect(await readDocument({ ...base, extractor: failing("invalid_pages") }, BACKGROUND_CONTEXT)).toMatchObject({
    error: { message: "Page 9 is out of range (4 pages total)" },
  })
  const context = withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT)
  expect(await readDocument({ ...base, extractor: failing("aborted") }, context)).toMatchObject({
    ok: false,
    error: { code: "aborted" },
  })
})

test("a file that was changed meanwhile says so", async () => {
  const extractor = new FakeDocumentExtractor({ pageCount: 1, pages: pagesOf("One") })
  const changed = { ...reader, refresh: async () => ok({ ...reader.info, mtimeMs: 5 }) }
  const answer = await read({ extractor, reader: changed })
  expect(answer.content.at(-1)).toEqual({ type: "text", text: "[File changed while it was read.]" })
  expect(answer.receipt.changed).toBe(true)
})
