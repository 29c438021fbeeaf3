import type {
  DocumentAnalysis,
  DocumentAnalysisRequest,
  DocumentModel,
  DocumentPart,
} from "../../src/main/tools/document-model.ts"
import { type Context, ok, type Result } from "../../vendor/pi-harness/index.ts"

/** A model that answers what it is told to, and keeps what it was asked. */
export class AnsweringModel implements DocumentModel {
  readonly requests: DocumentAnalysisRequest[] = []
  readonly nativePdf: boolean
  readonly acceptsImages: boolean
  readonly isAvailable?: () => Promise<boolean>

  constructor(
    readonly id: string,
    private readonly answer: (context: Context) => Promise<Result<DocumentAnalysis, Error>> = async () =>
      ok({ text: `answer of ${this.id}` }),
    { nativePdf = false, acceptsImages = true, isAvailable }: Partial<DocumentModel> = {},
  ) {
    this.nativePdf = nativePdf
    this.acceptsImages = acceptsImages
    if (isAvailable !== undefined) this.isAvailable = () => isAvailable(null as never)
  }

  analyze(request: DocumentAnalysisRequest, context: Context) {
    this.requests.push(request)
    return this.answer(context)
  }

  /** The parts of the only request. */
  get asked(): readonly DocumentPart[] {
    const [request, ...more] = this.requests
    if (request === undefined || more.length > 0) throw new Error(`${this.id} was asked ${this.requests.length} times`)
    return request.parts
  }

  /** All text of the only request. */
  get askedText(): string {
    return this.asked.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")
  }
}
