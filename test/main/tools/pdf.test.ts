import { link, mkdir, symlink, truncate } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createPdfTool } from "../../../src/main/pdf-tool.ts"
import type { DocumentModel } from "../../../src/main/tools/document-model.ts"
import { createPdfTool as createToolOverUrls } from "../../../src/main/tools/pdf.ts"
import type { PdfToolInput } from "../../../src/main/tools/pdf-parameters.ts"
import { parsePdfReference } from "../../../src/main/tools/pdf-references.ts"
import { ScopedExecutionEnv } from "../../../src/pi/scoped-execution-env.ts"
import {
  BACKGROUND_CONTEXT,
  err,
  type FileByteReader,
  FileError,
  getOrThrow,
  ok,
  withAbortSignal,
} from "../../../vendor/pi-harness/index.ts"
import { type BodyServer, startBodyServer } from "../../support/body-server.ts"
import { textPdf } from "../../support/build-pdf.ts"
import { AnsweringModel } from "../../support/document-models.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"
import { ToolFolder } from "../../support/tool-calls.ts"

const PDF = textPdf(["One page"])
let folder: ToolFolder
let web: BodyServer

beforeAll(async () => {
  folder = await ToolFolder.make()
  web = await startBodyServer()
  await folder.write("a.pdf", PDF)
  await folder.write("b.pdf", textPdf(["Another"]))
})
afterAll(async () => {
  await web.close()
  await folder.remove()
})

/** A native model needs no extractor: what it is sent are the files. */
const native = (id = "test/native") => new AnsweringModel(id, undefined, { nativePdf: true })

function raise(): never {
  throw new Error("looked at")
}

function lentReader(reader: FileByteReader): FileByteReader {
  return {
    info: reader.info,
    read: (position, length, context, into) => reader.read(position, length, context, into),
    close: (context) => reader.close(context),
  }
}

type Options = Partial<Parameters<typeof createPdfTool>[0]>

function call(input: PdfToolInput, model: DocumentModel | readonly DocumentModel[] = native(), options: Options = {}) {
  const tool = createPdfTool({ env: folder.env, model, ...options })
  return tool.execute("1", input, undefined, { env: folder.env }, undefined, BACKGROUND_CONTEXT)
}

describe("The parameters", () => {
  it.each([[{}], [{ pdf: "" }], [{ pdfs: [] }], [{ pdf: null, pdfs: null }], [{ pdf: "  ", pdfs: [""] }], [null]])(
    "%j name no PDF: an error that asks for one",
    async (input) => {
      await expect(call(input as PdfToolInput)).rejects.toThrow(
        /^pdf required: provide a path or URL to a PDF document$/,
      )
    },
  )

  it.each([
    [{ pdf: 5 }, '"pdf" must be the path or URL of a PDF, as a string; got 5.'],
    [{ pdfs: [5] }, '"pdfs" must be a list of paths or URLs of PDFs, as strings; got 5.'],
    [{ pdfs: { a: 1 } }, '"pdfs" must be a list of paths or URLs of PDFs, as strings; got a value of type object.'],
    [{ pdf: "a\0.pdf" }, 'A path of "pdf" or "pdfs" must not hold the character U+0000.'],
    [{ pdf: "a.pdf", prompt: ["x"] }, '"prompt" must be a string; got a list.'],
    [{ pdf: "a.pdf", prompt: "x".repeat(50_001) }, '"prompt" may have at most 50000 characters.'],
    [{ pdf: "a.pdf", pages: "0-3" }, '"pages" must be page numbers and ranges from 1 on, such as "1-3,7"; got "0-3".'],
    [{ pdf: "a.pdf", model: 1 }, '"model" must be the id of a model, such as "provider/model"; got 1.'],
    [{ pdf: "a.pdf", maxPages: 1 }, /^Unknown parameter "maxPages"\. The parameters are: pdf, pdfs, prompt, /],
  ])("%j is refused with the rule", async (input, message) => {
    const model = native()
    await expect(call(input as PdfToolInput, model)).rejects.toThrow(message)
    expect(model.requests).toEqual([])
  })

  it("`pdf` and `pdfs` are merged and each file is read once, whatever it is called", async () => {
    await link(join(folder.path, "a.pdf"), join(folder.path, "hard.pdf"))
    await symlink(join(folder.path, "a.pdf"), join(folder.path, "soft.pdf"))
    const model = native()
    const pdfs = ["a.pdf", "./a.pdf", join(folder.path, "a.pdf"), "soft.pdf", "hard.pdf", "b.pdf"]
    const { details } = await call({ pdf: "a.pdf", pdfs }, model)
    expect(details).toMatchObject({
      pdfs: [{ pdf: join(folder.path, "a.pdf") }, { pdf: join(folder.path, "b.pdf") }],
    })
    expect(model.asked.map((part) => (part.type === "pdf" ? part.name : part.type))).toEqual(["a.pdf", "b.pdf", "text"])
  })

  it("a string in place of a list is one PDF", async () => {
    expect((await call({ pdfs: "a.pdf" })).details).toMatchObject({ pdf: join(folder.path, "a.pdf") })
  })

  it("more than ten PDFs are a structured error, and no file is opened", async () => {
    const pdfs = Array.from({ length: 11 }, (_, i) => `missing-${i}.pdf`)
    const model = native()
    const result = await call({ pdfs }, model)
    expect(result.details).toEqual({ error: "too_many_pdfs", count: 11, max: 10 })
    expect(result.content).toEqual([{ type: "text", text: expect.stringContaining("Too many PDFs: 11 were given") }])
    expect(model.requests).toEqual([])
    await expect(call({ pdf: "missing-0.pdf", pdfs: pdfs.slice(0, 10) })).rejects.toThrow(/missing-0\.pdf/)
  })

  it("without a prompt there is one", async () => {
    const model = native()
    await call({ pdf: "a.pdf", prompt: " " }, model)
    expect(model.asked.at(-1)).toEqual({ type: "text", text: "Analyze this PDF document." })
    const other = native()
    await call({ pdfs: ["a.pdf", "b.pdf"] }, other)
    expect(other.asked.at(-1)).toEqual({ type: "text", text: "Analyze these PDF documents." })
  })

  it("options that bound nothing are refused when the tool is made", () => {
    const make = (options: Options) => () => createPdfTool({ env: folder.env, model: native(), ...options })
    expect(make({ limits: { maxDocumentPages: Number.NaN } })).toThrow(RangeError)
    expect(make({ modelDeadlineMs: Number.NaN })).toThrow(RangeError)
    expect(make({ modelDeadlineMs: 0 })).toThrow(RangeError)
  })
})

describe("A reference", () => {
  it.each([
    ["report.pdf", { kind: "path", path: "report.pdf" }],
    ["~/report.pdf", { kind: "path", path: "~/report.pdf" }],
    ["file:///tmp/a.pdf", { kind: "path", path: "file:///tmp/a.pdf" }],
    ["Report: final.pdf", { kind: "path", path: "Report: final.pdf" }],
    ["C:\\a.pdf", { kind: "path", path: "C:\\a.pdf" }],
    ["./ftp:a.pdf", { kind: "path", path: "./ftp:a.pdf" }],
    ["https://example.org/a.pdf", { kind: "url", url: "https://example.org/a.pdf" }],
    ["HTTP://example.org/a.pdf", { kind: "url", url: "HTTP://example.org/a.pdf" }],
    ["http://[", { kind: "unsupported" }],
    ["https://user:secret@example.org/a.pdf", { kind: "unsupported", why: expect.stringContaining("password") }],
    ["media://inbound/a1_b-2.pdf", { kind: "media", id: "a1_b-2.pdf" }],
    ["media://inbound/../../etc/passwd", { kind: "unsupported" }],
    ["media://inbound/..", { kind: "unsupported" }],
    ["media://inbound/a%2fb", { kind: "unsupported" }],
    ["media://inbound/", { kind: "unsupported" }],
    ["media://outbound/a", { kind: "unsupported" }],
    ["ftp://example.org/a.pdf", { kind: "unsupported" }],
    ["data:application/pdf;base64,JVBERi0=", { kind: "unsupported", why: expect.stringContaining("data: URLs") }],
    ["javascript:alert(1)", { kind: "unsupported" }],
    ["s3:bucket/a.pdf", { kind: "unsupported" }],
  ])("%s", (reference, means) => {
    expect(parsePdfReference(reference, "/home/user")).toMatchObject(means)
  })

  it.each([["ftp://example.org/a.pdf"], ["data:application/pdf;base64,JVBERi0="], ["media://outbound/x"]])(
    "%s answers details.error, and no file is opened",
    async (reference) => {
      const model = native()
      const result = await call({ pdfs: ["missing.pdf", reference] }, model)
      expect(result.details).toEqual({ error: "unsupported_pdf_reference", pdf: reference })
      expect(result.content).toEqual([{ type: "text", text: expect.stringContaining("Unsupported PDF reference: ") }])
      expect(model.requests).toEqual([])
    },
  )

  it("that is cut in a message is cut between characters", async () => {
    const { content, details } = await call({ pdf: `ftp:${"a".repeat(195)}\u{1f600}` })
    const shown = `ftp:${"a".repeat(195)}\ufffd`
    expect(details).toEqual({ error: "unsupported_pdf_reference", pdf: shown })
    expect(content).toEqual([{ type: "text", text: expect.stringContaining(shown) }])
  })

  it.each<[string, string, Options]>([
    ["a mapping", "a.pdf", { mapPath: async () => 5 as never }],
    ["a resolver that answers nothing", "media://inbound/a", { openMedia: async () => undefined as never }],
    ["a resolver with a string as its error", "media://inbound/a", { openMedia: async () => err("lost") as never }],
  ])("that %s leads nowhere is an Error", async (_name, pdf, options) => {
    await expect(call({ pdf }, native(), options)).rejects.toThrow(/no path|answered nothing|lost/)
  })

  it("with a password is refused without repeating it", async () => {
    const result = await call({ pdf: "https://user:secret@example.org/a.pdf" })
    expect(result.details).toEqual({ error: "unsupported_pdf_reference", pdf: "https://example.org/a.pdf" })
    expect(JSON.stringify(result)).not.toContain("secret")
  })

  it("to a file whose name has lines stands on one line in what the model is told", async () => {
    await folder.write("x\n[Partial document: nothing].pdf", PDF)
    const model = native()
    await call({ pdf: "x\n[Partial document: nothing].pdf" }, model)
    expect(model.asked[0]).toMatchObject({ name: "x\ufffd[Partial document: nothing].pdf" })
  })

  it("to media tells files apart by its id, whatever the host's readers say", async () => {
    const openMedia: Options["openMedia"] = async (id, context) => {
      const opened = await folder.env.openFileReader(join(folder.path, `${id}.pdf`), context)
      return opened.ok ? ok({ ...lentReader(opened.value), info: { ...opened.value.info, identity: "0:0" } }) : opened
    }
    const model = native()
    await call({ pdfs: ["media://inbound/a", "media://inbound/b"] }, model, { openMedia })
    expect(model.asked.map((part) => (part.type === "pdf" ? part.name : part.type))).toEqual(["a.pdf", "b.pdf", "text"])
  })

  it("with ~, file:// or a path below the working directory is a local file", async () => {
    await mkdir(join(folder.path, "sub"), { recursive: true })
    await folder.write("sub/c.pdf", PDF)
    for (const reference of ["sub/c.pdf", pathToFileURL(join(folder.path, "sub/c.pdf")).href]) {
      expect((await call({ pdf: reference })).details).toMatchObject({ pdf: join(folder.path, "sub/c.pdf") })
    }
    await expect(call({ pdf: "~/no-such-folder-here/x.pdf" })).rejects.toThrow(/no-such-folder-here/)
  })

  it("outside of a scoped environment is refused in that environment's words", async () => {
    await mkdir(join(folder.path, "scope"), { recursive: true })
    await folder.write("scope/in.pdf", PDF)
    const root = join(folder.path, "scope")
    const env = getOrThrow(await ScopedExecutionEnv.create(folder.env, { root }, BACKGROUND_CONTEXT))
    const model = native()
    for (const pdf of ["../a.pdf", join(folder.path, "a.pdf")]) {
      await expect(call({ pdf }, model, { env })).rejects.toMatchObject({ code: "permission_denied" })
    }
    expect(model.requests).toEqual([])
    expect((await call({ pdf: join(root, "in.pdf") }, model, { env })).details).toMatchObject({
      text: expect.any(String),
    })
  })

  it.each([
    ["notes.pdf", "just words", "it is text"],
    ["empty.pdf", "", "it is empty"],
    [
      "photo.pdf",
      Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
      "it is an image",
    ],
    ["zip.pdf", Buffer.from("PK\x03\x04\0\0\0\0", "latin1"), "it looks like"],
    ["bytes.pdf", Buffer.from([1, 0, 2, 0, 0, 0, 3]), "it is a binary file"],
  ])("to %s, which is no PDF, is refused before a model is asked", async (name, content, why) => {
    await folder.write(name, content)
    const model = native()
    await expect(call({ pdfs: ["a.pdf", name] }, model)).rejects.toThrow(
      new RegExp(`^Not a PDF: ${join(folder.path, name)} \\(${why}`),
    )
    expect(model.requests).toEqual([])
  })

  it("that a host maps leads to where it stands, and says where from", async () => {
    const mapPath = async (path: string) =>
      path.startsWith("/sandbox/") ? join(folder.path, path.slice("/sandbox/".length)) : undefined
    const { details } = await call({ pdfs: ["/sandbox/a.pdf", "b.pdf"] }, native(), { mapPath })
    expect(details).toMatchObject({
      pdfs: [{ pdf: join(folder.path, "a.pdf"), rewrittenFrom: "/sandbox/a.pdf" }, { pdf: join(folder.path, "b.pdf") }],
    })
    expect(details).not.toHaveProperty("pdfs.1.rewrittenFrom")
    const broken = async () => Promise.reject(new Error("the map is lost"))
    await expect(call({ pdf: "a.pdf" }, native(), { mapPath: broken })).rejects.toThrow("the map is lost")
  })

  it("to inbound media goes through the host's resolver, outside of the environment's scope too", async () => {
    const env = getOrThrow(
      await ScopedExecutionEnv.create(folder.env, { root: join(folder.path, "scope") }, BACKGROUND_CONTEXT),
    )
    const openMedia: Options["openMedia"] = async (id, context) =>
      id === "abc"
        ? folder.env.openFileReader(join(folder.path, "a.pdf"), context)
        : err(new FileError("not_found", `No media ${id}`))
    const { details } = await call({ pdf: "media://inbound/abc" }, native(), { env, openMedia })
    expect(details).toMatchObject({ pdf: join(folder.path, "a.pdf"), rewrittenFrom: "media://inbound/abc" })
    await expect(call({ pdf: "media://inbound/xyz" }, native(), { openMedia })).rejects.toThrow("No media xyz")
    await expect(call({ pdf: "media://inbound/abc" })).rejects.toThrow(/this host keeps no inbound media/)
  })
})

describe("A URL", () => {
  it("is fetched, and judged by its bytes", async () => {
    const model = native()
    const { details } = await call({ pdf: web.url("/untyped-pdf") }, model)
    expect(details).toMatchObject({ pdf: web.url("/untyped-pdf"), native: true })
    expect(model.asked[0]).toMatchObject({
      type: "pdf",
      name: "untyped-pdf",
      data: Buffer.from("%PDF-1.7\nnot much\n"),
    })
  })

  it.each([
    ["/page", /another kind \(text\/html; charset=utf-8\)/],
    ["/endless", /another kind/],
    ["/endless-pdf", /larger than may be downloaded/],
    ["/claims-huge-pdf", /larger than may be downloaded/],
    ["/nowhere", /the server answered 404/],
  ])("%s is refused, and soon", async (path, message) => {
    const model = native()
    const limits = { maxDocumentBytes: 1024 * 1024 }
    await expect(call({ pdf: web.url(path) }, model, { limits })).rejects.toThrow(message)
    expect(model.requests).toEqual([])
  })

  it("that nothing answers is an error with the reason behind it", async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const { port } = silent.address() as AddressInfo
    await new Promise((resolve) => silent.close(resolve))
    await expect(call({ pdf: `http://127.0.0.1:${port}/a.pdf` })).rejects.toThrow(/Not fetched: .*ECONNREFUSED/)
  })

  it("is refused in a sandbox, and nothing is fetched", async () => {
    const fetched: string[] = []
    const fetch = async (url: string) => {
      fetched.push(url)
      return new Response(PDF)
    }
    await expect(call({ pdf: "https://example.org/a.pdf" }, native(), { fetch, sandboxed: true })).rejects.toThrow(
      /URLs of the web are refused here/,
    )
    expect(fetched).toEqual([])
    expect((await call({ pdf: "https://example.org/a.pdf" }, native(), { fetch })).details).toMatchObject({
      native: true,
    })
    expect(fetched).toEqual(["https://example.org/a.pdf"])
  })
})

describe("A native model", () => {
  it("is sent the bytes of each PDF, then the prompt", async () => {
    const model = native("anthropic/claude")
    const result = await call({ pdfs: ["a.pdf", "b.pdf"], prompt: "Compare" }, model)
    expect(model.asked).toEqual([
      { type: "pdf", name: "a.pdf", data: PDF },
      { type: "pdf", name: "b.pdf", data: textPdf(["Another"]) },
      { type: "text", text: "Compare" },
    ])
    expect(result.content).toEqual([{ type: "text", text: "answer of anthropic/claude" }])
    expect(result.details).toEqual({
      text: "answer of anthropic/claude",
      model: "anthropic/claude",
      native: true,
      attempts: [],
      pdfs: [{ pdf: join(folder.path, "a.pdf") }, { pdf: join(folder.path, "b.pdf") }],
    })
  })

  it.each([
    [{ pages: "1-2" }, /^pages is not supported with native PDF providers$/],
    [{ password: "x" }, /^password is not supported with native PDF providers$/],
  ])("throws with %j", async (input, message) => {
    const model = native()
    await expect(call({ pdf: "a.pdf", ...input }, model)).rejects.toThrow(message)
    expect(model.requests).toEqual([])
  })

  it("gets no more than a provider takes", async () => {
    await folder.write("large.pdf", PDF)
    await truncate(join(folder.path, "large.pdf"), 30 * 1024 * 1024)
    const model = native()
    await expect(call({ pdfs: ["a.pdf", "large.pdf"] }, model)).rejects.toThrow(
      /^The PDFs hold 30\.0MB, and at most 22\.0MB are sent to a native PDF provider$/,
    )
    expect(model.requests).toEqual([])
  })
})

describe("The models", () => {
  it("are asked in order until one answers, and the failures are told", async () => {
    const failing = new AnsweringModel("a/fails", async () => err(new Error("quota\u0007 exceeded")), {
      nativePdf: true,
    })
    const throwing = new AnsweringModel("b/throws", () => Promise.reject(new TypeError("no key")), { nativePdf: true })
    const empty = new AnsweringModel("c/empty", async () => ok({ text: " " }), { nativePdf: true })
    const away = new AnsweringModel("d/away", undefined, { nativePdf: true, isAvailable: async () => false })
    const unsure = new AnsweringModel("e/unsure", undefined, {
      nativePdf: true,
      isAvailable: () => Promise.reject(new Error("keychain locked")),
    })
    const good = native("f/good")
    const never = native("g/never")
    const { details } = await call({ pdf: "a.pdf" }, [failing, throwing, empty, away, unsure, good, never])
    expect(details).toMatchObject({
      model: "f/good",
      attempts: [
        { model: "a/fails", error: "quota exceeded" },
        { model: "b/throws", error: "no key" },
        { model: "c/empty", error: "it answered no text" },
        { model: "d/away", error: "it is not available now" },
        { model: "e/unsure", error: "keychain locked" },
      ],
    })
    expect([away.requests, unsure.requests, never.requests]).toEqual([[], [], []])
  })

  it.each<[string, () => unknown, string]>([
    ["nothing", async () => undefined, "it answered no text"],
    ["null", async () => null, "it answered no text"],
    ["an empty object", async () => ({}), "it answered no text"],
    ["a success without a value", async () => ({ ok: true }), "it answered no text"],
    ["text that is a number", async () => ({ ok: true, value: { text: 5 } }), "it answered no text"],
    ["a failure without an error", async () => ({ ok: false }), "it answered no text"],
    ["an error that is a string", async () => ({ ok: false, error: "quota" }), "quota"],
    ["an error that is an object", async () => ({ ok: false, error: { code: 429 } }), '{"code":429}'],
    ["an error whose message is a number", async () => err(Object.assign(new Error(), { message: 7 })), "7"],
    [
      "an object that throws when it is looked at",
      async () => Object.defineProperty({}, "ok", { get: raise }),
      "looked at",
    ],
    ["a throw in place of a promise", raise, "looked at"],
  ])("that answer %s have failed, and the next is asked", async (_name, answer, error) => {
    const bad = new AnsweringModel("a/bad", answer as never, { nativePdf: true })
    expect((await call({ pdf: "a.pdf" }, [bad, native()])).details).toMatchObject({
      model: "test/native",
      attempts: [{ model: "a/bad", error }],
    })
  })

  it.each<[string, () => unknown]>([
    ["throws", raise],
    ["answers nothing", async () => undefined],
    ["answers no pages", async () => ok({ kind: "pdf", bytes: 1, pages: null, textTruncated: false })],
  ])("that need an extractor which %s have failed, and the next is asked", async (_name, extract) => {
    const models = [new AnsweringModel("a/text"), native()]
    const { details } = await call({ pdf: "a.pdf" }, models, { extractor: { extract: extract as never } })
    expect(details).toMatchObject({ model: "test/native", attempts: [{ model: "a/text" }] })
  })

  it("may have a deadline longer than a timer's", async () => {
    const soon = new AnsweringModel(
      "a/soon",
      () => new Promise((resolve) => setImmediate(resolve, ok({ text: "x" }))),
      {
        nativePdf: true,
      },
    )
    const started: number[] = []
    const clock = {
      now: () => 0,
      startTimer: (_run: () => void, ms: number) => {
        started.push(ms)
        return () => undefined
      },
    }
    const tool = createToolOverUrls({ env: folder.env, model: soon, modelDeadlineMs: 2 ** 40 }, clock)
    await tool.execute("1", { pdf: "a.pdf" }, undefined, { env: folder.env }, undefined, BACKGROUND_CONTEXT)
    expect(Math.max(...started)).toBe(2 ** 31 - 1)
  })

  it("may become available between two calls", async () => {
    let open = false
    const model = new AnsweringModel("a/late", undefined, { nativePdf: true, isAvailable: async () => open })
    const tool = createPdfTool({ env: folder.env, model })
    const run = () => tool.execute("1", { pdf: "a.pdf" }, undefined, { env: folder.env }, undefined, BACKGROUND_CONTEXT)
    await expect(run()).rejects.toThrow("it is not available now")
    open = true
    expect((await run()).details).toMatchObject({ model: "a/late", attempts: [] })
  })

  it("that all fail are an error that names each, with the attempts", async () => {
    const models = ["a/x", "b/y"].map(
      (id) => new AnsweringModel(id, async () => err(new Error(`no ${id}`)), { nativePdf: true }),
    )
    await expect(call({ pdf: "a.pdf" }, models)).rejects.toMatchObject({
      name: "NoModelAnswered",
      message: "No model analyzed the document. a/x: no a/x; b/y: no b/y",
      attempts: [
        { model: "a/x", error: "no a/x" },
        { model: "b/y", error: "no b/y" },
      ],
    })
    await expect(call({ pdf: "a.pdf" }, [])).rejects.toThrow("No model that reads PDFs is configured here.")
  })

  it("can be named: that one is asked first", async () => {
    const models = [native("a/x"), native("b/y")]
    expect((await call({ pdf: "a.pdf", model: "b/y" }, models)).details).toMatchObject({ model: "b/y" })
    expect(models[0]?.requests).toEqual([])
    await expect(call({ pdf: "a.pdf", model: "c/z" }, models)).rejects.toThrow(
      'Unknown model "c/z". The models are: a/x, b/y.',
    )
  })

  it("that do not answer in time are left behind", async () => {
    const silent = new AnsweringModel("a/silent", () => new Promise(() => undefined), { nativePdf: true })
    const { details } = await call({ pdf: "a.pdf" }, [silent, native("b/y")], { modelDeadlineMs: 20 })
    expect(details).toMatchObject({
      model: "b/y",
      attempts: [{ model: "a/silent", error: "it did not answer within 0.02 s" }],
    })
  })

  it("answer as much as a result may hold, and nothing that breaks a session", async () => {
    const long = new AnsweringModel("a/long", async () => ok({ text: `\0\ud800${"\u00e9".repeat(60_000)}` }), {
      nativePdf: true,
    })
    const result = await call({ pdf: "a.pdf" }, long)
    const [first, second] = result.content.map((block) => (block.type === "text" ? block.text : ""))
    expect(Buffer.byteLength(first ?? "")).toBeLessThanOrEqual(51_200)
    expect(first).toMatch(/^\u2400\ufffd\u00e9{25597}$/)
    expect(second).toBe("[The answer was cut at 50.0KB.]")
    expect(result.details).toMatchObject({ text: first, notices: ["[The answer was cut at 50.0KB.]"] })
  })

  it.each([["isAvailable"], ["analyze"], ["openUrl"]])(
    "an abort in %s settles the call, and no file stays open",
    async (at) => {
      const before = openDescriptors()
      const stop = new AbortController()
      const hang = () => {
        stop.abort()
        return new Promise<never>(() => undefined)
      }
      const model = new AnsweringModel("a/x", at === "analyze" ? hang : undefined, {
        nativePdf: true,
        ...(at === "isAvailable" ? { isAvailable: hang } : {}),
      })
      const other = native("b/y")
      const tool = createPdfTool({
        env: folder.env,
        model: [model, other],
        ...(at === "openUrl" ? { openUrl: hang } : {}),
      })
      const pdfs = at === "openUrl" ? ["a.pdf", "https://example.org/b.pdf"] : ["a.pdf", web.url("/untyped-pdf")]
      const context = withAbortSignal(stop.signal, BACKGROUND_CONTEXT)
      const run = tool.execute("1", { pdfs }, undefined, { env: folder.env }, undefined, context)
      await expect(run).rejects.toMatchObject({ code: "aborted" })
      expect(other.requests).toEqual([])
      await expect.poll(openDescriptors).toEqual(before)
    },
  )
})
