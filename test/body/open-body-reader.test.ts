import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type BodyReceipt, openBodyReader } from "../../src/body/index.ts"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import type { FileByteReader } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, getOrThrow, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { type BodyServer, PAGE, startBodyServer } from "../support/body-server.ts"

let server: BodyServer
let folder: string
let env: NodeExecutionEnv

beforeEach(async () => {
  server = await startBodyServer()
  folder = await mkdtemp(join(tmpdir(), "body-"))
  env = new NodeExecutionEnv({ cwd: folder })
  // The temporary folder is put where the test can see that none stays.
  env.createTempDir = async () => {
    await env.createDir("of-body", undefined, BACKGROUND_CONTEXT)
    return env.absolutePath("of-body", BACKGROUND_CONTEXT)
  }
})

afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function contentOf(reader: FileByteReader | undefined): Promise<string> {
  if (reader === undefined) throw new Error("There is no reader")
  const parts: Uint8Array[] = []
  for (let at = 0; ; ) {
    const bytes = getOrThrow(await reader.read(at, 65_536, BACKGROUND_CONTEXT))
    if (bytes.byteLength === 0) break
    parts.push(bytes)
    at += bytes.byteLength
  }
  await reader.close(BACKGROUND_CONTEXT)
  return Buffer.concat(parts).toString()
}

describe("openBodyReader", () => {
  it.each(["/page", "/redirect", "/chunked", "/gzip"])("reads %s like a file", async (path) => {
    const opened = getOrThrow(await openBodyReader(await fetch(server.url(path)), { fileSystem: env }))
    expect(opened.receipt).toMatchObject({ kind: "text", bytes: PAGE.length, read: true })
    expect(opened.receipt.truncated).toBeUndefined()
    expect(await contentOf(opened.reader)).toBe(PAGE)
    expect(await readdir(folder)).toEqual([])
  })

  const UNREAD: [path: string, receipt: Partial<BodyReceipt>][] = [
    ["/claims-more", { kind: "text", read: false, notRead: "unavailable", bytes: 9 }],
    ["/claims-huge-pdf", { kind: "pdf", read: false, notRead: "too-large" }],
    ["/endless-pdf", { kind: "pdf", read: false, notRead: "too-large", bytes: 1_000_000 }],
    ["/endless-zip", { kind: "archive", contentType: "text/html", read: false, notRead: "unsupported" }],
    ["/reset", { kind: "text", read: false, notRead: "unavailable" }],
  ]
  it.each(UNREAD)("answers %s with a receipt and no reader", async (path, receipt) => {
    const response = await fetch(server.url(path))
    const opened = getOrThrow(await openBodyReader(response, { fileSystem: env, maxBytes: 1_000_000 }))
    expect(opened.receipt).toMatchObject(receipt)
    expect(opened.reader).toBeUndefined()
    expect(response.bodyUsed).toBe(true)
    expect(await readdir(folder)).toEqual([])
  })

  it("downloads nothing further of what it cannot read", async () => {
    await openBodyReader(await fetch(server.url("/endless-zip")), { fileSystem: env })
    await server.disconnected
    // What fits into the buffers of both sides; the body itself never ends.
    expect(server.sent()).toBeLessThan(64 * 1024 * 1024)
  })

  it.each([
    ["/endless", {}, 8 * 1024 * 1024],
    ["/endless", { maxBytes: 12_345 }, 12_345],
    ["/endless", { maxBytes: 1 }, 1],
    ["/gzip-bomb", { maxBytes: 300_000 }, 300_000],
    ["/page", { maxBytes: PAGE.length - 1 }, PAGE.length - 1],
  ])("cuts the text of %s at the bound (%o)", async (path, bound, bytes) => {
    const opened = getOrThrow(await openBodyReader(await fetch(server.url(path)), { fileSystem: env, ...bound }))
    expect(opened.receipt).toMatchObject({ kind: "text", bytes, read: true, truncated: true })
    expect((await contentOf(opened.reader)).length).toBe(bytes)
  })

  it("does not call a body truncated that ends at the bound", async () => {
    const response = await fetch(server.url("/page"))
    const opened = getOrThrow(await openBodyReader(response, { fileSystem: env, maxBytes: PAGE.length }))
    expect(opened.receipt).not.toHaveProperty("truncated")
    expect(await contentOf(opened.reader)).toBe(PAGE)
  })

  it("gives up on a body that never begins", async () => {
    const response = await fetch(server.url("/silent"))
    const opened = getOrThrow(await openBodyReader(response, { fileSystem: env, deadlineMs: 50 }))
    expect(opened.receipt).toMatchObject({ kind: "text", bytes: 0, read: false, notRead: "timeout" })
    await server.disconnected
  })

  it("keeps what had come of a text that stalls", async () => {
    const response = await fetch(server.url("/stalls"))
    const opened = getOrThrow(await openBodyReader(response, { fileSystem: env, deadlineMs: 2_000 }))
    expect(opened.receipt).toMatchObject({ kind: "text", read: true, truncated: true })
    expect(await contentOf(opened.reader)).toBe("the first lines\n")
    await server.disconnected
  })

  it.each(["/silent", "/stalls", "/endless"])("stops %s on abort and leaves nothing behind", async (path) => {
    const controller = new AbortController()
    const context = withAbortSignal(controller.signal, BACKGROUND_CONTEXT)
    const opening = openBodyReader(await fetch(server.url(path)), { fileSystem: env, maxBytes: 2 ** 40, context })
    setImmediate(() => controller.abort())
    const opened = await opening
    expect(opened).toMatchObject({ ok: false, error: { code: "aborted" } })
    await server.disconnected
    expect(await readdir(folder)).toEqual([])
  })

  it("fails before the download when it is aborted already", async () => {
    const context = withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT)
    const opened = await openBodyReader(await fetch(server.url("/endless")), { fileSystem: env, context })
    expect(opened).toMatchObject({ ok: false, error: { code: "aborted" } })
    await server.disconnected
  })

  it("reads a PDF that has no type, and a body that is not there", async () => {
    const pdf = getOrThrow(await openBodyReader(await fetch(server.url("/untyped-pdf")), { fileSystem: env }))
    expect(pdf.receipt).toMatchObject({ kind: "pdf", contentType: "", read: true })
    await pdf.reader?.close(BACKGROUND_CONTEXT)
    const nothing = getOrThrow(await openBodyReader(await fetch(server.url("/nothing")), { fileSystem: env }))
    expect(nothing.receipt).toMatchObject({ kind: "text", bytes: 0, read: true })
    expect(await contentOf(nothing.reader)).toBe("")
  })

  it.each([
    ["a body that was read", async (response: Response) => void (await response.text()), {}],
    ["a locked body", async (response: Response) => void response.body?.getReader(), {}],
    ["a bound below one byte", async () => undefined, { maxBytes: 0 }],
    ["a bound that is no number", async () => undefined, { maxBytes: Number.NaN }],
    ["a deadline below a millisecond", async () => undefined, { deadlineMs: 0 }],
  ])("refuses %s", async (_, prepare, options) => {
    const response = await fetch(server.url("/page"))
    await prepare(response)
    const opened = await openBodyReader(response, { fileSystem: env, ...options })
    expect(opened).toMatchObject({ ok: false, error: { code: "invalid" } })
  })

  it("says so where the temporary file cannot be written", async () => {
    env.createTempDir = async () => env.absolutePath(join("no", "such", "folder"), BACKGROUND_CONTEXT)
    env.writeFile = async (path) => err(new FileError("permission_denied", `Read-only: ${path}`, path))
    const opened = await openBodyReader(await fetch(server.url("/page")), { fileSystem: env })
    expect(opened).toMatchObject({ ok: false, error: { code: "permission_denied" } })
    expect(await readdir(folder)).toEqual([])
  })

  it("leaves nothing in the system's temporary folder, where it writes by default", async () => {
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    try {
      const opened = getOrThrow(await openBodyReader(await fetch(server.url("/page"))))
      expect(await contentOf(opened.reader)).toBe(PAGE)
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    expect(await readdir(folder)).toEqual([])
  })

  it("answers a reader whose file is in the state that it was opened in", async () => {
    const { reader } = getOrThrow(await openBodyReader(await fetch(server.url("/page")), { fileSystem: env }))
    expect(getOrThrow((await reader?.refresh?.(BACKGROUND_CONTEXT)) ?? err(new Error("no refresh")))).toEqual(
      reader?.info,
    )
    await reader?.close(BACKGROUND_CONTEXT)
  })
})
