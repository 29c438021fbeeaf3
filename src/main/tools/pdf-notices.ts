import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { NotReadReason } from "../documents/document-extractor.ts"
import { DEFAULT_MODEL_DEADLINE_MS, type Limits, MAX_NATIVE_PDF_BYTES, MAX_PDFS } from "../limits.ts"
import { PARTLY_READ_WORDS } from "./document-notices.ts"
import { formatPageRanges } from "./page-ranges.ts"
import type { SniffedKind } from "./sniff.ts"

/** What the `pdf` tool says, to the model that analyzes and to whoever called. */

export const PDF_TOOL_DESCRIPTION = [
  "Ask a model about one or several PDF documents: give pdf (one) or pdfs (several) as paths or URLs, and a prompt.",
  'pages ("1-3,7") selects pages, password opens encrypted documents. Answers the text of the model.',
].join(" ")

export function tooManyPdfs(count: number): string {
  return `Too many PDFs: ${count} were given, and at most ${MAX_PDFS} are read in one call. Split them over several calls.`
}

/** The start of a reference, cut between characters. */
export function quotedReference(reference: string): string {
  return reference
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1")
    .slice(0, 200)
    .replaceAll(/\p{Cs}/gu, "\ufffd")
}

export function unsupportedReference(reference: string, why: string): string {
  return `Unsupported PDF reference: ${quotedReference(reference)} (${why}).`
}

export const REMOTE_REFUSED = "URLs of the web are refused here, since the agent runs in a sandbox"

export function notAPdf(called: string, kind: SniffedKind, headBytes: number): Error {
  return new Error(
    `Not a PDF: ${called} (${headBytes === 0 ? "it is empty" : KIND_WORDS(kind)}). Use the read tool for it.`,
  )
}

function KIND_WORDS(kind: SniffedKind): string {
  switch (kind.kind) {
    case "document":
      return `it is a ${kind.document.toUpperCase()} document`
    case "image":
      return "it is an image"
    case "binary":
      return kind.looksLike === undefined ? "it is a binary file" : `it looks like ${kind.looksLike}`
    default:
      return "it is text"
  }
}

export function notNative(parameter: "pages" | "password"): Error {
  return new Error(`${parameter} is not supported with native PDF providers`)
}

export function tooLargeForNative(bytes: number): Error {
  const most = formatSize(MAX_NATIVE_PDF_BYTES)
  return new Error(`The PDFs hold ${formatSize(bytes)}, and at most ${most} are sent to a native PDF provider`)
}

export function readingPdf(name: string): string {
  return `Reading ${name}`
}

export function askingModel(id: string): string {
  return `Asking ${id}`
}

export const NO_MODEL = "No model that reads PDFs is configured here."

export function unknownModel(asked: string, known: readonly string[]): Error {
  return new Error(`Unknown model ${JSON.stringify(asked.slice(0, 100))}. The models are: ${known.join(", ")}.`)
}

export const MODEL_UNAVAILABLE = "it is not available now"
export const NO_ANSWER_TEXT = "it answered no text"

export function modelTimedOut(deadlineMs = DEFAULT_MODEL_DEADLINE_MS): string {
  return `it did not answer within ${deadlineMs / 1000} s`
}

export function noModelAnswered(attempts: readonly { model: string; error: string }[]): string {
  return `No model analyzed the document. ${attempts.map(({ model, error }) => `${model}: ${error}`).join("; ")}`
}

export function answerCut(maxBytes: number): string {
  return `[The answer was cut at ${formatSize(maxBytes)}.]`
}

export function documentHeading(name: string, at: number, of: number, pageCount: number | undefined): string {
  const pages = pageCount === undefined ? "" : `, ${pageCount} ${pageCount === 1 ? "page" : "pages"}`
  return of === 1 ? `PDF document: ${name}${pages}` : `PDF document ${at} of ${of}: ${name}${pages}`
}

export function pageImage(name: string, page: number): string {
  return `Page ${page} of ${name} as an image:`
}

/** `next`: what was selected and not read, as many as a call may have. */
export function pagesCut(
  name: string,
  read: readonly number[],
  pageCount: number,
  next: readonly number[],
  limits: Limits,
) {
  const rest = `Use pages="${formatPageRanges(next)}" for the next.`
  return partial(
    `pages ${formatPageRanges(read)} of ${pageCount} of ${name} were read, at most ${limits.maxDocumentPages} in one call. ${rest}`,
  )
}

export function pagesBeyondEnd(name: string, pageCount: number): string {
  return partial(`${name} ends at page ${pageCount}; pages past it were asked for.`)
}

export function textCut(name: string, characters: number, next: readonly number[]): string {
  const rest = next.length === 0 ? "" : ` Use pages="${formatPageRanges(next)}" for the next.`
  return partial(`the text of ${name} was cut at ${characters} characters.${rest}`)
}

export function readingStopped(name: string, last: number, reason: NotReadReason, limits: Limits): string {
  return partial(`reading ${name} stopped after page ${last}: ${PARTLY_READ_WORDS[reason](limits)}.`)
}

export function imagesLeftOut(name: string, pages: readonly number[], why: "text-only" | "not-drawn"): string {
  const which = `${pages.length === 1 ? "page" : "pages"} ${formatPageRanges(pages)} of ${name}`
  const has = pages.length === 1 ? "has" : "have"
  return why === "text-only"
    ? partial(`${which} ${has} little text, and this model takes no images.`)
    : partial(`${which} ${has} little text and could not be drawn.`)
}

export function partNotRead(name: string, notice: string): string {
  return partial(`${name} was not read. ${notice}`)
}

function partial(what: string): string {
  return `[Partial document: ${what}]`
}

export function nothingToShow(why: readonly string[], images: boolean): Error {
  const rest = images ? "" : " The model takes no images, so the pages could not be shown to it."
  return new Error(`No text could be extracted. ${why.join(" ")}${rest}`.trim())
}
