import type { Result } from "../../../vendor/pi-harness/index.ts"
import { DEFAULT_LIMITS, MAX_PDFS, MAX_PROMPT_CHARACTERS } from "../limits.ts"
import { PARAMETER_RULES } from "./parameter-rules.ts"
import {
  byTheRules,
  given,
  isRecord,
  parsePages,
  parsePassword,
  RuleError,
  refuseUnknown,
  shown,
} from "./parameter-values.ts"

/** What a model may send. `null` is the same as absent. */
export interface PdfToolInput {
  pdf?: string | null
  pdfs?: readonly string[] | string | null
  prompt?: string | null
  pages?: string | number | null
  password?: string | null
  model?: string | null
}

/** The parameters after all rules. */
export interface PdfParameters {
  /** Of `pdf` and `pdfs`, each once, at least one. */
  references: string[]
  prompt: string
  /** `"1-3,7"`: digits, hyphens and commas alone. */
  pages?: string
  password?: string
  /** The id of the model to ask first. */
  model?: string
}

/** JSON Schema of {@link PdfToolInput}, as plain as the strictest provider wants it. */
export const PDF_PARAMETERS: Record<string, unknown> = {
  type: "object",
  properties: {
    pdf: { type: "string", description: "Path or URL of one PDF" },
    pdfs: {
      type: "array",
      items: { type: "string" },
      description: `Paths or URLs of several PDFs, at most ${MAX_PDFS} in all`,
    },
    prompt: { type: "string", description: "What to find out. Default: analyze the document" },
    pages: {
      type: "string",
      description: `Pages to read, such as "1-3,7", at most ${DEFAULT_LIMITS.maxDocumentPages} of each PDF`,
    },
    password: { type: "string", description: "Password of encrypted PDFs" },
    model: { type: "string", description: 'Model to ask first, as "provider/model"' },
  },
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(PDF_PARAMETERS.properties as object))
/** Fixed: the peers' words. */
export const PDF_REQUIRED = "pdf required: provide a path or URL to a PDF document"

/** Applies the rules. An error says which one was broken, in words for the model that sent the parameters. */
export function parsePdfParameters(input: unknown): Result<PdfParameters, Error> {
  return byTheRules(() => parse(input))
}

function parse(input: unknown): PdfParameters {
  if (!isRecord(input)) throw new RuleError(PDF_REQUIRED)
  refuseUnknown(input, NAMES)
  const references = parseReferences(input.pdf, input.pdfs)
  const pages = parsePages(input.pages)
  const password = parsePassword(input.password)
  const model = parseText(input.model, PARAMETER_RULES.model)
  return {
    references,
    prompt: parsePrompt(input.prompt, references.length),
    ...(pages === undefined ? {} : { pages }),
    // Models send "" for what they leave out.
    ...(password === undefined || password === "" ? {} : { password }),
    ...(model === undefined ? {} : { model }),
  }
}

function parseReferences(pdf: unknown, pdfs: unknown): string[] {
  const one = parseText(pdf, PARAMETER_RULES.pdf)
  const several = typeof pdfs === "string" ? [pdfs] : (given(pdfs) ?? [])
  if (!Array.isArray(several)) throw new RuleError(PARAMETER_RULES.pdfs(shown(pdfs)))
  const all = several.map((entry) => {
    if (typeof entry !== "string") throw new RuleError(PARAMETER_RULES.pdfs(shown(entry)))
    return entry
  })
  const references = [...new Set([one ?? "", ...all])].filter((reference) => reference.trim() !== "")
  if (references.length === 0) throw new RuleError(PDF_REQUIRED)
  if (references.some((reference) => reference.includes("\0"))) throw new RuleError(PARAMETER_RULES.pdfWithNul)
  return references
}

function parsePrompt(value: unknown, documents: number): string {
  const prompt = parseText(value, PARAMETER_RULES.prompt) ?? ""
  if (prompt.length > MAX_PROMPT_CHARACTERS) throw new RuleError(PARAMETER_RULES.longPrompt(MAX_PROMPT_CHARACTERS))
  if (prompt.trim() !== "") return prompt
  return documents === 1 ? "Analyze this PDF document." : "Analyze these PDF documents."
}

function parseText(value: unknown, rule: (got: string) => string): string | undefined {
  const text = given(value)
  if (text === undefined || text === "") return undefined
  if (typeof text !== "string") throw new RuleError(rule(shown(text)))
  return text
}
