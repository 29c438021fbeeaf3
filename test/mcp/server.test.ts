import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textPdf } from "../support/build-pdf.ts"

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
const program = join(import.meta.dirname, "../../out/main/cli.js")
const LINE = "0123456789012345678\n"
const LINES = 5_000_000

let folder: string
let root: string
let client: Client

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-mcp-")))
  root = join(folder, "root")
  await mkdir(root)
  await writeFile(join(root, "a.txt"), "one\ntwo\nthree\n")
  await writeFile(join(root, "pixel.png"), Buffer.from(PIXEL, "base64"))
  await writeFile(join(root, "not.pdf"), "%PDF-1.4 not really")
  await writeFile(join(root, "paper.pdf"), textPdf(["Hello, world"], ["The second page"]))
  await writeFile(join(root, ".env"), "SECRET=1")
  await writeFile(join(folder, "outside.txt"), "outside")
  const log = await open(join(root, "big.log"), "w")
  const part = LINE.repeat(LINES / 100)
  for (let written = 0; written < 100; written++) await log.write(part)
  await log.close()
  if (process.platform !== "win32") execFileSync("mkfifo", [join(root, "pipe")])
  client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--root", root],
    cwd: folder,
    stderr: "pipe",
  })
  await client.connect(transport)
  // The client checks every result against the output schema from here on.
  await client.listTools()
})

afterAll(async () => {
  await client.close()
  await rm(folder, { recursive: true, force: true })
})

async function read(parameters: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name: "read", arguments: parameters })) as CallToolResult
}

test("the one tool says that it only reads", async () => {
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    { name: "read", annotations: { readOnlyHint: true, openWorldHint: false }, inputSchema: { required: ["path"] } },
  ])
})

describe("a read over the protocol", () => {
  test("of a text has its window, and the receipt beside it", async () => {
    expect(await read({ path: "a.txt", limit: 1 })).toEqual({
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

  test("of a 100 MB log finds a line far down", async () => {
    const { content, structuredContent } = await read({ path: "big.log", offset: 4_000_000, limit: 1 })
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("0123456789012345678\n\n[") }])
    expect(structuredContent).toMatchObject({ bytes: 100_000_000, totalLines: LINES + 1, nextOffset: 4_000_001 })
  })

  test("of an image has the image, and no image data in the receipt", async () => {
    const { content, structuredContent } = await read({ path: "pixel.png" })
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: PIXEL })
    expect(structuredContent).toMatchObject({ kind: "image" })
    expect(JSON.stringify(structuredContent)).not.toContain("iVBOR")
  })

  test("of a PDF has its text, page by page", async () => {
    const { content, structuredContent } = await read({ path: "paper.pdf" })
    const [block] = content as { text: string }[]
    expect(block?.text).toContain("--- page 1 of 2 ---\nHello, world")
    expect(block?.text).toContain("--- page 2 of 2 ---\nThe second page")
    expect(structuredContent).toMatchObject({ document: { kind: "pdf", read: true, pageCount: 2, pagesRead: "1-2" } })
  })

  test("of what is no PDF says so", async () => {
    const { structuredContent } = await read({ path: "not.pdf" })
    expect(structuredContent).toMatchObject({ kind: "document", document: { read: false, notRead: "unsupported" } })
  })

  test.each([
    { what: "a missing file", path: "gone.txt", says: /gone\.txt/ },
    { what: "a file outside the root", path: "../outside.txt", says: /outside/ },
    { what: "a credential", path: ".env", says: /\.env/ },
  ])("of $what is a result that says what is wrong", async ({ path, says }) => {
    const result = await read({ path })
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: expect.stringMatching(says) }] })
    expect(JSON.stringify(result)).not.toContain("SECRET")
  })

  test.skipIf(process.platform === "win32")("of a FIFO names its kind", async () => {
    const result = await read({ path: "pipe" })
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/not a regular file/i) }] })
  })

  test("that is cancelled leaves the server ready for the next", async () => {
    const abort = new AbortController()
    const call = client.callTool({ name: "read", arguments: { path: "big.log", offset: 4_500_000 } }, undefined, {
      signal: abort.signal,
    })
    abort.abort("enough")
    await expect(call).rejects.toThrow(/enough/)
    expect(await read({ path: "a.txt" })).toMatchObject({ content: [{ text: "one\ntwo\nthree\n" }] })
  })
})
