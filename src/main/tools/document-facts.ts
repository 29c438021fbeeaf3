import type { DocumentResult } from "../documents/document-extractor.ts"
import { formatPageRanges, parsePageRanges } from "./page-ranges.ts"
import type { DocumentFacts } from "./read-result.ts"

/** What a result says of itself in `details` and in the receipt; `cut`: the window shows less than was extracted. */
export function documentFacts(result: DocumentResult, cut: boolean): DocumentFacts {
  const { kind, bytes, pageCount, pages, textTruncated, notRead } = result
  return {
    kind,
    read: pages.length > 0,
    bytes,
    ...(pageCount === undefined ? {} : { pageCount }),
    ...(pages.length === 0 || kind === "docx" ? {} : { pagesRead: formatPageRanges(pages.map(({ page }) => page)) }),
    textTruncated: textTruncated || cut,
    ...(notRead === undefined ? {} : { notRead }),
  }
}

/** The pages to ask for next: what the call left out of those it was asked for, or as many as a call may have after them. */
export function pagesLeft(
  { pages }: DocumentResult,
  asked: string | undefined,
  pageCount: number,
  maxPages: number,
): number[] {
  const last = pages.at(-1)?.page ?? 0
  const selection = asked === undefined ? undefined : parsePageRanges(asked, maxPages)
  const ofThose = selection?.ok ? selection.value.filter((page) => page > last) : []
  if (ofThose.length > 0) return ofThose
  return Array.from({ length: Math.min(maxPages, pageCount - last) }, (_, i) => last + 1 + i)
}
