import { type Context, err, ok, type Result, toError } from "../../../vendor/pi-harness/index.ts"
import type { DocumentAnalysis, DocumentAnalysisRequest, DocumentModel, DocumentPart } from "./document-model.ts"

/** A file part as AI SDK 6 and 7 both take it, images too. */
interface FilePart {
  type: "file"
  data: Uint8Array
  mediaType: string
  filename?: string
}

interface UserMessage {
  role: "user"
  content: ({ type: "text"; text: string } | FilePart)[]
}

/** What a call of the SDK's `generateText` is given and answers, as far as it is used. */
interface GenerateOptions<M> {
  model: M
  messages: UserMessage[]
  abortSignal?: AbortSignal
}

export interface AiDocumentModelOptions<M> {
  /** `provider/model`: what calls name it by. */
  id: string
  /** A model of the AI SDK, of whatever provider. */
  model: M
  /** `generateText` of `ai`, in whichever version the host uses, with whatever the host adds to it. */
  generateText: (options: GenerateOptions<M>) => PromiseLike<{ readonly text: string }>
  /** Whether its provider takes PDFs as file parts. Default false: it gets their text and page images. */
  nativePdf?: boolean
  /** Default true. */
  acceptsImages?: boolean
  /** Whether it could be asked now. Absent: always. */
  isAvailable?: (context: Context) => Promise<boolean>
}

/** A model of the AI SDK as one that analyzes documents. Imports nothing of `ai`: its `generateText` is handed in. */
export function createAiDocumentModel<M>(options: AiDocumentModelOptions<M>): DocumentModel {
  const { id, model, generateText, nativePdf = false, acceptsImages = true, isAvailable } = options
  return {
    id,
    nativePdf,
    acceptsImages,
    ...(isAvailable === undefined ? {} : { isAvailable }),
    async analyze({ parts }: DocumentAnalysisRequest, { abortSignal }): Promise<Result<DocumentAnalysis, Error>> {
      const messages: UserMessage[] = [{ role: "user", content: parts.map(contentPart) }]
      try {
        const { text } = await generateText({ model, messages, ...(abortSignal === undefined ? {} : { abortSignal }) })
        return ok({ text })
      } catch (thrown) {
        return err(toError(thrown))
      }
    },
  }
}

function contentPart(part: DocumentPart): UserMessage["content"][number] {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "pdf":
      return { type: "file", data: part.data, mediaType: "application/pdf", filename: part.name }
    case "image":
      return { type: "file", data: part.data, mediaType: part.mimeType }
  }
}
