import type { Context, FileByteReader, Result } from "../../../vendor/pi-harness/index.ts"

/** Documents that an extractor turns into text. */
export type DocumentKind = "pdf" | "docx"

/** Why a document, or the rest of it, was not read. A closed list: nothing else is ever said. */
export type NotReadReason = "too-large" | "timeout" | "encrypted" | "no-text" | "unsupported" | "unavailable"

/** One document to read. The extractor reads it through `reader` and leaves closing to the caller. */
export interface DocumentRequest {
  kind: DocumentKind
  /** Never a path: what was opened and judged is what is read. */
  reader: FileByteReader
  /** 1-based, ascending, no duplicates. Absent: from page 1 on, as many as a call may read. A Word document has none. */
  pages?: readonly number[]
  password?: string
  /** Whether pages poor in text are rendered. */
  images: boolean
  /** Pixels that they may take together, where that is less than the extractor's limit. 1 or more. */
  maxPixels?: number
}

/** One page as it was read. */
export interface DocumentPage {
  /** 1-based. */
  page: number
  /** LF line ends, no control characters but TAB; empty where the page has no text. */
  text: string
  /** The text was cut at the character limit of the call. */
  textTruncated?: boolean
  /** Too little of what the page shows is in its text: it wants an image. */
  poorInText?: boolean
  image?: DocumentImage
}

export interface DocumentImage {
  /** Encoded bytes, an exact copy. */
  data: Uint8Array
  mimeType: "image/png" | "image/jpeg" | "image/webp" | "image/gif"
  width: number
  height: number
}

/**
 * What was read. Hostile content is a result: `notRead` then holds exactly one reason, and `pages` what was finished
 * before it. A document of which all that was asked for was read has no `notRead`.
 */
export interface DocumentResult {
  kind: DocumentKind
  /** Size of the file in bytes. */
  bytes: number
  /** As the document says it; absent where it could not be opened, and of a Word document, whose text is page 1. */
  pageCount?: number
  /** Ascending by page. */
  pages: readonly DocumentPage[]
  /** Some page's text, or a later page, was left out at the character limit. */
  textTruncated: boolean
  notRead?: NotReadReason
  /** With `encrypted`: a password was given, and it is not the one. */
  passwordWrong?: boolean
  /** Words for the reader of the result: "3 images left out". */
  notes?: readonly string[]
}

/** Where Word breaks pages depends on fonts and printers, and is not in the file. */
export const WORD_HAS_NO_PAGES = "A Word document has no pages: leave pages out, and read on in its text with offset"

export type DocumentErrorCode = "aborted" | "invalid_pages" | "read_failed"

/** A failure that is not the document's: an abort, a wrong argument, a file that cannot be read. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode
  /** With `invalid_pages`, where the document could be opened. */
  readonly pageCount?: number

  constructor(code: DocumentErrorCode, message: string, cause?: Error, pageCount?: number) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "DocumentError"
    this.code = code
    if (pageCount !== undefined) this.pageCount = pageCount
  }
}

/** A part of an image, pixels of the upright original. */
export interface ImageRegion {
  x: number
  y: number
  width: number
  height: number
}

/** One image to decode and fit. The extractor reads it through `reader` and leaves closing to the caller. */
export interface ImageRequest {
  reader: FileByteReader
  /** As its structure says. */
  mimeType: string
  region?: ImageRegion
}

/** An image that a provider takes, or one reason why there is none. */
export interface ImageResult {
  image?: DocumentImage
  /** Pixels of the upright original; absent where they could not be told. */
  originalWidth?: number
  originalHeight?: number
  /** Frames of an animation, where more than one. */
  frames?: number
  /** The bytes differ from the file's: decoded, turned, shrunk or encoded anew. */
  converted: boolean
  notRead?: NotReadReason
  /** Words for the reader of the result, where `notRead` needs more: "sharp could not be loaded: ...". */
  message?: string
}

/** One notebook to show as cells. The extractor reads it through `reader` and leaves closing to the caller. */
export interface NotebookRequest {
  reader: FileByteReader
  /** The part of its text that is wanted: what does not lie in it is counted and not brought home. */
  window: {
    /** 1-based. */
    fromLine: number
    maxLines: number
    /** UTF-8. */
    maxBytes: number
  }
  /** Whether the pictures in the window are decoded, as many as a call may show. */
  images: boolean
}

/** Where the lines of a window stand in a notebook. Cells, pictures and lines count from 1 over all of it. */
export interface NotebookText {
  cells: number
  totalLines: number
  /** Whole lines from `fromLine` on, one more than the window holds where there are more; as a document's text. */
  text: string
  /** The first line is longer than the characters of a call, and is cut. */
  lineCut: boolean
  /** Bytes of UTF-8 behind `text`. */
  bytesAfter: number
  /** The last cell that begins before the window, 0 where none does. */
  firstCell: number
  /** Lines in `text` on which cells begin. */
  cellLines: readonly number[]
  /** Pictures before the window. */
  imagesBefore: number
  /** Lines in `text` that stand for pictures. */
  imageLines: readonly number[]
}

/** A notebook as cells, or one reason why it is none or was not read. */
export interface NotebookResult {
  notebook?: NotebookText
  /** Those in the window that were decoded, by number, ascending. */
  images: ReadonlyMap<number, DocumentImage>
  /** Always where there is no notebook; with one, why pictures are missing that are not broken. */
  notRead?: NotReadReason
  /** Words for the reader of the result: "sharp could not be loaded: ...". */
  message?: string
}

/**
 * Turns what others wrote into text and images, away from the host's own process. No method throws or rejects.
 * An abort settles the call at once with `aborted`.
 */
export interface DocumentExtractor {
  extract(request: DocumentRequest, context: Context): Promise<Result<DocumentResult, DocumentError>>
  /** Absent where the extractor handles documents alone. */
  convertImage?(request: ImageRequest, context: Context): Promise<Result<ImageResult, DocumentError>>
  /** Absent where notebooks are shown as the text that they are. */
  readNotebook?(request: NotebookRequest, context: Context): Promise<Result<NotebookResult, DocumentError>>
}
