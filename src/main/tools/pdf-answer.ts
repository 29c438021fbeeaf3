import { answerCut } from "./pdf-notices.ts"

/** A model's answer as a result may hold it: at most `maxBytes` of UTF-8, no U+0000, no lone surrogate. */
export function boundedAnswer(answer: string, maxBytes: number): { text: string; notices: string[] } {
  // No character takes less than a byte: past that many units nothing can be shown, and nothing is looked at.
  const start = answer
    .slice(0, maxBytes + 1)
    .replaceAll("\0", "\u2400")
    .replaceAll(/\p{Cs}/gu, "\ufffd")
  const bytes = Buffer.from(start)
  if (bytes.length <= maxBytes) return { text: start, notices: [] }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true })
  return { text, notices: [answerCut(maxBytes)] }
}
