import type { ImageContent, TextContent, ToolResult, TruncationResult } from "../../../vendor/pi-harness/index.ts"
import type { DocumentKind, NotReadReason } from "../documents/document-extractor.ts"

/** What a document read says of itself, in `details` and in the receipt. */
export interface DocumentFacts {
  kind: DocumentKind
  /** Whether any of it was read. */
  read: boolean
  bytes: number
  pageCount?: number
  /** `"1-3,7"`. */
  pagesRead?: string
  textTruncated: boolean
  notRead?: NotReadReason
}

/** What an image read says of itself, pixels of the upright image. */
export interface ImageFacts {
  mimeType: string
  width: number
  height: number
  originalWidth: number
  originalHeight: number
  /** Where the file holds more than one. */
  frames?: number
  /** The bytes shown differ from the file's. */
  converted: boolean
}

/** What a notebook read says of itself. */
export interface NotebookFacts {
  /** Of the whole notebook. */
  cells: number
  /** Those of which a line is shown, `"3-12"`; absent where none is. */
  cellsRead?: string
}

/** Facts for the host beside the content: what content can imitate, a receipt cannot. JSON-safe, without content. */
export interface ReadReceipt {
  kind: "text" | "image" | "document" | "notebook" | "binary" | "utf-16" | "utf-32" | "empty"
  /** Absolute, as opened. */
  path: string
  /** Size of the file in bytes, as opened. */
  bytes: number
  mimeType?: string
  /** The label the text was decoded with. */
  encoding?: string
  /** Lines shown, `"1-2000"`: of the file, or of the text that was made of a document or a notebook. */
  lines?: string
  /** Lines of the whole file; absent where counting stopped before its end. */
  totalLines?: number
  /** Where to go on, absent at the end. */
  nextOffset?: number
  nextColumn?: number
  /** The file was changed while it was read. */
  changed?: true
  document?: DocumentFacts
  image?: ImageFacts
  notebook?: NotebookFacts
}

/** `undefined` for a plain text read that was not cut, as upstream. */
export type ReadDetails =
  | { truncation?: TruncationResult; document?: DocumentFacts; image?: ImageFacts; notebook?: NotebookFacts }
  | undefined

export interface ReadResult extends ToolResult<ReadDetails> {
  content: (TextContent | ImageContent)[]
  details: ReadDetails
  receipt: ReadReceipt
}
