/**
 * Text as every message of the process must have it: lines end at LF; no control characters but TAB; no lone surrogates; no
 * noncharacters, one of which (U+FFFE) PDFium puts for a hyphen at the end of a line: without it the word is whole again.
 */
export function cleanText(raw: string): string {
  return raw
    .replace(/[\uFFFE\uFFFF]/g, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .trimEnd()
}

/** The start of `text`, not ended within a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const last = text.charCodeAt(maxCharacters - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxCharacters - 1 : maxCharacters)
}
