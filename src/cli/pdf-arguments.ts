import { parseArgs } from "node:util"
import { parsePdfParameters } from "../main/tools/pdf-parameters.ts"

/** What the tool is asked for, by the names of its own parameters. */
export interface AskedAnalysis {
  pdfs: string[]
  prompt?: string
  pages?: string
  password?: string
}

export type PdfArguments =
  | { kind: "analyze"; asked: AskedAnalysis; model: string | undefined; acceptsImages: boolean; json: boolean }
  | { kind: "help" }
  | { kind: "wrong"; message: string }

export const PDF_HELP = `Usage: bounded-read pdf [options] FILE...

Asks a model about PDF documents and prints its answer. FILE is a path or an
http(s) URL; for a file that is called pdf, read ./pdf.

Options:
  --prompt P     what to find out; by default, an analysis
  --pages R      pages to read of each document: 1-3,7
  --password P   password of the documents (other users may see it in the list of processes)
  --model M      the model to ask, in place of OPENAI_MODEL
  --no-images    the model takes text alone: pages are not shown to it as images
  --json         print {"content", "details"} as one line of JSON
  -h, --help     print this

Environment:
  OPENAI_BASE_URL   an endpoint that speaks OpenAI's chat completions, such as
                    http://localhost:11434/v1; by default that of OpenAI
  OPENAI_API_KEY    its key, where it asks for one
  OPENAI_MODEL      the model to ask

What is left out for want of room is told on standard error.

Exit code: 0 an answer, 1 an error, 2 wrong usage.

Examples:
  bounded-read pdf --prompt "Which deadlines does it name?" contract.pdf
  bounded-read pdf --pages 1-5 --prompt "Compare the abstracts" a.pdf b.pdf
`

/** Reads the arguments after `pdf`. Never throws: a wrong line is an answer. */
export function readPdfArguments(args: readonly string[]): PdfArguments {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help) return { kind: "help" }
  if (positionals.length === 0) return wrong("A file is needed.")
  if (values.model === "") return wrong("--model must name a model.")
  const { prompt, pages, password } = values
  const asked: AskedAnalysis = {
    pdfs: positionals,
    ...(prompt === undefined ? {} : { prompt }),
    ...(pages === undefined ? {} : { pages }),
    ...(password === undefined ? {} : { password }),
  }
  const rules = parsePdfParameters(asked)
  if (!rules.ok) return wrong(rules.error.message)
  const acceptsImages = values["no-images"] !== true
  return { kind: "analyze", asked, model: values.model, acceptsImages, json: values.json === true }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      prompt: { type: "string" },
      pages: { type: "string" },
      password: { type: "string" },
      model: { type: "string" },
      "no-images": { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    allowPositionals: true,
    strict: true,
  })
}

function wrong(message: string): PdfArguments {
  return { kind: "wrong", message }
}
