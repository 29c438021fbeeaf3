import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, open, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { OUTPUT_SCHEMA } from "../../src/mcp/read-schemas.ts"
import { buildDocx, paragraph } from "../support/build-docx.ts"
import { buildNotebook, codeCell, streamOutput } from "../support/build-notebook.ts"
import { textPdf } from "../support/build-pdf.ts"
import { buildPng } from "../support/build-png.ts"
import { type McpServerUnderTest, startMcpServer } from "../support/mcp-server.ts"

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
const LINE = "0123456789012345678\n"
const LINES = 5_000_000
/** Stands in every file that must not be read, as a line of a key too: the server never sends it. */
const MARKER = "markerThatNobodyMayEverSeeAnywhere0123456789"
const windows = process.platform === "win32"

let folder: string
let root: string
let second: string
let server: McpServerUnderTest

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-mcp-")))
  root = join(folder, "root")
  second = join(folder, "second")
  await mkdir(root)
  await mkdir(second)
  await writeFile(join(root, "a.txt"), "one\ntwo\nthree\n")
  await writeFile(join(root, "empty.txt"), "")
  await writeFile(join(root, "binary"), "a\0b")
  await writeFile(join(root, "wide.txt"), Buffer.from("\ufeffwide", "utf16le"))
  await writeFile(join(root, "changes.md"), "# Changes\n")
  await writeFile(join(root, "pixel.png"), Buffer.from(PIXEL, "base64"))
  await writeFile(join(root, "chart.png"), buildPng({ width: 16, height: 8, sample: (x, y) => 10 * x + y }))
  await writeFile(join(root, "letter.docx"), buildDocx({ body: paragraph("Dear reader") }))
  const cell = codeCell("print(1)", streamOutput("stdout", "1\n"))
  await writeFile(join(root, "steps.ipynb"), buildNotebook([cell]))
  await writeFile(join(root, "not.pdf"), "%PDF-1.4 not really")
  await writeFile(join(root, "paper.pdf"), textPdf(["Hello, world"], ["The second page"]))
  await writeFile(join(root, ".env"), `TOKEN=${MARKER}`)
  await writeFile(
    join(root, "id.txt"),
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${MARKER}\n-----END OPENSSH PRIVATE KEY-----\n`,
  )
  await writeFile(join(second, "b.txt"), "of the second folder\n")
  await writeFile(join(folder, "outside.txt"), MARKER)
  await mkdir(join(folder, "root-beside"))
  await writeFile(join(folder, "root-beside", "c.txt"), MARKER)
  if (!windows) {
    await symlink(join(folder, "outside.txt"), join(root, "link.txt"))
    execFileSync("mkfifo", [join(root, "pipe")])
  }
  const log = await open(join(root, "big.log"), "w")
  const part = LINE.repeat(LINES / 100)
  for (let written = 0; written < 100; written++) await log.write(part)
  await log.close()
  server = await startMcpServer([root, second], folder)
})

afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

test("the one tool says that it only reads", async () => {
  const { tools } = await server.client.listTools()
  expect(tools).toMatchObject([
    { name: "read", annotations: { readOnlyHint: true, openWorldHint: false }, inputSchema: { required: ["path"] } },
  ])
  expect(tools[0]?.outputSchema).toEqual(OUTPUT_SCHEMA)
})

// Every read below is held to the output schema by `server.read`.
describe("a read over the protocol", () => {
  const missing = (name: string) => `No such file or directory: ${join(root, name)} (ENOENT)`

  test("of a text has its window, and the receipt beside it", async () => {
    expect(await server.read({ path: join(root, "a.txt"), limit: 1 })).toEqual({
      content: [{ type: "text", text: "one\n\n[3 more lines in file. Use offset=2 to continue.]" }],
      structuredContent: {
        kind: "text",
        path: join(root, "a.txt"),
        bytes: 14,
        encoding: "utf-8",
        lines: "1-1",
        totalLines: 4,
        nextOffset: 2,
      },
    })
  })

  test("of a relative path starts at the first folder", async () => {
    expect(await server.read({ path: "a.txt" })).toMatchObject({ content: [{ text: "one\ntwo\nthree\n" }] })
  })

  test("reaches the second folder", async () => {
    const { content, structuredContent } = await server.read({ path: join(second, "b.txt") })
    expect(content).toEqual([{ type: "text", text: "of the second folder\n" }])
    expect(structuredContent).toMatchObject({ path: join(second, "b.txt") })
  })

  test("of a 100 MB log finds a line far down", async () => {
    const { content, structuredContent } = await server.read({ path: "big.log", offset: 4_000_000, limit: 1 })
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("0123456789012345678\n\n[") }])
    expect(structuredContent).toMatchObject({ bytes: 100_000_000, totalLines: LINES + 1, nextOffset: 4_000_001 })
  })

  test("of an image has the image, and no image data in the receipt", async () => {
    const { content, structuredContent } = await server.read({ path: "pixel.png" })
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: PIXEL })
    expect(structuredContent).toMatchObject({ kind: "image" })
    expect(JSON.stringify(structuredContent)).not.toContain("iVBOR")
  })

  test("of a region of an image has that part alone", async () => {
    const region = { x: 8, y: 4, width: 5, height: 3 }
    const { content, structuredContent } = await server.read({ path: "chart.png", region })
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: expect.any(String) })
    expect(structuredContent).toMatchObject({
      image: { width: 5, height: 3, originalWidth: 16, originalHeight: 8, converted: true },
    })
  })

  test("of a PDF has its text, page by page", async () => {
    const { content, structuredContent } = await server.read({ path: "paper.pdf" })
    const [block] = content as { text: string }[]
    expect(block?.text).toContain("--- page 1 of 2 ---\nHello, world")
    expect(block?.text).toContain("--- page 2 of 2 ---\nThe second page")
    expect(structuredContent).toMatchObject({ document: { kind: "pdf", read: true, pageCount: 2, pagesRead: "1-2" } })
  })

  test.each([
    { path: "letter.docx", shows: "Dear reader", receipt: { document: { kind: "docx", read: true } } },
    { path: "steps.ipynb", shows: "print(1)", receipt: { kind: "notebook", notebook: { cells: 1, cellsRead: "1" } } },
  ])("of $path has its text", async ({ path, shows, receipt }) => {
    const { content, structuredContent } = await server.read({ path })
    expect(content).toEqual([{ type: "text", text: expect.stringContaining(shows) }])
    expect(structuredContent).toMatchObject(receipt)
  })

  test.each([
    {
      what: "no PDF",
      path: "not.pdf",
      receipt: { kind: "document", document: { read: false, notRead: "unsupported" } },
    },
    { what: "an empty file", path: "empty.txt", receipt: { kind: "empty", bytes: 0 } },
    { what: "bytes", path: "binary", receipt: { kind: "binary", bytes: 3 } },
    { what: "UTF-16", path: "wide.txt", receipt: { kind: "utf-16", encoding: "utf-16le" } },
  ])("of what is $what says so, and names no command", async ({ path, receipt }) => {
    const { content, structuredContent } = await server.read({ path })
    expect(structuredContent).toMatchObject(receipt)
    expect(JSON.stringify(content)).not.toContain("bash")
  })

  test("of a missing file names those that it may have meant", async () => {
    const { content, isError } = await server.read({ path: "chnages.md" })
    expect(isError).toBe(true)
    expect(content).toEqual([
      { type: "text", text: `${missing("chnages.md")}. Similar names in that folder: "changes.md"` },
    ])
  })

  test("of a missing file that is near a credential does not name that one", async () => {
    const { content, isError } = await server.read({ path: "env" })
    expect({ content, isError }).toEqual({
      content: [{ type: "text", text: missing("env") }],
      isError: true,
    })
  })

  test.skipIf(windows)("of a FIFO names its kind", async () => {
    const { content, isError } = await server.read({ path: "pipe" })
    expect({ content, isError }).toEqual({
      content: [{ type: "text", text: `Not a regular file: ${join(root, "pipe")} (FIFO)` }],
      isError: true,
    })
  })

  test.each([
    { what: "no path", parameters: {}, says: /^"path" must be/ },
    { what: "a line that is no number", parameters: { path: "a.txt", offset: "ten" }, says: /^"offset" must be/ },
    { what: "a parameter that there is not", parameters: { path: "a.txt", colour: "red" }, says: /colour/ },
  ])("with $what is told the rule", async ({ parameters, says }) => {
    const result = await server.read(parameters)
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(says) }] })
  })

  test("by another name than the tool's is an error of the protocol", async () => {
    const call = server.client.callTool({ name: "write", arguments: { path: "a.txt" } })
    await expect(call).rejects.toThrow(/There is no tool write/)
  })
})

describe("a refused read", () => {
  const OUTSIDE = /^Outside the folders that may be read: /
  const CREDENTIAL = /^Refused by the rule "[a-z-]+" \(credential\): \S+ is not read here\. /

  test.each([
    { what: "a file above", path: () => "../outside.txt", says: OUTSIDE },
    { what: "a file above, spelled out", path: () => join(folder, "outside.txt"), says: OUTSIDE },
    { what: "a folder whose name begins like the first's", path: () => `${root}-beside/c.txt`, says: OUTSIDE },
    { what: "a file that is not there, outside", path: () => join(folder, "gone.txt"), says: OUTSIDE },
    ...(windows ? [] : [{ what: "a link that leads out", path: () => "link.txt", says: OUTSIDE }]),
    { what: "a file of the system", path: () => "/etc/hostname", says: OUTSIDE },
    { what: "the server's own environment", path: () => "/proc/self/environ", says: CREDENTIAL },
    { what: "a credential by its name", path: () => ".env", says: CREDENTIAL },
    { what: "a private key by its content", path: () => "id.txt", says: CREDENTIAL },
  ])("of $what says which rule it breaks", async ({ path, says }) => {
    const { content, isError } = await server.read({ path: path() })
    expect(isError).toBe(true)
    expect(content).toEqual([{ type: "text", text: expect.stringMatching(says) }])
  })

  test("leaves no trace of the file in anything that the server ever said", async () => {
    for (const path of ["../outside.txt", ".env", "id.txt", "link.txt", join(folder, "root-beside", "c.txt")]) {
      await server.read({ path })
      await server.read({ path, encoding: "utf-16le" })
    }
    const said = server.said()
    const bytes = Buffer.from(MARKER)
    const traces = [MARKER, ...[0, 1].map((start) => bytes.subarray(start).toString("utf16le"))]
    expect(said).toContain("Outside the folders that may be read")
    expect(traces.filter((trace) => said.includes(trace.slice(0, 16)))).toEqual([])
  })
})
