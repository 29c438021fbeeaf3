import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_NATIVE_PDF_BYTES } from "../limits.ts"
import type { DocumentAnalysisRequest, DocumentModel, DocumentPart } from "./document-model.ts"
import { readBounded } from "./image-file.ts"
import {
  drawPages,
  type ExtractedPdf,
  extractTexts,
  type PageImages,
  type PdfExtractionRequest,
} from "./pdf-extraction.ts"
import { notAPdf, notNative, tooLargeForNative } from "./pdf-notices.ts"
import { type PdfPrompt, promptOf } from "./pdf-prompt.ts"
import type { PdfSource } from "./pdf-sources.ts"
import type { DocumentFacts } from "./read-result.ts"
import { sniff } from "./sniff.ts"

export interface PdfMaterialsRequest extends PdfExtractionRequest {
  prompt: string
}

/**
 * What the models of one call are sent, made when the first of them needs it: the PDFs themselves, their text, or text
 * and images. A model that is asked after another failed gets what was made for that one.
 */
export class PdfMaterials {
  private texts: Promise<Result<ExtractedPdf[], Error>> | undefined
  private images: Promise<Result<PageImages, Error>> | undefined
  private readonly prompts = new Map<DocumentModel, PdfPrompt>()

  constructor(
    private readonly request: PdfMaterialsRequest,
    private readonly context: Context,
  ) {}

  async requestFor(model: DocumentModel): Promise<Result<DocumentAnalysisRequest, Error>> {
    return model.nativePdf ? this.native() : this.extraction(model)
  }

  /** What such a model does not see of the documents. */
  noticesFor(model: DocumentModel): readonly string[] {
    return this.prompts.get(model)?.notices ?? []
  }

  /** How much of a document such a model was shown; `undefined` where it was sent the PDF itself. */
  factsFor(model: DocumentModel, source: PdfSource): DocumentFacts | undefined {
    return this.prompts.get(model)?.facts.get(source)
  }

  private async native(): Promise<Result<DocumentAnalysisRequest, Error>> {
    const { pages, password, sources, prompt } = this.request
    if (pages !== undefined) return err(notNative("pages"))
    if (password !== undefined) return err(notNative("password"))
    const claimed = sources.reduce((sum, { bytes }) => sum + bytes, 0)
    if (claimed > MAX_NATIVE_PDF_BYTES) return err(tooLargeForNative(claimed))
    const parts: DocumentPart[] = []
    let left = MAX_NATIVE_PDF_BYTES
    for (const source of sources) {
      this.request.onDocument(source)
      const read = await this.readWhole(source, left)
      if (!read.ok) return read
      left -= read.value.length
      parts.push({ type: "pdf", name: source.name, data: read.value })
    }
    return ok({ parts: [...parts, { type: "text", text: prompt }] })
  }

  /** At most `most` bytes, whatever the file claims or grows to, and what was read is a PDF. */
  private async readWhole(source: PdfSource, most: number): Promise<Result<Buffer, Error>> {
    const opened = await source.open(this.context)
    if (!opened.ok) return opened
    try {
      const read = await readBounded(opened.value, most, this.context)
      if (!read.ok) return read
      if (read.value === undefined) return err(tooLargeForNative(MAX_NATIVE_PDF_BYTES + 1))
      const kind = sniff(read.value)
      if (kind.kind !== "document" || kind.document !== "pdf") return err(notAPdf(source.pdf, kind, read.value.length))
      return ok(read.value)
    } finally {
      await opened.value.close(BACKGROUND_CONTEXT)
    }
  }

  private async extraction(model: DocumentModel): Promise<Result<DocumentAnalysisRequest, Error>> {
    const { request, context } = this
    const { acceptsImages } = model
    this.texts ??= extractTexts(request, context)
    const texts = await this.texts
    if (!texts.ok) return texts
    let images: PageImages = new Map()
    if (acceptsImages) {
      this.images ??= drawPages(texts.value, request, context)
      const drawn = await this.images
      if (!drawn.ok) return drawn
      images = drawn.value
    }
    const noExtractor = request.extractor === undefined
    const prompt = promptOf(texts.value, images, { ...request, acceptsImages, noExtractor })
    if (prompt.ok) this.prompts.set(model, prompt.value)
    return prompt.ok ? ok({ parts: prompt.value.parts }) : prompt
  }
}
