import type { Context, Result } from "../../../vendor/pi-harness/index.ts"

/** A part of what a model is asked, in the order in which it sees them. */
export type DocumentPart =
  | { type: "text"; text: string }
  /** A whole PDF, only for models with {@link DocumentModel.nativePdf}. `name`: the last part of its path. */
  | { type: "pdf"; name: string; data: Uint8Array }
  /** Encoded bytes, only for models with {@link DocumentModel.acceptsImages}. */
  | { type: "image"; mimeType: string; data: Uint8Array }

export interface DocumentAnalysisRequest {
  /** The documents, and last the prompt. */
  parts: readonly DocumentPart[]
}

export interface DocumentAnalysis {
  text: string
}

/** A model that answers questions about documents, as a host binds it. */
export interface DocumentModel {
  /** `provider/model`: what a call names it by, and what results call it. */
  readonly id: string
  /** Whether it takes PDFs as they are. Without, it gets their text, and images of pages that have little. */
  readonly nativePdf: boolean
  readonly acceptsImages: boolean
  /** Whether it could be asked now: a key is there, the server answers. Asked with each call; absent: always. */
  isAvailable?(context: Context): Promise<boolean>
  /** Its answer. A failure sends the call on to the next model. The context's abort ends it. */
  analyze(request: DocumentAnalysisRequest, context: Context): Promise<Result<DocumentAnalysis, Error>>
}
