import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import type { NotebookResult } from "../../../src/main/documents/document-extractor.ts"
import { createNodeDocumentExtractor, type NodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { buildNotebook, codeCell } from "../../support/build-notebook.ts"
import { DOCUMENT_PROCESS_ENTRY, readerOf } from "../../support/document-extraction.ts"

const HOSTILE = fileURLToPath(new URL("../../support/processes/hostile-process.mjs", import.meta.url))
const ENOUGH_MS = 60_000

let extractor: NodeDocumentExtractor | undefined
afterEach(() => extractor?.close())

/** What is read where the first process says these messages once it has the notebook, and those after it are real. */
async function readFromHostile(args: string[], deadlineMs = ENOUGH_MS, images = true): Promise<NotebookResult[]> {
  let started = 0
  extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs: deadlineMs, maxDocumentCharacters: 1_000 },
    maxSpares: 0,
    fork: (entry, own, options) =>
      started++ === 0 ? fork(HOSTILE, args, { ...options, execArgv: [] }) : fork(entry, own, options),
  })
  const reader = readerOf(Buffer.from(buildNotebook([codeCell("x")])))
  const request = { reader, window: { fromLine: 1, maxLines: 100, maxBytes: 1_000 }, images }
  const results: NotebookResult[] = []
  const calls = deadlineMs === ENOUGH_MS ? 2 : 1
  while (results.length < calls) results.push(getOrThrow(await extractor.readNotebook(request, BACKGROUND_CONTEXT)))
  return results
}

describe("A process that reads notebooks and means harm is ended, and the next one reads", () => {
  const rendered = {
    cells: 2,
    totalLines: 4,
    text: "# cell 1 [code]\nx\n[image 1: PNG]\n[image 2: PNG]",
    lineCut: false,
    bytesAfter: 0,
    firstCell: 0,
    cellLines: [1],
    imagesBefore: 0,
    imageLines: [3, 4],
  }
  const notebook = { type: "notebook", id: 1, notebook: rendered }
  const image = { type: "image", id: 1, page: 1, mimeType: "image/png", width: 1, height: 1, size: 2 }
  const chunk = { type: "chunk", bytes: [1, 2] }
  const done = { type: "done", id: 1, textTruncated: false }
  const says = (...messages: unknown[]) => ["says", JSON.stringify(messages)]
  const like = (change: object) => ({ ...notebook, notebook: { ...rendered, ...change } })

  it.each<[string, string[], object]>([
    ["says the notebook twice", says(notebook, notebook), { notebook: rendered, notRead: "unsupported" }],
    [
      "says pages of a notebook",
      says({ type: "opened", id: 1, pageCount: 1 }, { type: "page", id: 1, page: 1, text: "", textTruncated: false }),
      { notRead: "unsupported" },
    ],
    ["sends a picture before the notebook", says(image, chunk), { notRead: "unsupported" }],
    [
      "sends a picture that stands nowhere",
      says(notebook, { ...image, page: 3 }, chunk),
      { notebook: rendered, notRead: "unsupported" },
    ],
    [
      "sends a picture of no number",
      says(notebook, { ...image, page: 0 }, chunk),
      { notebook: rendered, notRead: "unsupported" },
    ],
    [
      "claims a picture of 60 MB",
      says(notebook, { ...image, size: 60_000_000 }),
      { notebook: rendered, notRead: "too-large" },
    ],
    ["sends control characters", says(like({ text: "a\u001b[0m" })), { notRead: "unsupported" }],
    ["sends half a character", says(like({ text: "\ud800" })), { notRead: "unsupported" }],
    ["sends more text than a call may hold", says(like({ text: "x".repeat(1_001) })), { notRead: "too-large" }],
    ["sends lines below 1", says(like({ cellLines: [0] })), { notRead: "unsupported" }],
    ["sends half a line", says(like({ imageLines: [1.5] })), { notRead: "unsupported" }],
    [
      "sends more marks than lines fit",
      says(like({ cellLines: new Array(20_001).fill(1) })),
      { notRead: "unsupported" },
    ],
    ["sends a negative total", says(like({ totalLines: -1 })), { notRead: "unsupported" }],
    ["sends what no schema names", says(like({ path: "/" })), { notRead: "unsupported" }],
    ["ends without a word", says(done), { notRead: "unsupported" }],
    ["exits over the notebook", ["exits", "document"], { notRead: "too-large" }],
    ["exits before it is ready", ["exits", "start"], { notRead: "unavailable" }],
  ])("%s", async (_title, args, expected) => {
    const [first, second] = await readFromHostile(args)
    expect({ ...first }).toEqual({ images: new Map(), ...expected })
    expect(second?.notebook?.text).toBe("# cell 1 [code]\nx")
    expect(second?.notRead).toBeUndefined()
  })

  it("sends a picture twice, and one of it is kept", async () => {
    const [first] = await readFromHostile(says(notebook, image, chunk, image, chunk))
    expect([...(first?.images.keys() ?? [])]).toEqual([1])
    expect(first?.notRead).toBe("unsupported")
  })

  it("sends pictures that nobody asked for", async () => {
    const [first] = await readFromHostile(says(notebook, image, chunk), ENOUGH_MS, false)
    expect(first).toMatchObject({ notebook: rendered, notRead: "unsupported" })
    expect(first?.images.size).toBe(0)
  })

  it("spins over the notebook until the deadline", async () => {
    expect(await readFromHostile(["spins", "document"], 1_500)).toEqual([{ images: new Map(), notRead: "timeout" }])
  })
})
