import { err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type { DocumentWindow, DocumentWindowRequest } from "./document-window.ts"
import {
  beyondEnd,
  beyondLine,
  longLine,
  moreLines,
  shownByBytes,
  shownByLines,
  shownPart,
  type Wording,
} from "./notices.ts"
import type { ReadReceipt } from "./read-result.ts"

/** A window as the model reads it, and where it says to go on. */
export interface WindowText {
  content: string
  notice?: string
  next?: Pick<ReadReceipt, "nextOffset" | "nextColumn">
  lines: Pick<ReadReceipt, "lines" | "totalLines">
  truncation?: Extract<DocumentWindow, { kind: "window" }>["truncation"]
}

/** The words of a window. An error where the document has no such line or byte. */
export function wordWindow(
  window: DocumentWindow,
  { offset, limit, column }: Pick<DocumentWindowRequest, "offset" | "limit" | "column">,
  wording: Wording,
): Result<WindowText, Error> {
  switch (window.kind) {
    case "beyond-end":
      return err(new Error(beyondEnd(offset, window.totalLines)))
    case "beyond-line":
      return err(new Error(beyondLine(column ?? 1, window.line, window.lineBytes, true)))
    case "long-line": {
      const { line, lineBytes, totalLines, truncation } = window
      const notice = longLine(line, lineBytes, true, wording)
      return ok({ content: "", notice, next: { nextOffset: line, nextColumn: 1 }, lines: { totalLines }, truncation })
    }
    case "part": {
      const { content, line, column, nextColumn, totalLines } = window
      const more = line < totalLines ? { nextOffset: line + 1 } : undefined
      const next = nextColumn === undefined ? more : { nextOffset: line, nextColumn }
      const to = next && { offset: next.nextOffset, ...(nextColumn === undefined ? {} : { column: nextColumn }) }
      const notice = shownPart({ line, column, ...(to === undefined ? {} : { next: to }) }, wording)
      return ok({ content, notice, ...(next ? { next } : {}), lines: { lines: `${line}-${line}`, totalLines } })
    }
    case "window": {
      const { content, firstLine, lastLine, totalLines, truncation } = window
      const lines = { ...(lastLine < firstLine ? {} : { lines: `${firstLine}-${lastLine}` }), totalLines }
      if (lastLine >= totalLines) return ok({ content, lines, truncation })
      const shown = { first: firstLine, last: lastLine, total: { lines: totalLines, exact: true } }
      const cut = truncation.truncatedBy === "bytes" ? shownByBytes(shown, wording) : shownByLines(shown)
      const notice = truncation.truncated ? cut : limit !== undefined ? moreLines(shown) : cut
      return ok({ content, notice, next: { nextOffset: lastLine + 1 }, lines, truncation })
    }
  }
}
