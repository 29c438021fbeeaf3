import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DocumentError, type DocumentExtractor } from "../../../src/main/documents/document-extractor.ts"
import type { Limits } from "../../../src/main/limits.ts"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { createPdfTool } from "../../../src/main/pdf-tool.ts"
import { selectPages } from "../../../src/main/tools/page-ranges.ts"
import type { PdfToolInput } from "../../../src/main/tools/pdf-parameters.ts"
import { shareCharacters } from "../../../src/main/tools/pdf-prompt.ts"
import { BACKGROUND_CONTEXT, err, ok, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { buildPdf, pageObjects, showLines, textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../support/document-extraction.ts"
import { AnsweringModel } from "../../support/document-models.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"
import { rc4Pdf } from "../../support/pdf/encryption.ts"
import { imageOnlyPdf } from "../../support/pdf/good.ts"
import { ToolFolder } from "../../support/tool-calls.ts"

const limits = { documentDeadlineMs: 60_000 }
const extractor = createNodeDocumentExtractor({ entry: DOCUMENT_PROCESS_ENTRY, limits })
let folder: ToolFolder

const paragraph = Array.from({ length: 12 }, (_, i) => `Line ${i + 1} of a page that is rich enough in text`)
const drawing = "1 0 0 rg 100 100 400 500 re f"

beforeAll(async () => {
  folder = await ToolFolder.make()
  await folder.write("two.pdf", textPdf(["First", ...paragraph], ["Second", ...paragraph]))
  await folder.write("45.pdf", textPdf(...Array.from({ length: 45 }, (_, i) => [`Number ${i + 1}`, ...paragraph])))
  await folder.write("scan.pdf", imageOnlyPdf())
  await folder.write("locked.pdf", rc4Pdf(["Behind the password"], "sesame", "owner"))
  await folder.write("false.pdf", "%PDF-1.4 not really")
  await folder.write("empty-page.pdf", textPdf([]))
})
afterAll(async () => {
  await extractor.close()
  await folder.remove()
})

const reader = (id = "openai/reader", capabilities: { acceptsImages?: boolean } = {}) =>
  new AnsweringModel(id, undefined, capabilities)

function call(
  input: PdfToolInput,
  model: AnsweringModel | AnsweringModel[] = reader(),
  own: Partial<Limits> = {},
  by: DocumentExtractor | undefined = extractor,
) {
  const tool = createPdfTool({ env: folder.env, model, limits: { ...limits, ...own }, ...(by && { extractor: by }) })
  return tool.execute("1", input, undefined, { env: folder.env }, undefined, BACKGROUND_CONTEXT)
}

describe("Selected pages", () => {
  it.each([
    ["1-3,7", { most: 20 }, [1, 2, 3, 7]],
    ["7,1-3,2", { most: 20 }, [1, 2, 3, 7]],
    ["5-20,1-10", { most: 12 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ["1-999999999", { most: 3 }, [1, 2, 3]],
    ["1-999999999", { after: 20, upTo: 22, most: 20 }, [21, 22]],
    ["3,1", { after: 2, most: 20 }, [3]],
    ["8-9", { upTo: 7, most: 20 }, []],
    ["1-9", { most: 0 }, []],
  ])("of %s with %j are %j", (text, selection, pages) => {
    expect(selectPages(text, selection)).toEqual(pages)
  })
})

describe("A model that takes no PDFs", () => {
  it("gets the text of each page, and the prompt behind it", async () => {
    const model = reader()
    const result = await call({ pdf: "two.pdf", prompt: "What is second?" }, model)
    const page = paragraph.join("\n")
    const text = `--- page 1 of 2 ---\nFirst\n${page}\n\n--- page 2 of 2 ---\nSecond\n${page}`
    expect(model.asked).toEqual([
      { type: "text", text: `PDF document: two.pdf, 2 pages\n\n${text}` },
      { type: "text", text: "What is second?" },
    ])
    expect(result.content).toEqual([{ type: "text", text: "answer of openai/reader" }])
    expect(result.details).toMatchObject({
      text: "answer of openai/reader",
      model: "openai/reader",
      native: false,
      attempts: [],
      pdf: join(folder.path, "two.pdf"),
      document: { kind: "pdf", read: true, pageCount: 2, pagesRead: "1-2", textTruncated: false },
    })
    expect(result.details).not.toHaveProperty("notices")
  })

  it("gets several documents with their names", async () => {
    const model = reader()
    await call({ pdfs: ["two.pdf", "45.pdf"], pages: "2" }, model)
    expect(model.askedText).toContain("PDF document 1 of 2: two.pdf, 2 pages\n\n--- page 2 of 2 ---\nSecond")
    expect(model.askedText).toContain("PDF document 2 of 2: 45.pdf, 45 pages\n\n--- page 2 of 45 ---\nNumber 2")
  })

  it("gets the pages that were asked for: from 1 on, each once, ascending", async () => {
    const model = reader()
    const { details } = await call({ pdf: "45.pdf", pages: "7, 2-3,3" }, model)
    expect(model.askedText.match(/--- page \d+ of 45 ---/g)).toEqual([2, 3, 7].map((n) => `--- page ${n} of 45 ---`))
    expect(details).toMatchObject({ document: { pagesRead: "2-3,7" } })
    expect(details).not.toHaveProperty("notices")
  })

  it.each([
    [undefined, "1-20", "21-40"],
    ["5-45", "5-24", "25-44"],
    ["40-45,1-30", "1-20", "21-30,40-45"],
  ])("gets twenty of pages %s, and both it and the caller are told of the others", async (pages, read, next) => {
    const model = reader()
    const result = await call({ pdf: "45.pdf", pages: pages ?? null }, model)
    const notice = `[Partial document: pages ${read} of 45 of 45.pdf were read, at most 20 in one call. Use pages="${next}" for the next.]`
    expect(model.askedText).toContain(notice)
    expect(result.content[1]).toEqual({ type: "text", text: notice })
    expect(result.details).toMatchObject({ notices: [notice], document: { pagesRead: read } })
  })

  it("gets those that exist where others were asked for too, and is told", async () => {
    const model = reader()
    const { details } = await call({ pdf: "45.pdf", pages: "44-60" }, model)
    const notice = "[Partial document: 45.pdf ends at page 45; pages past it were asked for.]"
    expect(details).toMatchObject({ notices: [notice], document: { pagesRead: "44-45" } })
    expect(model.askedText).toContain(notice)
  })

  it("is not asked where none of them exists", async () => {
    const model = reader()
    await expect(call({ pdf: "two.pdf", pages: "3-4" }, model)).rejects.toThrow(
      "two.pdf: Page 3 is out of range (2 pages total)",
    )
    expect(model.requests).toEqual([])
  })

  it("gets as much text as a call may have, shared by the documents, and is told what was cut", async () => {
    const model = reader()
    const { details } = await call({ pdfs: ["two.pdf", "45.pdf"] }, model, { maxDocumentCharacters: 3_000 })
    expect(model.askedText).toContain("Second")
    expect(model.askedText).toContain("Number 3\n")
    expect(model.askedText).not.toContain("Number 4\n")
    expect(details).toMatchObject({
      notices: [
        expect.stringMatching(/^\[Partial document: the text of 45\.pdf was cut at \d+ characters\. Use pages="4-/),
      ],
      pdfs: [{ document: { textTruncated: false } }, { document: { textTruncated: true, pagesRead: "1-3" } }],
    })
  })

  it.each([
    [[10, 20], 100, [10, 20]],
    [[10, 500, 400], 100, [10, 45, 45]],
    [[500, 10], 100, [90, 10]],
    [[0, 0], 100, [0, 0]],
    [[5, 5, 5], 7, [2, 2, 3]],
    [[], 100, []],
  ])("documents of %j characters share %s as %j", (wanted, budget, shares) => {
    expect(shareCharacters(wanted, budget)).toEqual(shares)
  })
})

describe("Pages with little text", () => {
  const mixed = buildPdf(
    pageObjects([{ content: drawing }, { content: showLines(...paragraph) }, { content: drawing }]),
  )
  beforeAll(() => folder.write("mixed.pdf", mixed))

  it("come as images that share the pixels of one call, over all documents", async () => {
    const model = reader()
    const { details } = await call({ pdfs: ["mixed.pdf", "two.pdf", "scan.pdf"] }, model, {
      maxRenderedPixels: 300_000,
    })
    const labels = model.asked.flatMap((part, i) => (part.type === "image" ? [model.asked[i - 1]] : []))
    expect(labels.map((part) => part?.type === "text" && part.text)).toEqual([
      "Page 1 of mixed.pdf as an image:",
      "Page 3 of mixed.pdf as an image:",
      "Page 1 of scan.pdf as an image:",
    ])
    const pixels = model.asked.map((part) => (part.type === "image" ? pixelsOf(part.data) : 0))
    expect(pixels.filter((count) => count > 90_000)).toHaveLength(3)
    expect(pixels.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(300_000)
    expect(details).toMatchObject({
      pdfs: [{ document: { pagesRead: "1-3" } }, {}, { document: { read: true, pagesRead: "1" } }],
    })
    expect(details).not.toHaveProperty("notices")
    expect(details).not.toHaveProperty("pdfs.2.document.notRead")
  })

  it("are told of where the model takes no images", async () => {
    const model = reader("a/text", { acceptsImages: false })
    const { details } = await call({ pdf: "mixed.pdf" }, model)
    const notice = "[Partial document: pages 1,3 of mixed.pdf have little text, and this model takes no images.]"
    expect(model.asked.every(({ type }) => type === "text")).toBe(true)
    expect(model.askedText).toContain(notice)
    expect(details).toMatchObject({ notices: [notice] })
  })

  it("are told of where they could not be drawn, and the text is sent all the same", async () => {
    const drawing: DocumentExtractor = {
      extract: (request, context) =>
        request.images
          ? Promise.resolve(err(new DocumentError("read_failed", "gone")))
          : extractor.extract(request, context),
    }
    const model = reader()
    const { details } = await call({ pdf: "mixed.pdf" }, model, {}, drawing)
    const notice = "[Partial document: pages 1,3 of mixed.pdf have little text and could not be drawn.]"
    expect(model.askedText).toContain(paragraph[0])
    expect(details).toMatchObject({ notices: [notice] })
  })

  it("are not told of where they are blank", async () => {
    await folder.write("blank.pdf", buildPdf(pageObjects([{ content: showLines(...paragraph) }, { content: "" }])))
    expect((await call({ pdf: "blank.pdf" })).details).not.toHaveProperty("notices")
  })

  it("of a document without any text are an error for a model that takes no images, before it is asked", async () => {
    const text = reader("a/text", { acceptsImages: false })
    await expect(call({ pdf: "scan.pdf" }, text)).rejects.toThrow(
      /^No text could be extracted\. \[PDF \(.*\), not shown: it holds no text, and this model takes no images\. .*The model takes no images, so the pages could not be shown to it\.$/,
    )
    expect(text.requests).toEqual([])
    const sees = reader("b/sees")
    const { details } = await call({ pdf: "scan.pdf" }, [text, sees])
    expect(details).toMatchObject({ model: "b/sees", attempts: [{ model: "a/text" }] })
    expect(sees.asked.filter(({ type }) => type === "image")).toHaveLength(1)
  })
})

describe("A document that is not read", () => {
  it.each([
    ["locked.pdf", {}, /it is encrypted\. Ask the user for its password and pass it as password\./],
    ["locked.pdf", { password: "wrong" }, /the password given is not the one/],
    ["false.pdf", {}, /it is damaged, or not a PDF that can be read/],
    ["empty-page.pdf", {}, /it holds no text/],
  ])("alone is an error: %s with %j", async (pdf, input, message) => {
    const model = reader()
    await expect(call({ pdf, ...input }, model)).rejects.toThrow(message)
    expect(model.requests).toEqual([])
  })

  it("opens with its password", async () => {
    const model = reader()
    await call({ pdf: "locked.pdf", password: "sesame" }, model)
    expect(model.askedText).toContain("Behind the password")
  })

  it("among others is told of to both, and they are read", async () => {
    const model = reader()
    const { details } = await call({ pdfs: ["locked.pdf", "two.pdf"] }, model)
    expect(model.askedText).toMatch(
      /\[Partial document: locked\.pdf was not read\. \[PDF \(.*\), not shown: it is encrypted/,
    )
    expect(model.askedText).toContain("Second")
    expect(details).toMatchObject({
      pdfs: [{ document: { read: false, notRead: "encrypted" } }, { document: { read: true } }],
      notices: [expect.stringContaining("locked.pdf was not read.")],
    })
  })

  it("for want of an extractor says so", async () => {
    const tool = createPdfTool({ env: folder.env, model: reader() })
    const run = tool.execute("1", { pdf: "two.pdf" }, undefined, { env: folder.env }, undefined, BACKGROUND_CONTEXT)
    await expect(run).rejects.toThrow(/no document reader is configured here/)
  })

  it("to its end says how far it was read, and why no further", async () => {
    const stopping: DocumentExtractor = {
      extract: async ({ kind, reader }) =>
        ok({
          kind,
          bytes: reader.info.size,
          pageCount: 9,
          pages: [1, 2].map((page) => ({ page, text: paragraph.join("\n") })),
          textTruncated: false,
          notRead: "timeout",
        }),
    }
    const { details } = await call({ pdf: "45.pdf" }, reader(), {}, stopping)
    expect(details).toMatchObject({
      notices: ["[Partial document: reading 45.pdf stopped after page 2: it took longer than 60 s.]"],
      document: { read: true, pagesRead: "1-2", notRead: "timeout" },
    })
  })
})

describe("Several models", () => {
  it("share what was extracted, and one that takes PDFs as they are stands among them", async () => {
    let extractions = 0
    const counting: DocumentExtractor = {
      extract: (request, context) => {
        extractions += 1
        return extractor.extract(request, context)
      },
    }
    const failing = ["a/x", "b/y"].map((id) => new AnsweringModel(id, async () => err(new Error(`no ${id}`))))
    const native = new AnsweringModel("c/native", undefined, { nativePdf: true })
    expect((await call({ pdf: "two.pdf" }, [...failing, native], {}, counting)).details).toMatchObject({
      model: "c/native",
      native: true,
      attempts: [{ model: "a/x" }, { model: "b/y" }],
    })
    expect(extractions).toBe(1)
  })

  it("that take PDFs as they are are passed over where pages are selected", async () => {
    const native = new AnsweringModel("a/native", undefined, { nativePdf: true })
    const { details } = await call({ pdf: "two.pdf", pages: "2" }, [native, reader()])
    expect(details).toMatchObject({
      model: "openai/reader",
      attempts: [{ model: "a/native", error: "pages is not supported with native PDF providers" }],
    })
  })
})

describe("An abort", () => {
  it("while text is extracted settles the call with no file open and no model asked", async () => {
    const before = openDescriptors()
    const stop = new AbortController()
    const aborting: DocumentExtractor = {
      extract: (request, context) => {
        stop.abort()
        return extractor.extract(request, context)
      },
    }
    const model = reader()
    const tool = createPdfTool({ env: folder.env, model, extractor: aborting })
    const context = withAbortSignal(stop.signal, BACKGROUND_CONTEXT)
    const run = tool.execute("1", { pdf: "two.pdf" }, undefined, { env: folder.env }, undefined, context)
    await expect(run).rejects.toMatchObject({ code: "aborted" })
    await expect.poll(openDescriptors).toEqual(before)
    expect(model.requests).toEqual([])
  })
})

it("A PDF that was replaced by something else after it was judged is not sent", async () => {
  await folder.write("swapped.pdf", textPdf(["Was here"]))
  const swapping = new AnsweringModel("a/swapping", undefined, {
    nativePdf: true,
    isAvailable: async () => {
      await rm(join(folder.path, "swapped.pdf"))
      await folder.write("swapped.pdf", "secret words")
      return true
    },
  })
  await expect(call({ pdf: "swapped.pdf" }, swapping)).rejects.toThrow(/^Not a PDF: /)
  expect(swapping.requests).toEqual([])
})

/** Of a PNG, as its header says. */
function pixelsOf(png: Uint8Array): number {
  const view = new DataView(png.buffer, png.byteOffset)
  return view.getUint32(16) * view.getUint32(20)
}
