import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import * as ai6 from "ai6"
import { MockLanguageModelV3 } from "ai6/test"
import * as ai7 from "ai7"
import { MockLanguageModelV4 } from "ai7/test"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createAiDocumentModel } from "../../src/ai/index.ts"
import { createNodeDocumentExtractor } from "../../src/main/node.ts"
import { createPdfTool } from "../../src/main/pdf-tool.ts"
import type { DocumentModel } from "../../src/main/tools/document-model.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { textPdf } from "../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../support/document-extraction.ts"
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts"
import { imageOnlyPdf } from "../support/pdf/good.ts"
import { ToolFolder } from "../support/tool-calls.ts"

const extractor = createNodeDocumentExtractor({ entry: DOCUMENT_PROCESS_ENTRY, limits: { documentDeadlineMs: 60_000 } })
/** Rich enough in text that no page of it is drawn. */
const PDF = textPdf(["Words of the document", ...("line ".repeat(60).match(/.{1,60}/g) ?? [])])
const SCAN = imageOnlyPdf()
let folder: ToolFolder
let server: OpenAiServer

beforeAll(async () => {
  folder = await ToolFolder.make()
  server = await startOpenAiServer()
  await folder.write("words.pdf", PDF)
  await folder.write("scan.pdf", SCAN)
})
beforeEach(() => {
  server.requests.length = 0
  server.answer = "It is about nothing."
})
afterAll(async () => {
  await extractor.close()
  await server.close()
  await folder.remove()
})

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const ANSWER = {
  content: [{ type: "text", text: "The answer" }],
  finishReason: { unified: "stop", raw: "" },
  usage: USAGE,
  warnings: [],
} as const

interface Version {
  name: string
  make(options: { nativePdf?: boolean; acceptsImages?: boolean }): {
    model: DocumentModel
    /** The content of the user's message, as the SDK hands it to the provider. */
    asked(): readonly object[]
  }
}

const VERSIONS: Version[] = [
  {
    name: "AI SDK 6",
    make: (options) => {
      const mock = new MockLanguageModelV3({ doGenerate: ANSWER as never })
      const model = createAiDocumentModel({ id: "mock/6", model: mock, generateText: ai6.generateText, ...options })
      return { model, asked: () => mock.doGenerateCalls.at(-1)?.prompt.at(-1)?.content as never }
    },
  },
  {
    name: "AI SDK 7",
    make: (options) => {
      const mock = new MockLanguageModelV4({ doGenerate: ANSWER as never })
      const model = createAiDocumentModel({ id: "mock/7", model: mock, generateText: ai7.generateText, ...options })
      return { model, asked: () => mock.doGenerateCalls.at(-1)?.prompt.at(-1)?.content as never }
    },
  },
]

const call = (pdf: string, model: DocumentModel, context = BACKGROUND_CONTEXT) =>
  createPdfTool({ env: folder.env, model, extractor }).execute(
    "1",
    { pdf, prompt: "What is it about?" },
    undefined,
    { env: folder.env },
    undefined,
    context,
  )

/** The bytes of a file part, whichever way a version of the SDK wraps them. */
function bytesOf(part: object | undefined): Buffer {
  const { data } = part as { data: unknown }
  const inner = data instanceof Uint8Array || typeof data === "string" ? data : (data as { data: unknown }).data
  return typeof inner === "string" ? Buffer.from(inner, "base64") : Buffer.from(inner as Uint8Array)
}

describe.each(VERSIONS)("A model of $name", ({ make }) => {
  it("that takes PDFs is sent the file", async () => {
    const { model, asked } = make({ nativePdf: true })
    const { details } = await call("words.pdf", model)
    expect(details).toMatchObject({ text: "The answer", model: model.id, native: true })
    expect(asked()).toMatchObject([
      { type: "file", mediaType: "application/pdf", filename: "words.pdf" },
      { type: "text", text: "What is it about?" },
    ])
    expect(bytesOf(asked()[0]).equals(PDF)).toBe(true)
  })

  it("that takes none is sent text, and images of pages without", async () => {
    const { model, asked } = make({})
    const { details } = await call("scan.pdf", model)
    expect(details).toMatchObject({ text: "The answer", native: false })
    expect(asked()).toMatchObject([
      { type: "text", text: expect.stringContaining("PDF document: scan.pdf, 1 page") },
      { type: "text", text: "Page 1 of scan.pdf as an image:" },
      { type: "file", mediaType: "image/png" },
      { type: "text", text: "What is it about?" },
    ])
    expect(bytesOf(asked()[2]).subarray(1, 4).toString()).toBe("PNG")
  })

  it("that takes no images is sent text alone", async () => {
    const { model, asked } = make({ acceptsImages: false })
    await call("words.pdf", model)
    expect(asked()).toMatchObject([
      { type: "text", text: expect.stringContaining("Words of the document") },
      { type: "text", text: "What is it about?" },
    ])
  })
})

describe("An endpoint that is compatible with OpenAI", () => {
  const provider = () => createOpenAICompatible({ name: "local", baseURL: server.baseUrl, apiKey: "secret" })
  const make = (options: { nativePdf?: boolean; acceptsImages?: boolean } = {}) =>
    createAiDocumentModel({
      id: "local/tiny",
      model: provider().chatModel("tiny"),
      generateText: ai6.generateText,
      ...options,
    })

  it("gets one request with the text of the pages and the prompt", async () => {
    const { details } = await call("words.pdf", make())
    expect(details).toMatchObject({ text: "It is about nothing.", model: "local/tiny", attempts: [] })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer secret" },
    })
    expect(server.requests[0]?.body).toMatchObject({
      model: "tiny",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: expect.stringContaining("--- page 1 of 1 ---\nWords of the document") },
            { type: "text", text: "What is it about?" },
          ],
        },
      ],
    })
  })

  it("gets images of pages as data URLs, and PDFs as file parts where it takes them", async () => {
    await call("scan.pdf", make())
    const parts = server.requests[0]?.body.messages[0]?.content
    expect(parts).toContainEqual({
      type: "image_url",
      image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) },
    })
    await call("words.pdf", make({ nativePdf: true }))
    expect(server.requests[1]?.body.messages[0]?.content).toContainEqual({
      type: "file",
      file: {
        filename: "words.pdf",
        file_data: `data:application/pdf;base64,${PDF.toString("base64")}`,
      },
    })
  })

  it("that refuses is an attempt that failed, and the next model is asked", async () => {
    server.answer = 403
    const backup = VERSIONS[0]?.make({}).model
    if (backup === undefined) throw new Error("There is no other version")
    const tool = createPdfTool({ env: folder.env, model: [make(), backup], extractor })
    const { details } = await tool.execute(
      "1",
      { pdf: "words.pdf" },
      undefined,
      { env: folder.env },
      undefined,
      BACKGROUND_CONTEXT,
    )
    expect(details).toMatchObject({
      model: "mock/6",
      attempts: [{ model: "local/tiny", error: "the quota is used up" }],
    })
  })

  it("that never answers is left at an abort", async () => {
    server.answer = "never"
    const stop = new AbortController()
    const run = call("words.pdf", make(), withAbortSignal(stop.signal, BACKGROUND_CONTEXT))
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(1)
    stop.abort()
    await expect(run).rejects.toMatchObject({ code: "aborted" })
  })
})
