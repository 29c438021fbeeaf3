import { MAX_GUESS_BYTES, MAX_SNIFF_BYTES } from "../limits.ts"
import { canonicalEncoding } from "./encoding-label.ts"
import { isUtf8 } from "./utf-8.ts"

/** A guess below this is not worth a word, of 100. */
const MIN_CONFIDENCE = 10

/**
 * The likely encoding of a text that begins with `head` and is not UTF-8: a name that `encoding` takes, or `undefined`
 * where `head` suggests none. Looks at {@link MAX_GUESS_BYTES} of the first {@link MAX_SNIFF_BYTES}.
 */
export async function guessEncoding(head: Uint8Array): Promise<string | undefined> {
  const first = head.subarray(0, MAX_SNIFF_BYTES)
  if (isUtf8(first)) return undefined
  // Loaded only now: most texts are UTF-8.
  const { analyse } = await import("chardet")
  const [best] = analyse(tellingPart(first))
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return undefined
  const name = canonicalEncoding(best.name)
  return name === "utf-8" ? undefined : name
}

/** From the first line that is not ASCII on: what stands before tells nothing. */
function tellingPart(head: Uint8Array): Uint8Array {
  const odd = head.findIndex((byte) => byte >= 0x80)
  const start = head.lastIndexOf(0x0a, odd) + 1
  // Of a very long line the part with the odd byte, whatever is cut before it.
  const from = odd - start < MAX_GUESS_BYTES ? start : odd
  return head.subarray(from, from + MAX_GUESS_BYTES)
}
