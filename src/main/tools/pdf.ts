import type { Context, ExecutionEnv, HarnessTool, Result, ToolResult } from "../../../vendor/pi-harness/index.ts"
import { err, getOrThrow, ok } from "../../../vendor/pi-harness/index.ts"
import type { DocumentExtractor } from "../documents/document-extractor.ts"
import { type Clock, systemClock } from "../fs/clock.ts"
import { DEFAULT_MODEL_DEADLINE_MS, type Limits, limitsFrom, MAX_PDFS } from "../limits.ts"
import type { DocumentModel } from "./document-model.ts"
import { candidates, firstAnswer, type ModelAttempt } from "./model-attempts.ts"
import { boundedAnswer } from "./pdf-answer.ts"
import { PdfMaterials } from "./pdf-materials.ts"
import * as notices from "./pdf-notices.ts"
import { PDF_PARAMETERS, type PdfParameters, type PdfToolInput, parsePdfParameters } from "./pdf-parameters.ts"
import { type PdfReference, parsePdfReference } from "./pdf-references.ts"
import { findPdf, type PdfSource, type PdfSurroundings } from "./pdf-sources.ts"
import { type ReadProgress, startProgress } from "./read-progress.ts"
import type { DocumentFacts } from "./read-result.ts"
import { settleOnAbort } from "./settle-on-abort.ts"

/** What a host chooses for its `pdf` tool. */
export interface PdfToolOptions extends Partial<Pick<PdfSurroundings, "openUrl" | "openMedia" | "mapPath">> {
  /** Local files are read through it, relative to its `cwd`. Absent: that of the call. */
  env?: ExecutionEnv
  /** The models to ask, best first: the next is asked where one is not available or fails. */
  model: DocumentModel | readonly DocumentModel[]
  /** Reads the text of PDFs for models that do not take them as they are. */
  extractor?: DocumentExtractor
  /** True: http(s) URLs are refused. */
  sandboxed?: boolean
  limits?: Partial<Limits>
  /** Milliseconds that one model may take. 3 minutes by default. */
  modelDeadlineMs?: number
}

/** One PDF of a call. */
export interface PdfFacts {
  /** The absolute path that was opened, or the URL. */
  pdf: string
  /** The reference that the host's mapping led away from. */
  rewrittenFrom?: string
  /** How much of it was read; absent where the model was sent the PDF itself. */
  document?: DocumentFacts
}

/** `pdf` and the rest of its facts for one PDF, `pdfs` for several. */
export interface PdfAnalysisDetails extends Partial<PdfFacts> {
  /** The model's answer, as in `content[0].text`. */
  text: string
  /** Id of the model that answered. */
  model: string
  /** It was sent the PDFs themselves. */
  native: boolean
  /** Those that failed before it. */
  attempts: ModelAttempt[]
  pdfs?: PdfFacts[]
  /** What was cut, in the words that the model and `content` have. */
  notices?: string[]
}

export type PdfToolDetails =
  | PdfAnalysisDetails
  | { error: "too_many_pdfs"; count: number; max: number }
  | { error: "unsupported_pdf_reference"; pdf: string }

export type PdfToolResult = ToolResult<PdfToolDetails>
export type PdfTool = HarnessTool<PdfToolInput, PdfToolDetails | undefined, PdfToolResult>

/**
 * A tool that asks a model about one or several PDFs. `execute` throws an Error where a parameter is wrong, a file cannot
 * be read or is no PDF, or no model answered (`NoModelAnswered`, with the attempts); with code `aborted` within 100 ms of
 * an abort. Throws a RangeError for a limit that bounds nothing.
 *
 * @param clock for tests: drives deadlines and progress
 */
export function createPdfTool(options: PdfToolOptions, clock: Clock = systemClock): PdfTool {
  const limits = limitsFrom(options.limits)
  const { modelDeadlineMs = DEFAULT_MODEL_DEADLINE_MS } = options
  if (!Number.isFinite(modelDeadlineMs) || modelDeadlineMs < 1) {
    throw new RangeError(`modelDeadlineMs must be a number of 1 or more; got ${modelDeadlineMs}`)
  }
  return {
    name: "pdf",
    label: "pdf",
    description: notices.PDF_TOOL_DESCRIPTION,
    parameters: PDF_PARAMETERS,
    execute: async (_toolCallId, params, onUpdate, toolContext, _invocation, context) => {
      const parameters = getOrThrow(parsePdfParameters(params))
      const env = options.env ?? toolContext.env
      const references = parameters.references.map((text) => ({ text, means: parsePdfReference(text, env.cwd) }))
      const refusal = refused(references, options.sandboxed === true)
      if (refusal !== undefined) return refusal
      const told = (text: string) => onUpdate?.({ content: [{ type: "text", text }], details: undefined })
      const progress = startProgress(onUpdate && told, clock)
      try {
        const call = new PdfCall({ ...options, limits, modelDeadlineMs, env, clock }, parameters, progress, context)
        return getOrThrow(await settleOnAbort(call.run(references), parameters.references.join(", "), context, clock))
      } finally {
        progress.stop()
      }
    },
  }
}

interface Reference {
  /** As it was given. */
  text: string
  means: PdfReference
}

/** What is answered before any file is opened; a URL that a sandbox keeps out is an error. */
function refused(references: readonly Reference[], sandboxed: boolean): PdfToolResult | undefined {
  const count = references.length
  if (count > MAX_PDFS) {
    return refusal(notices.tooManyPdfs(count), { error: "too_many_pdfs", count, max: MAX_PDFS })
  }
  for (const { text, means } of references) {
    if (means.kind === "unsupported") {
      const words = notices.unsupportedReference(text, means.why)
      return refusal(words, { error: "unsupported_pdf_reference", pdf: notices.quotedReference(text) })
    }
    if (means.kind === "url" && sandboxed) throw new Error(notices.unsupportedReference(text, notices.REMOTE_REFUSED))
  }
  return undefined
}

function refusal(text: string, details: PdfToolDetails): PdfToolResult {
  return { content: [{ type: "text", text }], details }
}

interface Settings extends PdfToolOptions {
  env: ExecutionEnv
  limits: Limits
  modelDeadlineMs: number
  clock: Clock
}

class PdfCall {
  constructor(
    private readonly settings: Settings,
    private readonly parameters: PdfParameters,
    private readonly progress: ReadProgress,
    private readonly context: Context,
  ) {}

  async run(references: readonly Reference[]): Promise<Result<PdfToolResult, Error>> {
    const { model } = this.settings
    const models = candidates("id" in model ? [model] : model, this.parameters.model)
    if (!models.ok) return models
    if (models.value.length === 0) return err(new Error(notices.NO_MODEL))
    const sources: PdfSource[] = []
    try {
      const found = await this.find(references, sources)
      return found.ok ? await this.ask(models.value, sources) : found
    } finally {
      await Promise.all(sources.map((source) => source.release()))
    }
  }

  /** Fills `sources`, each file once, whatever it is called. */
  private async find(references: readonly Reference[], sources: PdfSource[]): Promise<Result<void, Error>> {
    const surroundings = { ...this.settings, maxDocumentBytes: this.settings.limits.maxDocumentBytes }
    for (const { text, means } of references) {
      if (means.kind === "unsupported") continue
      this.progress.say(() => notices.readingPdf(text))
      const source = await findPdf(means, surroundings, this.context)
      if (!source.ok) return source
      if (sources.some(({ identity }) => identity === source.value.identity)) await source.value.release()
      else sources.push(source.value)
    }
    return ok(undefined)
  }

  private async ask(models: readonly DocumentModel[], sources: PdfSource[]): Promise<Result<PdfToolResult, Error>> {
    const { limits, extractor, modelDeadlineMs, clock } = this.settings
    const { prompt, pages, password } = this.parameters
    const onDocument = ({ name }: PdfSource): void => this.progress.say(() => notices.readingPdf(name))
    const materials = new PdfMaterials(
      { sources, extractor, pages, password, prompt, limits, onDocument },
      this.context,
    )
    const requestFor = async (model: DocumentModel) => {
      const request = await materials.requestFor(model)
      this.progress.say(() => notices.askingModel(model.id))
      return request
    }
    const answered = await firstAnswer(models, requestFor, { deadlineMs: modelDeadlineMs, clock }, this.context)
    return answered.ok ? ok(this.result(answered.value, sources, materials)) : answered
  }

  private result(
    answer: { model: DocumentModel; text: string; attempts: ModelAttempt[] },
    sources: readonly PdfSource[],
    materials: PdfMaterials,
  ): PdfToolResult {
    const { model, attempts } = answer
    const cut = boundedAnswer(answer.text, this.settings.limits.maxBytes)
    const told = [...cut.notices, ...materials.noticesFor(model)]
    const facts = sources.map((source): PdfFacts => {
      const { pdf, rewrittenFrom } = source
      const document = materials.factsFor(model, source)
      return {
        pdf,
        ...(rewrittenFrom === undefined ? {} : { rewrittenFrom }),
        ...(document === undefined ? {} : { document }),
      }
    })
    const named = facts.length === 1 ? facts[0] : { pdfs: facts }
    return {
      content: [cut.text, ...(told.length === 0 ? [] : [told.join("\n")])].map((text) => ({ type: "text", text })),
      details: {
        text: cut.text,
        model: model.id,
        native: model.nativePdf,
        attempts,
        ...named,
        ...(told.length === 0 ? {} : { notices: told }),
      },
    }
  }
}
