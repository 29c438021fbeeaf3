import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { DocumentResult, NotReadReason } from "../documents/document-extractor.ts"
import type { Limits } from "../limits.ts"
import type { Wording } from "./notices.ts"
import { archiveForUnzip } from "./office-archives.ts"

/** Why a Word document was not read and what to do next, where it is not what holds for every document. */
export function wordDocumentNotRead(
  { bytes, notes = [] }: Pick<DocumentResult, "bytes" | "notes">,
  reason: NotReadReason,
  { maxDocumentBytes, documentDeadlineMs }: Pick<Limits, "maxDocumentBytes" | "documentDeadlineMs">,
): [string, string] | undefined {
  const smaller = "Ask the user for a smaller file, or for the part in question."
  switch (reason) {
    case "too-large":
      return bytes > maxDocumentBytes
        ? [`files over ${formatSize(maxDocumentBytes)} are not read`, smaller]
        : ["it unpacks to more than a document may have", smaller]
    case "timeout":
      return [`reading it took longer than ${documentDeadlineMs / 1000} s`, smaller]
    case "encrypted":
      return [
        "it is encrypted, and Word documents with passwords cannot be opened here",
        "Ask the user for a copy without a password.",
      ]
    case "no-text":
      return [
        ["it holds no text", ...notes.map(lowered)].join("; "),
        "Ask the user for a copy with text, or for a PDF of it.",
      ]
    default:
      return undefined
  }
}

/** "2 images left out." within a sentence. */
function lowered(note: string): string {
  return note.charAt(0).toLowerCase() + note.slice(1).replace(/\.$/, "")
}

/** Main part, paragraphs parted by a blank, without its tags. */
const WORDS = "unzip -p ARCHIVE word/document.xml | sed 's#</w:p># &#g; s/<[^>]*>//g'"

/** What is not in the text that was extracted, and how to get at it. Nothing where all of it was. */
export function wordTextLeft(
  { pages, textTruncated, notRead }: Pick<DocumentResult, "pages" | "textTruncated" | "notRead">,
  { path, shell, maxBytes }: Wording,
): string[] {
  const text = pages.map((page) => page.text).join("")
  const stopped = notRead === undefined ? [] : ["[Reading stopped here: the document reader ended.]"]
  if (!textTruncated) return stopped
  const from = `tail -c +${Buffer.byteLength(text) + 1} | head -c ${maxBytes}`
  const next = shell
    ? `For what follows, use bash: ${WORDS.replace("ARCHIVE", () => archiveForUnzip(path))} | ${from}`
    : "Ask the user for what follows, or for a part of the document."
  return [...stopped, `[The text of the document was cut after ${text.length} characters. ${next}]`]
}
