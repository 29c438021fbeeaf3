import { execFileSync } from "node:child_process"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ai6 from "ai6"
import { MockLanguageModelV3 } from "ai6/test"
import * as ai7 from "ai7"
import { MockLanguageModelV4 } from "ai7/test"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createAiReadTool } from "../../src/ai/index.ts"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { createNodeDocumentExtractor } from "../../src/main/node.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { textPdf } from "../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, until } from "../support/document-extraction.ts"
import { openDescriptors } from "../support/open-descriptors.ts"

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

const documentExtractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 60_000 },
})
let folder: string
let env: ScopedExecutionEnv
/** Hears of each read of a file, by its position. */
let onRead: (position: number) => void = () => undefined
/** Of `big.log`: 100 MB. */
const LINES = 5_000_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ai-"))
  await writeFile(join(folder, "hello.txt"), "hello\nworld\n")
  await writeFile(join(folder, "pixel.png"), PIXEL)
  await writeFile(join(folder, "false.pdf"), "%PDF-1.7 not really")
  await writeFile(join(folder, "paper.pdf"), textPdf(["Hello, world"]))
  const log = await open(join(folder, "big.log"), "w")
  const part = "one line of the log\n".repeat(LINES / 100)
  for (let written = 0; written < 100; written++) await log.write(part)
  await log.close()
  execFileSync("mkfifo", [join(folder, "fifo")])
  const inner = new NodeExecutionEnv({ cwd: folder })
  env = getOrThrow(await ScopedExecutionEnv.create(inner, { root: folder }, BACKGROUND_CONTEXT))
  const openFile = inner.openFileReader.bind(inner)
  inner.openFileReader = async (path, context) => {
    const opened = await openFile(path, context)
    if (opened.ok) {
      const { value: reader } = opened
      const read = reader.read.bind(reader)
      reader.read = (...asked) => {
        onRead(asked[0])
        return read(...asked)
      }
    }
    return opened
  }
})

afterEach(() => {
  onRead = () => undefined
})

afterAll(async () => {
  await documentExtractor.close()
  await rm(folder, { recursive: true })
})

/** What the model is sent after it called the tool: the result as the SDK put it into the prompt. */
type ToolOutput = { type: string; value: unknown }

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

function call(input: object) {
  const toolCall = { type: "tool-call", toolCallId: "1", toolName: "read", input: JSON.stringify(input) } as const
  return { content: [toolCall], finishReason: { unified: "tool-calls", raw: "" }, usage: USAGE, warnings: [] } as const
}

const DONE = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: "" },
  usage: USAGE,
  warnings: [],
} as const

function outputIn(prompt: readonly { role: string; content: unknown }[]): ToolOutput {
  const message = prompt.find(({ role }) => role === "tool")
  const [part] = (message?.content ?? []) as { output: ToolOutput }[]
  if (part === undefined) throw new Error("The model was sent no tool result")
  return part.output
}

async function runVersion6(input: object, abortSignal?: AbortSignal): Promise<ToolOutput> {
  const model = new MockLanguageModelV3({ doGenerate: [call(input), DONE] as never })
  const tools = { read: createAiReadTool({ env, sdk: 6, documentExtractor }) }
  const options = { model, tools, prompt: "read it", stopWhen: ai6.stepCountIs(2) }
  await ai6.generateText(abortSignal === undefined ? options : { ...options, abortSignal })
  return outputIn(model.doGenerateCalls[1]?.prompt as never)
}

async function runVersion7(input: object, abortSignal?: AbortSignal): Promise<ToolOutput> {
  const model = new MockLanguageModelV4({ doGenerate: [call(input), DONE] as never })
  const tools = { read: createAiReadTool({ env, sdk: 7, documentExtractor }) }
  const options = { model, tools, prompt: "read it", stopWhen: ai7.isStepCount(2) }
  await ai7.generateText(abortSignal === undefined ? options : { ...options, abortSignal })
  return outputIn(model.doGenerateCalls[1]?.prompt as never)
}

describe.each([
  { version: 6 as const, run: runVersion6 },
  { version: 7 as const, run: runVersion7 },
])("the read tool in AI SDK $version", ({ version, run }) => {
  it("hands the text of a file to the model", async () => {
    expect(await run({ path: "hello.txt" })).toEqual({
      type: "content",
      value: [{ type: "text", text: "hello\nworld\n" }],
    })
  })

  it("continues in a log of 100 MB by offset", async () => {
    const { value } = await run({ path: "big.log", offset: 4_000_001, limit: 2 })
    const line = "one line of the log\n"
    const left = "[999999 more lines in file. Use offset=4000003 to continue.]"
    expect(value).toEqual([{ type: "text", text: `${line}${line}\n${left}` }])
  })

  it("hands an image over in the shape of the version", async () => {
    const { value } = await run({ path: "pixel.png" })
    const data = PIXEL.toString("base64")
    expect(value).toEqual([
      { type: "text", text: "Read image file [image/png]" },
      version === 6
        ? { type: "image-data", data, mediaType: "image/png" }
        : { type: "file", mediaType: "image/png", data: { type: "data", data } },
    ])
  })

  it("hands the text of a PDF to the model", async () => {
    const { value } = await run({ path: "paper.pdf" })
    const [text, image] = value as [object, object]
    expect(text).toMatchObject({ type: "text", text: expect.stringContaining("--- page 1 of 1 ---\nHello, world") })
    // So little text may be all that a scan has: the page is shown too.
    expect(image).toMatchObject({ type: version === 6 ? "image-data" : "file", mediaType: "image/png" })
  })

  it("says why a PDF is not shown", async () => {
    const { value } = await run({ path: "false.pdf" })
    expect(value).toEqual([{ type: "text", text: expect.stringContaining("[PDF (19B), not shown: ") }])
  })

  it.each([
    ["a FIFO", "fifo", "Not a regular file"],
    ["a missing file", "helo.txt", '"hello.txt"'],
    ["a file outside of the root", "/etc/hostname", "Outside the folders"],
    ["a parameter of the wrong kind", 42, "path"],
  ])("tells the model of %s as an error", async (_, path, words) => {
    const output = await run({ path })
    expect(output.type).toBe("error-text")
    expect(output.value).toContain(words)
  })

  it("stops a read that is under way at an abort, and closes its file", async () => {
    const abort = new AbortController()
    const isOpen = () => openDescriptors().some((name) => name.endsWith("/big.log"))
    let wasOpen = false
    let last = 0
    onRead = (position) => {
      last = position
      if (abort.signal.aborted || position < 10 * 1024 * 1024) return
      wasOpen = isOpen()
      abort.abort()
    }
    await expect(run({ path: "big.log", offset: LINES }, abort.signal)).rejects.toThrow()
    if (process.platform === "linux") expect(wasOpen).toBe(true)
    await until(() => !isOpen())
    expect(last).toBeLessThan(12 * 1024 * 1024)
  })

  it("fails a call that is aborted already", async () => {
    await expect(run({ path: "hello.txt" }, AbortSignal.abort())).rejects.toThrow()
    const tool = createAiReadTool({ env, sdk: version })
    const aborted = tool.execute({ path: "hello.txt" }, { toolCallId: "1", abortSignal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ code: "aborted" })
  })

  it("keeps the receipt for the host, beside what the model sees", async () => {
    const tool = createAiReadTool({ env, sdk: version })
    const { receipt } = await tool.execute({ path: "hello.txt" }, { toolCallId: "1" })
    expect(receipt).toMatchObject({ kind: "text", bytes: 12, totalLines: 3 })
  })

  it("names no command: an AI SDK app has no shell", async () => {
    const tool = createAiReadTool({ env, sdk: version })
    await writeFile(join(folder, "binary"), "a\0b")
    const { content } = await tool.execute({ path: "binary" }, { toolCallId: "1" })
    expect(JSON.stringify(content)).not.toContain("bash")
  })
})

it("is a tool by the types of both versions", () => {
  const tool6: ai6.Tool = createAiReadTool({ env, sdk: 6 })
  const tool7: ai7.Tool = createAiReadTool({ env, sdk: 7 })
  expect([tool6, tool7]).toHaveLength(2)
})
