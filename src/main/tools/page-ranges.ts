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
