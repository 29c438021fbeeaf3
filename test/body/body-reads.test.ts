import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { type BodyReceipt, openBodyReader } from "../../src/body/index.ts"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { createNodeDocumentExtractor } from "../../src/main/node.ts"
import { createReadTool } from "../../src/main/tools/read.ts"
import type { ReadResult } from "../../src/main/tools/read-result.ts"
import { BACKGROUND_CONTEXT, type Context, getOrThrow, ok, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { type BodyServer, LOG_LINE, LOG_LINES, PAGE, startBodyServer } from "../support/body-server.ts"
import { textPdf } from "../support/build-pdf.ts"
import { buildPng } from "../support/build-png.ts"
import { DOCUMENT_PROCESS_ENTRY, until } from "../support/document-extraction.ts"
import { openDescriptors } from "../support/open-descriptors.ts"

const PNG = buildPng({ width: 4, height: 3, sample: (x, y) => 10 * x + y })
const extractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
const tool = createReadTool({ documentExtractor: extractor, shell: false })

let server: BodyServer
let folder: string

beforeAll(async () => {
  server = await startBodyServer({ "/image": PNG, "/paper": textPdf(["Hello, world"]) })
})
afterAll(async () => {
  await extractor.close()
  await server.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "body-reads-"))
})
afterEach(() => rm(folder, { recursive: true }))

interface ReadBody {
  receipt: BodyReceipt
  result?: ReadResult
}

/** Fetches, and reads what can be read by the tool: as a host does, with the body in the place of a file. */
async function readBody(
  path: string,
  parameters: object = {},
  options: { maxBytes?: number; deadlineMs?: number } = {},
  context: Context = BACKGROUND_CONTEXT,
): Promise<ReadBody> {
  const fileSystem = new NodeExecutionEnv({ cwd: folder })
  fileSystem.createTempDir = async () => fileSystem.absolutePath("of-body", BACKGROUND_CONTEXT)
  const response = await fetch(server.url(path))
  const { receipt, reader } = getOrThrow(await openBodyReader(response, { fileSystem, context, ...options }))
  if (reader === undefined) return { receipt }
  const env = Object.assign(new NodeExecutionEnv({ cwd: folder }), { openFileReader: async () => ok(reader) })
  const asked = { path: "body", ...parameters }
  return { receipt, result: await tool.execute("1", asked, undefined, { env }, undefined, context) }
}

const textOf = ({ result }: ReadBody): string =>
  (result?.content ?? []).map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n")

it("reads a page as a text, which has not changed meanwhile", async () => {
  const read = await readBody("/page")
  expect(textOf(read)).toBe(PAGE)
  expect(read.result?.receipt).toMatchObject({ kind: "text", bytes: PAGE.length })
  expect(read.result?.receipt).not.toHaveProperty("changed")
  expect(await readdir(folder)).toEqual([])
})

it("reads a log of 100 MB by offset", async () => {
  const read = await readBody("/log", { offset: 4_000_000, limit: 2 }, { maxBytes: 128 * 1024 * 1024 })
  expect(read.receipt).toMatchObject({ kind: "text", bytes: LOG_LINE.length * LOG_LINES, read: true })
  expect(textOf(read)).toBe(`${LOG_LINE}${LOG_LINE}\n[1000000 more lines in file. Use offset=4000002 to continue.]`)
  expect(await readdir(folder)).toEqual([])
})

it("reads what the default bound leaves of such a log, and says that it goes on", async () => {
  const read = await readBody("/log", { limit: 1 })
  expect(read.receipt).toMatchObject({ bytes: 8 * 1024 * 1024, read: true, truncated: true })
  expect(textOf(read)).toContain(LOG_LINE)
})

it("shows an image", async () => {
  const { receipt, result } = await readBody("/image")
  expect(receipt).toMatchObject({ kind: "image", contentType: "", read: true })
  expect(result?.content).toContainEqual({ type: "image", mimeType: "image/png", data: PNG.toString("base64") })
})

it("reads a PDF, though the server did not say that it is one", async () => {
  const read = await readBody("/paper")
  expect(read.receipt).toMatchObject({ kind: "pdf", contentType: "", read: true })
  expect(textOf(read)).toContain("--- page 1 of 1 ---\nHello, world")
})

// What a FIFO is among files.
it("gives up on a server that never sends a byte", async () => {
  const { receipt, result } = await readBody("/silent", {}, { deadlineMs: 50 })
  expect(receipt).toMatchObject({ read: false, notRead: "timeout", bytes: 0 })
  expect(result).toBeUndefined()
})

// What a missing file is: what the server says of it. That it is missing, the host sees by the status.
it("reads the page of a status of 404", async () => {
  expect(textOf(await readBody("/no-such-page"))).toBe("no such page")
})

it("stops at an abort while the tool reads, and leaves nothing open", async () => {
  const abort = new AbortController()
  const context = withAbortSignal(abort.signal, BACKGROUND_CONTEXT)
  const fileSystem = new NodeExecutionEnv({ cwd: folder })
  const response = await fetch(server.url("/log"))
  const { reader } = getOrThrow(await openBodyReader(response, { fileSystem, maxBytes: 64 * 1024 * 1024 }))
  if (reader === undefined) throw new Error("There is no reader")
  const isOpen = () => openDescriptors().some((name) => name.includes("body-"))
  let reads = 0
  let wasOpen = false
  const aborting = {
    info: reader.info,
    close: reader.close,
    read: (...asked: Parameters<typeof reader.read>) => {
      reads += 1
      if (reads === 20) {
        wasOpen = isOpen()
        abort.abort()
      }
      return reader.read(...asked)
    },
  }
  const env = Object.assign(new NodeExecutionEnv({ cwd: folder }), { openFileReader: async () => ok(aborting) })
  const call = tool.execute("1", { path: "body", offset: 3_000_000 }, undefined, { env }, undefined, context)
  await expect(call).rejects.toMatchObject({ code: "aborted" })
  if (process.platform === "linux") expect(wasOpen).toBe(true)
  await until(() => !isOpen())
  expect(reads).toBeLessThan(24)
})
