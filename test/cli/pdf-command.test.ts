import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { readPdfArguments } from "../../src/cli/pdf-arguments.ts"
import { textPdf } from "../support/build-pdf.ts"
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts"
import { imageOnlyPdf } from "../support/pdf/good.ts"
import { ToolFolder } from "../support/tool-calls.ts"

const program = join(import.meta.dirname, "../../out/main/cli.js")
/** So much that no page of it is drawn. */
const MORE = "line ".repeat(60).match(/.{1,60}/g) ?? []
let folder: ToolFolder
let server: OpenAiServer

beforeAll(async () => {
  folder = await ToolFolder.make()
  server = await startOpenAiServer()
  await folder.write("words.pdf", textPdf(["Words of the document", ...MORE]))
  await folder.write("other.pdf", textPdf(["Other words", ...MORE]))
  await folder.write("scan.pdf", imageOnlyPdf())
  await folder.write("pdf", "a file that is called pdf\n")
  await folder.write("45.pdf", textPdf(...Array.from({ length: 45 }, (_, i) => [`Number ${i + 1}`, ...MORE])))
})
beforeEach(() => {
  server.requests.length = 0
  server.answer = "It is about words."
})
afterAll(async () => {
  await server.close()
  await folder.remove()
})

function start(args: string[], environment: Record<string, string>) {
  return spawn(process.execPath, [program, ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
}

async function run(args: string[], environment: Record<string, string> = endpoint()) {
  const child = start(args, environment)
  const exit = once(child, "close")
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  const [code] = (await exit) as [number | null]
  return { code, out, err }
}

const endpoint = () => ({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "secret", OPENAI_MODEL: "tiny" })

describe("bounded-read pdf", () => {
  it("prints the answer of the model that the environment names", async () => {
    expect(await run(["pdf", "--prompt", "What is it about?", "words.pdf", "other.pdf"])).toEqual({
      code: 0,
      out: "It is about words.\n",
      err: "",
    })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers.authorization).toBe("Bearer secret")
    expect(server.requests[0]?.body).toMatchObject({
      model: "tiny",
      messages: [
        {
          content: [
            { text: expect.stringContaining("Words of the document") },
            { text: expect.stringContaining("Other words") },
            { text: "What is it about?" },
          ],
        },
      ],
    })
  })

  it("takes the model from --model, needs no key, and tells on standard error what was left out", async () => {
    const result = await run(["pdf", "--model", "large", "45.pdf"], { OPENAI_BASE_URL: server.baseUrl })
    expect(result).toMatchObject({ code: 0, out: "It is about words.\n" })
    expect(result.err).toMatch(/^bounded-read: \[Partial document: pages 1-20 of 45 of 45\.pdf were read/)
    expect(server.requests[0]?.body.model).toBe("large")
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it("prints JSON", async () => {
    const { out } = await run(["pdf", "--json", "--pages", "2", "45.pdf"])
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: "text", text: "It is about words." }],
      details: { model: "tiny", native: false, attempts: [], document: { pagesRead: "2", pageCount: 45 } },
    })
  })

  it.each([
    [{}, /^bounded-read: No model to ask: set OPENAI_BASE_URL to an endpoint .* or OPENAI_API_KEY .* OPENAI_MODEL/],
    [{ OPENAI_BASE_URL: "", OPENAI_API_KEY: "" }, /^bounded-read: No model to ask: /],
    [{ OPENAI_API_KEY: "x" }, /^bounded-read: No model is named: set OPENAI_MODEL, or pass --model\./],
    [{ OPENAI_BASE_URL: "localhost:1/v1", OPENAI_MODEL: "x" }, /^bounded-read: OPENAI_BASE_URL is no http\(s\) URL: /],
  ])("with %j says what is missing, and asks nobody", async (environment, message) => {
    const result = await run(["pdf", "--prompt", "?", "words.pdf"], environment as Record<string, string>)
    expect(result).toMatchObject({ code: 1, out: "", err: expect.stringMatching(message) })
    expect(server.requests).toEqual([])
  })

  it.each([
    [["pdf"], 2, /A file is needed\.\nSee bounded-read pdf --help\./],
    [["pdf", "--pages", "x", "words.pdf"], 2, /"pages" must be page numbers/],
    [["pdf", "--unknown", "words.pdf"], 2, /Unknown option '--unknown'/],
    [["pdf", "missing.pdf"], 1, /missing\.pdf/],
    [["pdf", "pdf"], 1, /Not a PDF: .*it is text/],
    [["pdf", "ftp://example.org/a.pdf"], 1, /Unsupported PDF reference: ftp:/],
    [["pdf", "--no-images", "scan.pdf"], 1, /No text could be extracted\./],
  ])("%j ends with code %s and says why", async (args, code, message) => {
    const result = await run(args)
    expect(result).toMatchObject({ code, out: "", err: expect.stringMatching(message) })
    expect(server.requests).toEqual([])
  })

  it("says what the endpoint said", async () => {
    server.answer = 403
    const { host } = new URL(server.baseUrl)
    const err = `bounded-read: ${host}: the quota is used up\n`
    expect(await run(["pdf", "words.pdf"])).toEqual({ code: 1, out: "", err })
  })

  it("takes no more of an answer than is bounded", async () => {
    server.answer = "y".repeat(9 * 1024 * 1024)
    expect(await run(["pdf", "words.pdf"])).toEqual({
      code: 1,
      out: "",
      err: `bounded-read: ${new URL(server.baseUrl).host}: it answered more than 8.0MB\n`,
    })
  })

  it("prints its help, and a file of its name is read with ./", async () => {
    expect(await run(["pdf", "--help"], {})).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: bounded-read pdf /),
    })
    expect(await run(["./pdf"], {})).toEqual({ code: 0, out: "a file that is called pdf\n", err: "" })
  })

  it("ends at an interrupt while the model thinks", async () => {
    server.answer = "never"
    const child = start(["pdf", "words.pdf"], endpoint())
    const exit = once(child, "close")
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(1)
    child.kill("SIGINT")
    expect(await exit).toEqual([null, "SIGINT"])
  })
})

it("The arguments are the tool's parameters", () => {
  expect(readPdfArguments(["--pages", "1", "--password", "p", "--no-images", "a.pdf", "b.pdf"])).toEqual({
    kind: "analyze",
    asked: { pdfs: ["a.pdf", "b.pdf"], pages: "1", password: "p" },
    model: undefined,
    acceptsImages: false,
    json: false,
  })
})
