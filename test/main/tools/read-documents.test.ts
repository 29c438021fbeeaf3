import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { buildPdf, pageObjects, showLines, textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../support/document-extraction.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const documentExtractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
const tool = createReadTool({ documentExtractor })
let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(async () => {
  await documentExtractor.close()
  await folder.remove()
})

const read = async (content: Uint8Array | string, input: object = {}, by = tool) => {
  await folder.write("a.pdf", content)
  return callRead(by, folder.env, { path: "a.pdf", ...input })
}

const paragraph = Array.from({ length: 12 }, (_, i) => `Line ${i + 1} of a page that is rich enough in text`)

describe("A PDF", () => {
  it("is read as text, page by page", async () => {
    const result = await read(textPdf(paragraph, ["Second", ...paragraph]))
    expect(textOf(result)).toBe(
      `--- page 1 of 2 ---\n${paragraph.join("\n")}\n\n--- page 2 of 2 ---\nSecond\n${paragraph.join("\n")}`,
    )
    expect(result.receipt).toMatchObject({ kind: "document", mimeType: "application/pdf", totalLines: 28 })
  })

  it("is found after a byte order mark and blanks", async () => {
    const result = await read(Buffer.concat([Buffer.from("\ufeff \n"), textPdf(paragraph)]))
    expect(textOf(result)).toContain(paragraph[3])
  })

  it("is read by pages across it, and by offset inside it without another process", async () => {
    const pdf = textPdf(...Array.from({ length: 30 }, (_, i) => [`Page number ${i + 1}`, ...paragraph]))
    const first = await read(pdf, { limit: 3 })
    expect(textOf(first)).toContain('[Showing pages 1-20 of 30. Use pages="21-30" to continue.]')
    const rest = await callRead(tool, folder.env, { path: "a.pdf", pages: "21-30", limit: 3 })
    expect(textOf(rest)).toMatch(/^--- page 21 of 30 ---\nPage number 21\n/)
    await documentExtractor.close()
    const further = await callRead(tool, folder.env, { path: "a.pdf", offset: first.receipt.nextOffset ?? 0 })
    expect(textOf(further)).toContain("\nPage number 20\n")
    const anew = await callRead(tool, folder.env, { path: "a.pdf", pages: "7" })
    expect(textOf(anew)).toMatch(/^\[PDF .*the document reader could not be started/)
  })
})

describe("What only looks like a PDF", () => {
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs: 60_000 },
  })
  const withReader = createReadTool({ documentExtractor: extractor })
  afterAll(() => extractor.close())

  it.each([
    ["a few words", "%PDF-1.4 not really"],
    ["noise", `%PDF-1.7\n${"\0\u0001".repeat(5_000)}`],
  ])("is unsupported: %s", async (_title, content) => {
    const result = await read(content, {}, withReader)
    expect(textOf(result)).toMatch(/^\[PDF \([^)]+\), not shown: it is damaged, or not a PDF that can be read\. /)
    expect(result.content).toHaveLength(1)
    expect(result.details?.document).toMatchObject({ read: false, notRead: "unsupported" })
  })

  it("stays text where it is a note about one", async () => {
    expect(textOf(await read("a note about %PDF-1.7 files\n", {}, withReader))).toBe("a note about %PDF-1.7 files\n")
  })

  it("fails with the page count where a page is out of range", async () => {
    await expect(read(textPdf(["x"]), { pages: "2-3" }, withReader)).rejects.toThrow(
      "Page 2 is out of range (1 page total)",
    )
  })

  it("is drawn where it has little text, and a page rich in text stops no other from being drawn", async () => {
    const objects = pageObjects([
      { content: showLines(...paragraph) },
      { content: "1 0 0 rg 100 100 300 300 re f" },
      { content: showLines("7") },
    ])
    const result = await read(buildPdf(objects), {}, withReader)
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "image"])
    expect(textOf(result)).toContain("[Pages 2-3 have little text and follow as images, in this order.]")
    const blind = createReadTool({ documentExtractor: extractor, acceptsImages: false })
    const told = await callRead(blind, folder.env, { path: "a.pdf" })
    expect(told.content.map(({ type }) => type)).toEqual(["text"])
  })
})
