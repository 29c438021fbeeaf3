import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { DocumentResult, NotReadReason } from "../documents/document-extractor.ts"
import type { Limits } from "../limits.ts"
import { DOCUMENT_NAMES, documentNotShown, NO_READER_ADVICE } from "./notices.ts"
import { formatPageRanges } from "./page-ranges.ts"
import { wordDocumentNotRead } from "./word-notices.ts"

export function pageHeader(page: number, pageCount: number): string {
  return `--- page ${page} of ${pageCount} ---`
}

export function shownPages(shown: readonly number[], pageCount: number, next: readonly number[]): string {
  return `[Showing pages ${formatPageRanges(shown)} of ${pageCount}. Use pages="${formatPageRanges(next)}" to continue.]`
}

export function pagesAsImages(pages: readonly number[]): string {
  return pages.length === 1
    ? `[Page ${pages[0]} has little text and follows as an image.]`
    : `[Pages ${formatPageRanges(pages)} have little text and follow as images, in this order.]`
}

export function keepPages(pages: string): string {
  return `[These are lines of pages="${pages}": keep it together with offset.]`
}

export function pageCut(page: number, characters: number): string {
  return `[The text of page ${page} was cut at ${characters} characters.]`
}

/** Why only a part was read. `left` are the pages that were to come, the one that it broke on first. */
export function stoppedAfter(
  last: number,
  reason: NotReadReason,
  limits: Pick<Limits, "documentDeadlineMs">,
  left: readonly number[],
): string {
  const why = `[Reading stopped after page ${last}: ${PARTLY_READ_WORDS[reason](limits)}.`
  if (left.length === 0) return `${why.slice(0, -1)}. Not every page with little text was drawn.]`
  if (reason === "timeout") return `${why} Use pages="${formatPageRanges(left)}" to continue.]`
  const further = left.slice(1)
  return further.length === 0 ? `${why}]` : `${why} Use pages="${formatPageRanges(further)}" to read what follows it.]`
}

export const PARTLY_READ_WORDS: Record<NotReadReason, (limits: Pick<Limits, "documentDeadlineMs">) => string> = {
  "too-large": () => "the next one needs more memory than a document may have",
  timeout: ({ documentDeadlineMs }) => `it took longer than ${documentDeadlineMs / 1000} s`,
  encrypted: () => "the rest is encrypted",
  "no-text": () => "the rest holds no text",
  unsupported: () => "the rest is damaged",
  unavailable: () => "the document reader ended",
}

export interface NotReadSituation {
  /** Pages that the call asked for; undefined: from the first on. */
  pages: string | undefined
  acceptsImages: boolean
  limits: Limits
  /** No extractor was given to the tool. */
  noExtractor: boolean
}

/** `[PDF (S), not shown: <reason in words>. <what to do next>]` */
export function documentNotRead(result: DocumentResult, reason: NotReadReason, situation: NotReadSituation): string {
  const ofWord = result.kind === "docx" ? wordDocumentNotRead(result, reason, situation.limits) : undefined
  const [words, next] = ofWord ?? wordsFor(result, reason, situation)
  return documentNotShown(DOCUMENT_NAMES[result.kind], result.bytes, words, next)
}

function wordsFor(result: DocumentResult, reason: NotReadReason, situation: NotReadSituation): [string, string] {
  const { limits, pages } = situation
  const name = DOCUMENT_NAMES[result.kind]
  const several = pages === undefined || /[-,]/.test(pages)
  const fewer = several ? `Try a single page, such as pages="${pages?.match(/\d+/)?.[0] ?? 1}".` : "Try another page."
  switch (reason) {
    case "too-large":
      return result.bytes > limits.maxDocumentBytes
        ? [
            `files over ${formatSize(limits.maxDocumentBytes)} are not read`,
            "Ask the user for a smaller file, or for the pages in question.",
          ]
        : ["it needs more memory than a document may have", fewer]
    case "timeout":
      return [`reading it took longer than ${limits.documentDeadlineMs / 1000} s`, fewer]
    case "encrypted":
      return result.passwordWrong
        ? [
            "it is encrypted, and the password given is not the one",
            "Ask the user for its password and pass it as password.",
          ]
        : ["it is encrypted", "Ask the user for its password and pass it as password."]
    case "no-text":
      return noText(result, situation)
    case "unsupported":
      return [`it is damaged, or not a ${name} that can be read`, "Ask the user for another copy of it."]
    case "unavailable":
      return situation.noExtractor
        ? ["no document reader is configured here", NO_READER_ADVICE]
        : ["the document reader could not be started", "Try again once; if that fails too, ask the user for its text."]
  }
}

function noText(
  { pages, pageCount = 0 }: DocumentResult,
  { acceptsImages, limits }: NotReadSituation,
): [string, string] {
  const read = pages.map(({ page }) => page)
  const last = read.at(-1) ?? 0
  const which =
    read.length === pageCount ? "it holds no text" : `pages ${formatPageRanges(read)} of ${pageCount} hold no text`
  const why = acceptsImages ? "" : ", and this model takes no images"
  if (last < pageCount) {
    const to = Math.min(pageCount, last + limits.maxDocumentPages)
    return [`${which}${why}`, `Use pages="${last + 1 === to ? to : `${last + 1}-${to}`}" to read on.`]
  }
  return [`${which}${why}`, "Ask the user for a copy with text."]
}
