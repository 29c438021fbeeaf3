import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { buildDocx, heading, paragraph, picture } from "../../support/build-docx.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../support/document-extraction.ts"
import { FakeDocumentExtractor } from "../../support/fake-document-extractor.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const documentExtractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
const tool = createReadTool({ documentExtractor })
const withoutShell = createReadTool({ documentExtractor, shell: false })
let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(async () => {
  await documentExtractor.close()
  await folder.remove()
})

const read = async (content: Uint8Array, input: object = {}, by = tool) => {
  await folder.write("a.docx", content)
  return callRead(by, folder.env, { path: "a.docx", ...input })
}

/** Some 3,000 characters, as a page of a report has. */
const page = (number: number) =>
  heading(1, `Page ${number}`) +
  Array.from({ length: 10 }, (_, i) => paragraph(`${number}.${i} ${"words ".repeat(48)}`)).join("")

describe("A Word document", () => {
  const report = buildDocx({
    body: heading(1, "Report") + paragraph("First.") + paragraph(picture("i1", "Chart")),
    targets: { i1: "media/1.png" },
  })

  it("is read as Markdown without pages, images counted", async () => {
    const result = await read(report)
    expect(textOf(result)).toBe("# Report\n\nFirst.\n\n[image: Chart]\n\n[1 image left out.]")
    const document = { kind: "docx", read: true, bytes: report.length, textTruncated: false }
    expect(result.details).toEqual({ document })
    expect(result.receipt).toEqual({
      kind: "document",
      path: `${folder.path}/a.docx`,
      bytes: report.length,
      mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      lines: "1-5",
      totalLines: 5,
      document,
    })
  })

  it("has windows like any text", async () => {
    const result = await read(report, { limit: 1 })
    expect(textOf(result)).toBe("# Report\n\n[4 more lines in file. Use offset=2 to continue.]\n\n[1 image left out.]")
    expect(result.receipt.nextOffset).toBe(2)
    expect(textOf(await read(report, { offset: 5 }))).toBe("[image: Chart]\n\n[1 image left out.]")
  })

  it("has no pages to ask for", async () => {
    await expect(read(report, { pages: "1" })).rejects.toThrow(
      "A Word document has no pages: leave pages out, and read on in its text with offset",
    )
  })

  it("of 60 pages is read to its end, by the offsets that are given", async () => {
    const pages = Array.from({ length: 60 }, (_, i) => page(i + 1)).join("")
    let result = await read(buildDocx({ body: pages }))
    const shown: string[] = []
    for (;;) {
      shown.push(textOf(result).replace(/\n\n\[Showing lines .*\]$/, ""))
      const { nextOffset } = result.receipt
      if (nextOffset === undefined) break
      result = await callRead(tool, folder.env, { path: "a.docx", offset: nextOffset })
    }
    expect(shown.length).toBeGreaterThan(3)
    const headings = shown.join("\n").match(/^# Page \d+$/gm)
    expect(headings).toEqual(Array.from({ length: 60 }, (_, i) => `# Page ${i + 1}`))
    expect(result.details?.document?.textTruncated).toBe(false)
  })

  it("of 300 pages ends at the character limit, and says what follows and how", async () => {
    const pages = Array.from({ length: 300 }, (_, i) => page(i + 1)).join("")
    const result = await read(buildDocx({ body: pages }))
    expect(result.details?.document).toMatchObject({ kind: "docx", read: true, textTruncated: true })
    expect(result.details?.document).not.toHaveProperty("notRead")
    const text = textOf(result)
    expect(text).toMatch(/^# Page 1\n/)
    expect(text).toContain("[The text of the document was cut after 300000 characters. For what")
    expect(textOf(await callRead(withoutShell, folder.env, { path: "a.docx" }))).toContain(
      "after 300000 characters. Ask the user for what follows, or for a part of the document.]",
    )
    const command = /use bash: (.*)\]$/.exec(text)?.[1] ?? ""
    if (!hasUnzip) return console.log("skipped: there is no unzip here to run the command that is given")
    const rest = execFileSync("sh", ["-c", command], { cwd: folder.path, encoding: "utf8" })
    // The Markdown marks are not in it, and with that it starts a little before the cut, or a little after it.
    expect(rest).toMatch(/^[^<]*\b(?:9\d|10\d)\.\d words/)
  })

  it.each([
    ["an archive cut short", buildDocx({ body: paragraph("x") }).subarray(0, -30)],
    ["no main part", buildDocx({ body: "", entries: [{ name: "word/document.xml", content: "" }] })],
    ["XML that is none", buildDocx({ body: "<w:p>", entries: [] })],
  ])("that is damaged is unsupported: %s", async (_title, content) => {
    const result = await read(content)
    expect(textOf(result)).toMatch(
      /^\[DOCX \([^)]+\), not shown: it is damaged, or not a DOCX that can be read\. Ask the user for another copy of it\.\]$/,
    )
    expect(result.details?.document).toMatchObject({ kind: "docx", read: false, notRead: "unsupported" })
  })

  it("with pictures alone holds no text, and says what it holds", async () => {
    const result = await read(
      buildDocx({ body: paragraph(picture("i1") + picture("i1")), targets: { i1: "media/1.png" } }),
    )
    expect(textOf(result)).toMatch(
      /^\[DOCX \([^)]+\), not shown: it holds no text; 2 images left out\. Ask the user for a copy with text, or for a PDF of it\.\]$/,
    )
    expect(result.details?.document).toMatchObject({ read: false, notRead: "no-text" })
  })

  it.each([
    ["too-large", "it unpacks to more than a document may have"],
    ["timeout", "reading it took longer than 10 s"],
  ] as const)("that is %s has words of its own, and no page to try", async (notRead, words) => {
    const by = createReadTool({ documentExtractor: new FakeDocumentExtractor({ notRead }) })
    const result = await read(report, {}, by)
    expect(textOf(result)).toMatch(
      new RegExp(`^\\[DOCX \\(.+\\), not shown: ${words}\\. Ask the user for a smaller file`),
    )
    expect(textOf(result)).not.toContain("page")
  })
})

/** `scripts/make-docx-fixture.sh` made both of `scripts/word-fixture.fodt`. */
const fixture = (name: string) => readFile(join(import.meta.dirname, "../../fixtures/word", name))

const LIBREOFFICE_TEXT = `# Quarterly report

Written for [these terms](https://example.org/terms).

## Terms

Payment is due within sixty days[^1], ~~not before~~.

[^1]: Of the invoice.

- Fruit
    - Apples
    - Pears
- Bread

Then, in order:

1. Open
    1. Slowly
2. Read

## Figures

| Quarter | Amounts |  |
| --- | --- | --- |
| Q1 | 10 | a\\|b<br>c |

שלום עולם 123

مرحبا بالعالم

A dot: [image: A red dot]

Checked[^2] by all.

[^2]: Comment of Grace: By whom?

[1 image left out.]`

describe("What LibreOffice made", () => {
  it("reads as Markdown: headings, lists, a table, a footnote, changes, text from right to left", async () => {
    const result = await read(await fixture("libreoffice.docx"))
    expect(textOf(result)).toBe(LIBREOFFICE_TEXT)
    expect(result.details?.document).toMatchObject({ kind: "docx", read: true, textTruncated: false })
  })

  it("is named where it is in the format of Word 97", async () => {
    await folder.write("a.doc", await fixture("libreoffice.doc"))
    expect(textOf(await callRead(withoutShell, folder.env, { path: "a.doc" }))).toBe(
      "[Word 97-2003 document (.doc) (14.0KB), not shown as text. Ask the user to save it as DOCX or PDF.]",
    )
  })
})

const hasUnzip = (() => {
  try {
    execFileSync("unzip", ["-v"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()
