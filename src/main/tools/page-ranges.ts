import { err, ok, type Result } from "../../../vendor/pi-harness/index.ts"

/**
 * The pages that `"1-3,7"` names: ascending, each once. `text` is digits, hyphens and commas, as the parameters' rule has
 * it; more than `maxPages` of them are an error, whatever the ranges claim.
 */
export function parsePageRanges(text: string, maxPages: number): Result<number[], Error> {
  const pages = new Set<number>()
  for (const range of text.split(",")) {
    const [first = Number.NaN, last = first] = range.split("-").map(Number)
    if (!(Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 1 && last >= first)) {
      return err(new Error(`"pages" must be page numbers and ranges from 1 on, such as "1-3,7"`))
    }
    for (let page = first; page <= last; page++) {
      pages.add(page)
      if (pages.size > maxPages) return err(new Error(`"pages" may name at most ${maxPages} pages in one call`))
    }
  }
  return ok([...pages].sort((a, b) => a - b))
}

/**
 * The first `most` of the pages that `text` names, past page `after` and up to `upTo`: ascending, each once. Costs
 * the same whatever the ranges claim. `text` is as the parameters' rule has it.
 */
export function selectPages(
  text: string,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, most }: PageSelection,
): number[] {
  const ranges = text.split(",").map((range) => range.split("-").map(Number))
  const selected: number[] = []
  let taken = after
  for (const [first = 0, last = first] of ranges.toSorted(([a = 0], [b = 0]) => a - b)) {
    for (let page = Math.max(first, taken + 1); page <= Math.min(last, upTo); page++) {
      if (selected.length === most) return selected
      selected.push(page)
      taken = page
    }
  }
  return selected
}

export interface PageSelection {
  /** 0 for all. */
  after?: number
  upTo?: number
  most: number
}

/** `"1-3,7"` for ascending pages. */
export function formatPageRanges(pages: readonly number[]): string {
  const ranges: string[] = []
  for (let at = 0; at < pages.length; ) {
    const first = pages[at] ?? 0
    let last = first
    while (pages[++at] === last + 1) last += 1
    ranges.push(first === last ? String(first) : `${first}-${last}`)
  }
  return ranges.join(",")
}
