import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { NodeExecutionEnv } from "../main/fs/node-execution-env.ts"
import { createNodeDocumentExtractor } from "../main/node.ts"
import { createPdfTool } from "../main/pdf-tool.ts"
import type { PdfToolResult } from "../main/tools/pdf.ts"
import { type OpenAiEndpoint, openAiModel } from "./openai-model.ts"
import { PDF_HELP, type PdfArguments, readPdfArguments } from "./pdf-arguments.ts"
import { createProgressLine } from "./progress-line.ts"
import { complain, print, type Terminal } from "./terminal.ts"

type Environment = Readonly<Record<string, string | undefined>>
type Asked = Extract<PdfArguments, { kind: "analyze" }>

const OPENAI_URL = "https://api.openai.com/v1"

/** Runs `bounded-read pdf` and answers its exit code: 0 an answer, 1 an error, 2 wrong usage. Never rejects. */
export async function runPdfCommand(
  args: readonly string[],
  terminal: Terminal,
  environment: Environment = process.env,
): Promise<number> {
  const read = readPdfArguments(args)
  if (read.kind === "help") return print(PDF_HELP, terminal)
  if (read.kind === "wrong") {
    await complain(`${read.message}\nSee bounded-read pdf --help.`, terminal)
    return 2
  }
  const endpoint = endpointOf(read, environment)
  if ("missing" in endpoint) {
    await complain(endpoint.missing, terminal)
    return 1
  }
  return analyze(read, endpoint, terminal)
}

function endpointOf(asked: Asked, environment: Environment): OpenAiEndpoint | { missing: string } {
  // An empty variable is one that was not set: shells make such of what they do not know.
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: named } = environment
  if (!baseUrl && !apiKey) {
    return {
      missing:
        "No model to ask: set OPENAI_BASE_URL to an endpoint that speaks OpenAI's chat completions, such as " +
        "http://localhost:11434/v1, or OPENAI_API_KEY for that of OpenAI, and OPENAI_MODEL to the name of a model.",
    }
  }
  if (baseUrl && !(/^https?:/i.test(baseUrl) && URL.canParse(baseUrl))) {
    return { missing: `OPENAI_BASE_URL is no http(s) URL: ${baseUrl}` }
  }
  const model = asked.model ?? named
  if (!model) return { missing: "No model is named: set OPENAI_MODEL, or pass --model." }
  const { acceptsImages } = asked
  return { baseUrl: baseUrl || OPENAI_URL, apiKey: apiKey || undefined, model, acceptsImages }
}

async function analyze({ asked, json }: Asked, endpoint: OpenAiEndpoint, terminal: Terminal): Promise<number> {
  const progress = createProgressLine(terminal.stderr)
  const env = new NodeExecutionEnv({ cwd: process.cwd() })
  const warn = (message: string): void => {
    progress.wipe()
    void complain(message, terminal)
  }
  // The next document's process gets ready while the one before is read.
  const maxSpares = asked.pdfs.length > 1 ? 1 : 0
  const extractor = createNodeDocumentExtractor({ maxSpares, onProcessFailure: warn })
  try {
    const tool = createPdfTool({ env, model: openAiModel(endpoint), extractor })
    const context = withAbortSignal(terminal.signal, BACKGROUND_CONTEXT)
    const show = ({ content: [block] }: { content: PdfToolResult["content"] }): void => {
      if (block?.type === "text") progress.show(block.text)
    }
    const result = await tool.execute("command-line", asked, show, { env }, undefined, context)
    progress.wipe()
    return await printResult(result, json, terminal)
  } catch (error) {
    progress.wipe()
    if (!terminal.signal.aborted) await complain(error instanceof Error ? error.message : String(error), terminal)
    return 1
  } finally {
    await extractor.close()
  }
}

/** The answer on standard output, what was left out on standard error; a refusal is an error. */
async function printResult({ content, details }: PdfToolResult, json: boolean, terminal: Terminal): Promise<number> {
  if (json) return print(`${JSON.stringify({ content, details })}\n`, terminal)
  const [answer] = content
  const text = answer?.type === "text" ? answer.text : ""
  if ("error" in details) {
    await complain(text, terminal)
    return 1
  }
  for (const notice of details.notices ?? []) await complain(notice, terminal)
  return print(text.endsWith("\n") ? text : `${text}\n`, terminal)
}
