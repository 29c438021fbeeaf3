/** What is typed: every line end is LF, none at the end. */
export function cleanSource(text: string): string {
  return printable(text.replace(/\r\n?/g, "\n")).replace(/\n+$/, "")
}

/**
 * What a program wrote to a terminal, as it is seen there: no escape sequences, and of a line that was written over
 * and over (a progress bar) the last state.
 */
export function cleanOutput(text: string): string {
  const lines = text.replace(ESCAPES, "").replaceAll("\r\n", "\n").split("\n").map(lastState)
  return printable(lines.join("\n")).replace(/\n+$/, "")
}

/** Colours and cursor moves, titles and links, and the rest of two characters. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-Z\\^-~])?/g

function lastState(line: string): string {
  if (!line.includes("\r")) return line
  const written = line.replace(/\r+$/, "")
  return written.slice(written.lastIndexOf("\r") + 1)
}

/** No control characters but TAB and LF, no lone surrogates; NUL is shown. */
function printable(text: string): string {
  return text
    .replaceAll("\0", "\u2400")
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f]/g, "")
    .replace(/\p{Cs}/gu, "\ufffd")
}

/** The start of `text`, at most so many UTF-16 units, not ended within a surrogate pair. */
export function startOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const last = text.charCodeAt(maxCharacters - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxCharacters - 1 : maxCharacters)
}
