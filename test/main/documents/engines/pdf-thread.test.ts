import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { BroadcastChannel } from "node:worker_threads"
import { describe, expect, test } from "vitest"
import type { Engine } from "../../../../src/main/documents/engines/engine.ts"
import { createPdfEngine } from "../../../../src/main/documents/engines/pdf.ts"
import { PdfThread, type PdfThreadJob } from "../../../../src/main/documents/engines/pdf-thread.ts"
import { compilePdfium } from "../../../../src/main/documents/engines/pdfium.ts"
import type { JobOutcome } from "../../../../src/main/documents/extractor-protocol.ts"
import { MAX_DOCUMENT_WASM_BYTES } from "../../../../src/main/limits.ts"
import { buildPdf, pageObjects, showLines, stream, textPdf } from "../../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, realPdfFolder, until } from "../../../support/document-extraction.ts"
import { rc4Pdf } from "../../../support/pdf/encryption.ts"
import { deflatedZeros } from "../../../support/pdf/zero-stream.ts"

const built = dirname(DOCUMENT_PROCESS_ENTRY)
const wasm = new Uint8Array(readFileSync(join(built, "pdfium.wasm")))
const threadEntry = pathToFileURL(join(built, "document-thread.js"))
const observedEntry = new URL("../../../support/processes/observed-pdf-thread.mjs", import.meta.url)
const DEFAULT_JOB = { maxPages: 20, maxCharacters: 300_000, maxPixels: 400_000, minPageCharacters: 200 }

interface Read {
  outcome: JobOutcome
  calls: unknown[][]
}

/** What the engine puts into its sink. */
async function readBy(engine: Engine, pdf: Uint8Array, job: Partial<Job> = {}): Promise<Read> {
  const { limits, ...rest } = job
  const calls: unknown[][] = []
  const note =
    (name: string) =>
    async (...args: unknown[]) =>
      void calls.push([name, ...args])
  const session = engine.begin(
    { kind: "pdf", images: true, ...rest, limits: { ...DEFAULT_JOB, maxImageBytes: 1e6, ...limits } },
    pdf.length,
  )
  session.write(pdf)
  const outcome = await session.finish({
    opened: note("opened"),
    page: note("page"),
    image: note("image"),
    remainingMs: () => 60_000,
  })
  return { outcome, calls }
}
interface Job {
  pages: number[]
  password: string
  limits: Partial<typeof DEFAULT_JOB>
}

const readAlone = async (pdf: Uint8Array, job?: Partial<Job>) => readBy(await createPdfEngine(wasm), pdf, job)

/** The same, once the thread is there; and the indexes of the pages that it has read. */
async function readWithThread(pdf: Uint8Array, job?: Partial<Job>): Promise<Read & { byThread: number[] }> {
  const heard: unknown[] = []
  const observed = new BroadcastChannel("pdf-thread")
  observed.onmessage = (event) => heard.push((event as { data: unknown }).data)
  const engine = await createPdfEngine(wasm, observedEntry)
  await engine.practise?.(() => !heard.includes("ready"))
  await until(() => heard.includes("ready"))
  const read = await readBy(engine, pdf, job)
  const pages = read.calls.filter(([name]) => name === "page").length
  if (read.outcome.notRead === undefined && !read.outcome.textTruncated) {
    await until(() => heard.length > Math.floor(pages / 2))
  }
  observed.close()
  return { ...read, byThread: heard.filter((index) => typeof index === "number") }
}

/** A note on a page, whose words become text of the page once it is drawn. */
function notedPdf(pages: number): Buffer {
  const objects = pageObjects(
    Array.from({ length: pages }, (_, i) => ({
      content: showLines(`Page ${i + 1}`),
      entries: `/Annots [${50 + 2 * i} 0 R]`,
    })),
  )
  for (let i = 0; i < pages; i++) {
    const note = `/Type /Annot /Subtype /FreeText /F 4 /Rect [72 600 300 640] /Contents (Note) /AP << /N ${51 + 2 * i} 0 R >>`
    objects.set(50 + 2 * i, `<< ${note} >>`)
    const form =
      "/Type /XObject /Subtype /Form /BBox [0 0 228 40] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    objects.set(51 + 2 * i, stream(form, `BT /F1 12 Tf 4 10 Td (Note ${i + 1}) Tj ET`))
  }
  return buildPdf(objects)
}

const lines = (page: number, count = 20) => Array.from({ length: count }, (_, i) => `Line ${i} of page ${page}`)
const pagesOf = (count: number, length?: number) => Array.from({ length: count }, (_, i) => lines(i + 1, length))

describe("two threads read what one reads", () => {
  test.each<[string, () => Buffer, Partial<Job>, number[]]>([
    ["of many pages", () => textPdf(...pagesOf(20)), {}, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]],
    ["of an odd number of pages", () => textPdf(...pagesOf(3)), {}, [1]],
    ["of one page, which is no work for two", () => textPdf(lines(1)), {}, []],
    ["of the pages that were asked for", () => textPdf(...pagesOf(9)), { pages: [2, 5, 6, 9] }, [4, 8]],
    ["behind a password", () => rc4Pdf(["One"], "secret", "owner", ["Two"], ["Three"]), { password: "secret" }, [1]],
    ["with notes, in text and in pictures", () => notedPdf(4), {}, [1, 3]],
    ["that shows nothing on some pages", () => textPdf(["One"], [], ["Three"], []), {}, [1, 3]],
  ])("in a document %s", async (_title, build, job, expected) => {
    const pdf = build()
    const together = await readWithThread(pdf, job)
    expect(together.byThread).toEqual(expected)
    const alone = await readAlone(pdf, job)
    expect(alone.calls.length).toBeGreaterThan(1)
    expect({ outcome: together.outcome, calls: together.calls }).toEqual(alone)
  })

  test.each([
    ["on a page of the thread", 700],
    ["on a page of the first one", 1_000],
    ["on the first page", 100],
  ])("up to the characters of a call, which end %s", async (_title, maxCharacters) => {
    const pdf = textPdf(...pagesOf(8))
    const job = { limits: { maxCharacters } }
    const { outcome, calls } = await readWithThread(pdf, job)
    expect(outcome.textTruncated).toBe(true)
    expect({ outcome, calls }).toEqual(await readAlone(pdf, job))
  })

  const folder = realPdfFolder()
  test.skipIf(folder === undefined)("in every real file", async () => {
    const files: { file: string; pages: number | null; passwords?: string[] }[] = JSON.parse(
      readFileSync(join(folder ?? "", "manifest.json"), "utf8"),
    )
    let shared = 0
    for (const { file, pages, passwords } of files) {
      if (pages === null || pages < 2) continue
      const pdf = readFileSync(join(folder ?? "", file))
      const job = passwords?.[0] === undefined ? {} : { password: passwords[0] }
      const { byThread, ...together } = await readWithThread(pdf, job)
      shared += byThread.length
      expect(together, file).toEqual(await readAlone(pdf, job))
    }
    expect(shared).toBeGreaterThan(10)
  })
})

describe("the thread", () => {
  const module = compilePdfium(wasm, MAX_DOCUMENT_WASM_BYTES)
  const jobOf = (pdf: Uint8Array, indexes: number[]): PdfThreadJob => ({
    bytes: Uint8Array.from(pdf),
    password: "",
    indexes,
    maxCharacters: 300_000,
  })
  async function started(): Promise<PdfThread> {
    const thread = new PdfThread(threadEntry, await module)
    await until(() => thread.ready)
    return thread
  }

  test("brings the pages that it was asked for, and no others", async () => {
    const thread = await started()
    thread.begin(jobOf(textPdf(["One"], ["Two"], ["Three"], ["Four"]), [1, 3]))
    expect(thread.ready).toBe(false)
    expect((await thread.take(1))?.page).toMatchObject({ text: "Two", length: 3, blank: false })
    expect(await thread.take(2)).toBeUndefined()
    expect((await thread.take(3))?.page?.text).toBe("Four")
  })

  test("says where a page cannot be loaded", async () => {
    const thread = await started()
    thread.begin(jobOf(textPdf(["One"]), [7]))
    expect(await thread.take(7)).toEqual({ index: 7, page: undefined })
  })

  test("ends where it cannot go on, and what it has read stays", async () => {
    const thread = await started()
    const objects = pageObjects([
      { content: showLines("One") },
      { content: showLines("Two") },
      { content: deflatedZeros(1024 * 1024 * 1024), filter: "/Filter /FlateDecode" },
      { content: showLines("Four") },
    ])
    thread.begin(jobOf(buildPdf(objects), [1, 2, 3]))
    expect(await thread.take(3)).toBeUndefined()
    expect(await thread.take(2)).toBeUndefined()
    expect((await thread.take(1))?.page?.text).toBe("Two")
  })

  test.each([
    [
      "for a document that it cannot open",
      async () => {
        const thread = await started()
        thread.begin(jobOf(Buffer.from("no document"), [1]))
        return thread
      },
    ],
    [
      "where its file is missing",
      async () => {
        const thread = new PdfThread(new URL("missing.js", threadEntry), await module)
        thread.begin(jobOf(textPdf(["One"], ["Two"]), [1]))
        return thread
      },
    ],
  ])("brings nothing %s", async (_title, start) => {
    const thread = await start()
    expect(await thread.take(1)).toBeUndefined()
    expect(thread.ready).toBe(false)
  })
})
