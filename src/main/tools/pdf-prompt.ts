import { err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type { DocumentPage } from "../documents/document-extractor.ts"
import type { Limits } from "../limits.ts"
import { documentFacts } from "./document-facts.ts"
import type { DocumentPart } from "./document-model.ts"
import { documentNotRead, pageHeader } from "./document-notices.ts"
import type { ExtractedPdf, PageImages } from "./pdf-extraction.ts"
import { poorPages } from "./pdf-extraction.ts"
import * as notices from "./pdf-notices.ts"
import type { PdfSource } from "./pdf-sources.ts"
import type { DocumentFacts } from "./read-result.ts"

/** What a model is asked, and what whoever called is told of it. */
export interface PdfPrompt {
  parts: DocumentPart[]
  /** What the model does not see of the documents: the same words as in the parts. */
  notices: string[]
  /** How much of each is shown. */
  facts: ReadonlyMap<PdfSource, DocumentFacts>
}

/** What holds for all documents of a call. */
export interface PromptSituation {
  prompt: string
  pages: string | undefined
  limits: Limits
  /** The model takes images. Without, `images` is empty. */
  acceptsImages: boolean
  /** No extractor was given to the tool. */
  noExtractor: boolean
}

/** Documents as text and images, and the prompt behind them. An error where there is nothing to show of any of them. */
export function promptOf(
  extracted: readonly ExtractedPdf[],
  images: PageImages,
  situation: PromptSituation,
): Result<PdfPrompt, Error> {
  const budgets = shareCharacters(extracted.map(charactersOf), situation.limits.maxDocumentCharacters)
  const documents = extracted.map((one, i) => ({ one, ...documentOf(one, images, budgets[i] ?? 0, situation) }))
  if (!documents.some(({ facts }) => facts.read)) {
    return err(
      notices.nothingToShow(
        extracted.map((one) => whyUnread(one, situation)),
        situation.acceptsImages,
      ),
    )
  }
  const parts: DocumentPart[] = documents.flatMap(({ one: { source, result }, text, pictures }, i) => {
    const heading = notices.documentHeading(source.name, i + 1, extracted.length, result.pageCount)
    return [{ type: "text" as const, text: [heading, ...text].join("\n\n") }, ...pictures]
  })
  parts.push({ type: "text", text: situation.prompt })
  const facts = new Map(documents.map(({ one: { source }, facts }) => [source, facts]))
  return ok({ parts, notices: documents.flatMap(({ notices }) => notices), facts })
}

/** What each of `wanted` gets of `budget`: all where it is enough; else the small ones all, and the large ones the same. */
export function shareCharacters(wanted: readonly number[], budget: number): number[] {
  const shares = wanted.map(() => 0)
  let left = budget
  const bySize = wanted.map((characters, i) => ({ characters, i })).sort((a, b) => a.characters - b.characters)
  for (const [at, { characters, i }] of bySize.entries()) {
    const share = Math.min(characters, Math.floor(left / (wanted.length - at)))
    shares[i] = share
    left -= share
  }
  return shares
}

function charactersOf({ result }: ExtractedPdf): number {
  return result.pages.reduce((sum, { text }) => sum + text.length, 0)
}

interface ShownDocument {
  text: string[]
  pictures: DocumentPart[]
  notices: string[]
  facts: DocumentFacts
}

function documentOf(one: ExtractedPdf, images: PageImages, budget: number, situation: PromptSituation): ShownDocument {
  const { source, result } = one
  const pageCount = result.pageCount ?? result.pages.length
  const shown = cutPages(result.pages, budget)
  const drawn = images.get(one) ?? new Map()
  const pictures = [...drawn].flatMap(([page, { data, mimeType }]): DocumentPart[] => [
    { type: "text", text: notices.pageImage(source.name, page) },
    { type: "image", mimeType, data },
  ])
  const text = shown.map(({ page, text }) => `${pageHeader(page, pageCount)}\n${text}`)
  const told = noticesFor(one, shown, new Set(drawn.keys()), situation)
  return { text: [...text, ...told], pictures, notices: told, facts: factsOf(one, shown, pictures.length > 0) }
}

/** As the read tool says it of the pages that are shown; pages that were drawn were read, whatever text they have. */
function factsOf({ result }: ExtractedPdf, shown: readonly DocumentPage[], drawn: boolean): DocumentFacts {
  const cut = shown.length < result.pages.length || shown.some(({ textTruncated }) => textTruncated)
  const { notRead, ...facts } = documentFacts({ ...result, pages: shown }, cut)
  const read = drawn || shown.some(({ text }) => /\S/.test(text))
  return { ...facts, read, ...(notRead === undefined || (drawn && notRead === "no-text") ? {} : { notRead }) }
}

/** Whole pages within `budget`; the first alone is cut where it is longer. */
function cutPages(pages: readonly DocumentPage[], budget: number): DocumentPage[] {
  const shown: DocumentPage[] = []
  let left = budget
  for (const page of pages) {
    const [first] = pages
    if (page.text.length > left && page !== first) break
    const text = page.text.slice(0, left).replace(/\p{Cs}$/u, "")
    shown.push(text.length < page.text.length ? { ...page, text, textTruncated: true } : page)
    left -= text.length
  }
  return shown
}

function noticesFor(
  one: ExtractedPdf,
  shown: readonly DocumentPage[],
  drawn: ReadonlySet<number>,
  situation: PromptSituation,
): string[] {
  const { source, result, left, beyondEnd } = one
  const { limits, acceptsImages } = situation
  const { name } = source
  if (result.pages.length === 0) return [notices.partNotRead(name, whyUnread(one, situation))]
  const told: string[] = []
  const pageCount = result.pageCount ?? result.pages.length
  const read = shown.map(({ page }) => page)
  const cut = result.pages.slice(shown.length).map(({ page }) => page)
  const textTruncated = cut.length > 0 || result.textTruncated || shown.some((page) => page.textTruncated)
  if (textTruncated)
    told.push(notices.textCut(name, charactersIn(shown), [...cut, ...left].slice(0, limits.maxDocumentPages)))
  else if (result.notRead !== undefined && result.notRead !== "no-text") {
    told.push(notices.readingStopped(name, read.at(-1) ?? 0, result.notRead, limits))
  } else if (left.length > 0) told.push(notices.pagesCut(name, read, pageCount, left, limits))
  if (beyondEnd) told.push(notices.pagesBeyondEnd(name, pageCount))
  const missing = poorPages(one).filter((page) => !drawn.has(page))
  if (missing.length > 0) told.push(notices.imagesLeftOut(name, missing, acceptsImages ? "not-drawn" : "text-only"))
  told.push(...(result.notes ?? []).map((note) => `[${name}: ${note}]`))
  return told
}

function charactersIn(pages: readonly DocumentPage[]): number {
  return pages.reduce((sum, { text }) => sum + text.length, 0)
}

function whyUnread({ result }: ExtractedPdf, { pages, limits, acceptsImages, noExtractor }: PromptSituation): string {
  return documentNotRead(result, result.notRead ?? "no-text", { pages, acceptsImages, limits, noExtractor })
}
