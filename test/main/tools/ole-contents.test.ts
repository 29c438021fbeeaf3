import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { buildOle } from "../../support/build-ole.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const withShell = createReadTool()
const without = createReadTool({ shell: false })
let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(() => folder.remove())

const convert = (to: string, path: string) => `soffice --headless --convert-to ${to} --outdir "$(mktemp -d)" ${path}`
const OLD = ["\u0001CompObj", "1Table", "\u0005SummaryInformation", "\u0005DocumentSummaryInformation"]

describe("A file of an old Office is named, with the way to its words", () => {
  it.each([
    ["a.doc", "WordDocument", "Word 97-2003 document (.doc)", "docx", "Ask the user to save it as DOCX or PDF."],
    ["b.xls", "Workbook", "Excel 97-2003 workbook (.xls)", "csv", "Ask the user to save the sheet in question as CSV."],
    ["c.xls", "Book", "Excel 97-2003 workbook (.xls)", "csv", "Ask the user to save the sheet in question as CSV."],
    ["d.ppt", "PowerPoint Document", "PowerPoint 97-2003 presentation (.ppt)", "pdf", "Ask the user for a PDF of it."],
  ])("%s, by its stream %s", async (path, stream, name, to, ask) => {
    const bytes = buildOle([...OLD, stream], { sectorsBefore: 40 })
    await folder.write(path, bytes)
    const size = `${(bytes.length / 1024).toFixed(1)}KB`
    const result = await callRead(withShell, folder.env, { path })
    expect(textOf(result)).toBe(`[${name} (${size}), not shown as text. Use bash: ${convert(to, path)}]`)
    expect(result.receipt).toMatchObject({ kind: "binary", bytes: bytes.length, mimeType: expect.any(String) })
    expect(textOf(await callRead(without, folder.env, { path }))).toBe(`[${name} (${size}), not shown as text. ${ask}]`)
  })

  it("a mail without a command, since none is common", async () => {
    await folder.write("a.msg", buildOle(["__properties_version1.0"]))
    expect(textOf(await callRead(withShell, folder.env, { path: "a.msg" }))).toBe(
      "[Outlook message (.msg) (1.5KB), not shown as text. Ask the user for its text.]",
    )
  })

  it.each([
    ["none that is known", buildOle(["Other"])],
    ["no more than a header", buildOle(["WordDocument"]).subarray(0, 700)],
    ["less than a header", buildOle(["WordDocument"]).subarray(0, 100)],
    ["a directory beyond the end", buildOle(["WordDocument"], { sectorShift: 12 })],
    ["sectors of no size that is allowed", buildOle(["WordDocument"], { sectorShift: 31 })],
    ["a directory that leads back to itself", buildOle(["a", "b", "c"], { afterDirectory: 0 })],
    ["a directory that leads anywhere", buildOle(["a", "b", "c"], { afterDirectory: 0x00ff_ffff })],
  ])("and as before where its directory has %s", async (_title, bytes) => {
    await folder.write("odd.doc", bytes)
    expect(textOf(await callRead(withShell, folder.env, { path: "odd.doc" }))).toMatch(
      /^\[Binary file \(.+\), not shown as text\. Use bash: file odd\.doc.*\]\n\[Looks like a legacy Office document \(OLE\)\.\]$/,
    )
  })
})

describe("An encrypted file of today's Office", () => {
  const bytes = buildOle(["EncryptionInfo", "EncryptedPackage"], { sectorsBefore: 30 })

  it.each(["a.docx", "b.dotm", "unnamed"])("is a document that has a reason: %s", async (path) => {
    await folder.write(path, bytes)
    const result = await callRead(withShell, folder.env, { path, password: "guess" })
    expect(textOf(result)).toBe(
      "[DOCX (16.5KB), not shown: it is encrypted, and Word documents with passwords cannot be opened here. Ask the user for a copy without a password.]",
    )
    const document = { kind: "docx", read: false, bytes: bytes.length, textTruncated: false, notRead: "encrypted" }
    expect(result.details).toEqual({ document })
    expect(result.receipt).toMatchObject({ kind: "document", document })
  })

  it.each(["a.xlsx", "b.pptm"])("is not called one of Word's where its name says another: %s", async (path) => {
    await folder.write(path, bytes)
    expect(textOf(await callRead(withShell, folder.env, { path }))).toBe(
      "[Encrypted Office document (16.5KB), not shown as text. Ask the user for a copy without a password.]",
    )
  })
})
