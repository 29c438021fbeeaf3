import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
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
      { page: 1, text: "Hello, world", poorInText: true },
      { page: 2, text: "Second page\nof two", poorInText: true },
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

describe("a host is told why documents are unavailable", () => {
  const request = { kind: "pdf", reader: readerOf(textPdf(["x"])), images: false } as const

  async function toldBy(options: Parameters<typeof createNodeDocumentExtractor>[0]): Promise<string[]> {
    const told: string[] = []
    const failing = createNodeDocumentExtractor({
      entry: DOCUMENT_PROCESS_ENTRY,
      maxSpares: 0,
      limits: { documentDeadlineMs: 60_000 },
      onProcessFailure: (message) => {
        told.push(message)
        throw new Error("what a host's log throws is its own affair")
      },
      ...options,
    })
    const read = await failing.extract(request, BACKGROUND_CONTEXT)
    expect(getOrThrow(read)).toMatchObject({ notRead: "unavailable" })
    await until(() => told.length > 0)
    await failing.close()
    return told
  }

  test("where the process ends before its first word", async () => {
    const [message, ...more] = await toldBy({ entry: join(dirname(DOCUMENT_PROCESS_ENTRY), "gone.js") })
    expect(message).toMatch(/^The document process did not start \(exit code 1\): .*gone\.js/s)
    // Beside such an entry there is an engine: the one thing that is told is the process.
    expect(more).toEqual([])
  })

  test("where it cannot be forked", async () => {
    const fork = () => {
      throw new Error("spawn EAGAIN")
    }
    expect(await toldBy({ fork })).toEqual(["The document process did not start: spawn EAGAIN"])
  })

  test("where the engine is not there", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bounded-read-engine-"))
    const entry = join(folder, "document-process.js")
    await writeFile(entry, "setInterval(() => {}, 1_000)")
    const told = await toldBy({ entry })
    await rm(folder, { recursive: true })
    expect(told).toEqual([expect.stringMatching(/^The document engine could not be loaded: ENOENT/)])
  })
})
