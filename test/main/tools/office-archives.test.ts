import { execFile, execFileSync } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { buildZip, type ZipEntry } from "../../support/build-zip.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const withShell = createReadTool()
const without = createReadTool({ shell: false })
let folder: ToolFolder

beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(() => folder.remove())

const TYPES: ZipEntry = { name: "[Content_Types].xml" }
const ofType = (type: string): ZipEntry => ({ name: "mimetype", content: type, deflated: false })
const odf = (type: string) => ofType(`application/vnd.oasis.opendocument.${type}`)
const content = (words: string): ZipEntry => ({
  name: "content.xml",
  content: `<office:text><p>${words}</p></office:text>`,
})

/** Name of the file, entries, the notice with `<S>` for the size, its way on without a shell, and the MIME type. */
const ARCHIVES: readonly (readonly [string, readonly ZipEntry[], string, string, string | undefined])[] = [
  [
    "a.xlsx",
    [
      TYPES,
      { name: "xl/sharedStrings.xml", content: "<si><t>found me</t></si>" },
      { name: "xl/worksheets/sheet1.xml" },
    ],
    "[Excel workbook (<S>), not shown as text. Use bash: unzip -p a.xlsx xl/sharedStrings.xml 'xl/worksheets/sheet*.xml' | head -c 51200]",
    "Ask the user to save the sheet in question as CSV.",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ],
  [
    "a.pptx",
    [TYPES, { name: "ppt/slides/slide1.xml", content: "<a:t>found me</a:t>" }],
    "[PowerPoint presentation (<S>), not shown as text. Use bash: unzip -p a.pptx 'ppt/slides/slide*.xml' | sed 's/<[^>]*>/ /g' | head -c 51200]",
    "Ask the user for a PDF of it.",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ],
  [
    "my text.odt",
    [odf("text"), content("found me")],
    "[OpenDocument text (<S>), not shown as text. Use bash: unzip -p 'my text.odt' content.xml | sed 's/<[^>]*>/ /g' | head -c 51200]",
    "Ask the user for a PDF of it.",
    "application/vnd.oasis.opendocument.text",
  ],
  [
    "a[1].ods",
    [odf("spreadsheet"), content("found me")],
    "[OpenDocument spreadsheet (<S>), not shown as text. Use bash: unzip -p 'a[[]1].ods' content.xml | sed 's/<[^>]*>/ /g' | head -c 51200]",
    "Ask the user to save the sheet in question as CSV.",
    "application/vnd.oasis.opendocument.spreadsheet",
  ],
  [
    "-it's*.odp",
    [odf("presentation"), content("found me")],
    "[OpenDocument presentation (<S>), not shown as text. Use bash: unzip -p './-it'\\''s[*].odp' content.xml | sed 's/<[^>]*>/ /g' | head -c 51200]",
    "Ask the user for a PDF of it.",
    "application/vnd.oasis.opendocument.presentation",
  ],
  [
    "a.epub",
    [ofType("application/epub+zip"), { name: "OEBPS/one.xhtml", content: "<p>found me</p>" }],
    "[EPUB book (<S>), not shown as text. Use bash: unzip -p a.epub '*htm*' | sed 's/<[^>]*>/ /g' | head -c 51200]",
    "Ask the user for its text.",
    "application/epub+zip",
  ],
]

const size = (bytes: Uint8Array) => (bytes.length < 1024 ? `${bytes.length}B` : `${(bytes.length / 1024).toFixed(1)}KB`)

describe("An archive of an office program", () => {
  it.each(ARCHIVES)("is named, with the way to its words: %s", async (path, entries, notice, ask, mimeType) => {
    const zip = buildZip(...entries)
    await folder.write(path, zip)
    const result = await callRead(withShell, folder.env, { path })
    expect(textOf(result)).toBe(notice.replace("<S>", size(zip)))
    expect(textOf(await callRead(without, folder.env, { path }))).toBe(
      `${notice.slice(0, notice.indexOf(" Use bash")).replace("<S>", size(zip))} ${ask}]`,
    )
    expect(result.details).toBeUndefined()
    expect(result.receipt).toEqual({ kind: "binary", path: `${folder.path}/${path}`, bytes: zip.length, mimeType })
  })

  it.each([
    [
      "xlsb",
      [TYPES, { name: "xl/workbook.bin" }],
      "Excel binary workbook",
      "Ask the user to save the sheet in question as CSV.",
    ],
    ["pages", [{ name: "Index/Document.iwa" }], "Pages, Numbers or Keynote document", "Ask the user for a PDF of it."],
  ])("without words in XML names no command: %s", async (path, entries: ZipEntry[], name, ask) => {
    const zip = buildZip(...entries)
    await folder.write(path, zip)
    expect(textOf(await callRead(withShell, folder.env, { path }))).toBe(
      `[${name} (${size(zip)}), not shown as text. ${ask}]`,
    )
  })

  it("is a binary file like any other where nothing of it is known", async () => {
    await folder.write("a.zip", buildZip({ name: "notes.txt" }))
    expect(textOf(await callRead(withShell, folder.env, { path: "a.zip" }))).toMatch(
      /^\[Binary file \(\d+B\), not shown as text\. Use bash: file a\.zip, or .*\]\n\[Looks like a ZIP archive\.\]$/,
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
if (!hasUnzip) console.warn("Skipped, for there is no unzip here: the commands that notices name are run")

describe.skipIf(!hasUnzip)("The command that a notice names", () => {
  it.each(ARCHIVES)("prints the words: %s", async (path, entries) => {
    await folder.write(path, buildZip(...entries))
    // What the name would stand for if unzip took it for a pattern.
    await folder.write("a1.ods", buildZip(odf("spreadsheet"), content("another file")))
    const notice = textOf(await callRead(withShell, folder.env, { path }))
    const command = notice.slice(notice.indexOf("unzip"), -1)
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: folder.path })
    expect(stdout).toContain("found me")
  })
})
