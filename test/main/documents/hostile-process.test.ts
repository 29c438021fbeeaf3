import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, test } from "vitest"
import type { DocumentResult } from "../../../src/main/documents/document-extractor.ts"
import { createNodeDocumentExtractor, type NodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf } from "../../support/document-extraction.ts"

const HOSTILE = fileURLToPath(new URL("../../support/processes/hostile-process.mjs", import.meta.url))
const pdf = textPdf(["One"], ["Two"], ["Three"])

let extractor: NodeDocumentExtractor | undefined
const pids: number[] = []

afterEach(async () => {
  await extractor?.close()
  expect(pids.filter(isRunning)).toEqual([])
  pids.length = 0
})

/** An extractor whose first process is this hostile one and whose others are real. */
function extractorWithHostile(args: string[], deadlineMs: number): NodeDocumentExtractor {
  let started = 0
  extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs: deadlineMs },
    maxSpares: 0,
    fork: (entry, own, options) => {
      const child = started++ === 0 ? fork(HOSTILE, args, { ...options, execArgv: [] }) : fork(entry, own, options)
      if (child.pid !== undefined) pids.push(child.pid)
      return child
    },
  })
  return extractor
}

async function read(from: NodeDocumentExtractor): Promise<DocumentResult> {
  return getOrThrow(await from.extract({ kind: "pdf", reader: readerOf(pdf), images: true }, BACKGROUND_CONTEXT))
}

const ample = 60_000

describe("a child that harms is replaced, its document has one reason, and the next one reads", () => {
  const opened = { type: "opened", id: 1, pageCount: 3 }
  const page = { type: "page", id: 1, page: 1, text: "One page", textTruncated: false }
  const image = { type: "image", id: 1, page: 1, mimeType: "image/png", width: 1, height: 1, size: 4 }
  const done = { type: "done", id: 1, textTruncated: false }
  const says = (...messages: unknown[]) => ["says", JSON.stringify(messages)]
  const none = { pages: [] }
  const first = { pages: [{ page: 1, text: "One page" }] }

  test.each<[string, string[], number, object]>([
    ["spins before it is ready", ["spins", "start"], 1_500, { notRead: "timeout", ...none }],
    ["spins over the engine", ["spins", "engine"], 1_500, { notRead: "timeout", ...none }],
    ["spins over the document", ["spins", "document"], 1_500, { notRead: "timeout", ...none }],
    ["spins after a page", ["spins", "page"], 1_500, { notRead: "timeout", ...first }],
    ["ignores SIGTERM and never answers", ["ignores-sigterm"], 1_500, { notRead: "timeout", ...none }],
    ["exits before it is ready", ["exits", "start"], ample, { notRead: "unavailable", ...none }],
    ["throws before it is ready", ["throws", "start"], ample, { notRead: "unavailable", ...none }],
    ["exits once it is ready", ["exits", "ready"], ample, { notRead: "too-large", ...none }],
    ["exits over the engine", ["exits", "engine"], ample, { notRead: "too-large", ...none }],
    ["exits over the document", ["exits", "document"], ample, { notRead: "too-large", ...none }],
    ["exits after a page", ["exits", "page"], ample, { notRead: "too-large", ...first }],
    ["floods valid pages", ["floods-pages"], ample, { notRead: "unsupported" }],
    ["floods acknowledgements", ["floods-acks"], ample, { notRead: "unsupported", ...first }],
    ["sends null", says(opened, page, { raw: null }), ample, { notRead: "unsupported", ...first }],
    ["sends a string", says(opened, { raw: "done" }), ample, { notRead: "unsupported", ...none }],
    ["sends another version", says({ ...opened, v: 2 }), ample, { notRead: "unsupported", ...none }],
    ["sends a number twice", says(opened, { ...page, n: 0 }), ample, { notRead: "unsupported", ...none }],
    ["answers for another job", says({ ...opened, id: 7 }), ample, { notRead: "unsupported", ...none }],
    ["sends an unknown kind", says({ type: "run", id: 1 }), ample, { notRead: "unsupported", ...none }],
    ["sends what no schema names", says({ ...opened, path: "/" }), ample, { notRead: "unsupported", ...none }],
    ["opens twice", says(opened, opened), ample, { notRead: "unsupported", ...none }],
    ["sends a page before it opened", says(page, done), ample, { notRead: "unsupported", ...none }],
    ["sends a page twice", says(opened, page, page), ample, { notRead: "unsupported", ...first }],
    ["sends a page past the end", says(opened, { ...page, page: 4 }), ample, { notRead: "unsupported", ...none }],
    ["sends page 0", says(opened, { ...page, page: 0 }), ample, { notRead: "unsupported", ...none }],
    ["sends control characters", says(opened, { ...page, text: "a\0b" }), ample, { notRead: "unsupported", ...none }],
    ["sends a lone surrogate", says(opened, { ...page, text: "\ud800" }), ample, { notRead: "unsupported", ...none }],
    [
      "sends too much text for one call",
      says(opened, { ...page, times: 30_000 }, { ...page, page: 2, times: 30_000 }),
      ample,
      { notRead: "too-large", pages: [{ page: 1 }] },
    ],
    ["draws a page it has not read", says(opened, image), ample, { notRead: "unsupported", ...none }],
    [
      "claims a huge image",
      says(opened, page, { ...image, size: 60_000_000 }),
      ample,
      { notRead: "too-large", ...first },
    ],
    [
      "sends more of an image than it claimed",
      says(opened, page, image, { type: "chunk", bytes: [1, 2, 3, 4, 5] }),
      ample,
      { notRead: "too-large", ...first },
    ],
    ["sends bytes of nothing", says(opened, { type: "chunk", bytes: [1] }), ample, { notRead: "unsupported", ...none }],
    ["forges a reason", says({ ...done, notRead: "fine" }), ample, { notRead: "unsupported", ...none }],
    ["says that it is ready twice", says({ type: "ready" }), ample, { notRead: "unsupported", ...none }],
  ])("%s", async (_title, args, deadlineMs, expected) => {
    const from = extractorWithHostile(args, deadlineMs)
    expect(await read(from)).toMatchObject({ textTruncated: false, ...expected })
    if (deadlineMs === ample) expect(await read(from)).toMatchObject({ pageCount: 3, pages: [{}, {}, {}] })
  })

  test("writes 100 MB to stderr, and none of it is kept or shown", async () => {
    const from = extractorWithHostile(["writes-stderr"], ample)
    const before = process.memoryUsage().rss
    expect(await read(from)).toMatchObject(first)
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
  })

  test("sends on after its last message, and none of it is taken in", async () => {
    const from = extractorWithHostile(says(opened, page, done, { ...page, page: 2 }, { raw: null }), ample)
    const { notRead, ...found } = await read(from)
    expect(found).toEqual({ kind: "pdf", bytes: pdf.length, pageCount: 3, textTruncated: false, ...first })
    // As the last message came alone or together with those after it.
    expect([undefined, "unsupported"]).toContain(notRead)
    expect(await read(from)).toMatchObject({ pageCount: 3 })
  })
})
