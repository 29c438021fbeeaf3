import { MAX_SNIFF_BYTES } from "../limits.ts"
import { canonicalEncoding } from "./encoding-label.ts"
import { isUtf8 } from "./utf-8.ts"

/** A guess below this is not worth a word, of 100. */
const MIN_CONFIDENCE = 10

/**
 * The likely encoding of a text that begins with `head` and is not UTF-8: a name that `encoding` takes, or `undefined`
 * where `head` suggests none. Looks at no more than {@link MAX_SNIFF_BYTES}.
 */
export async function guessEncoding(head: Uint8Array): Promise<string | undefined> {
  const first = head.subarray(0, MAX_SNIFF_BYTES)
  if (isUtf8(first)) return undefined
  // Loaded only now: most texts are UTF-8.
  const { analyse } = await import("chardet")
  const [best] = analyse(first)
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return undefined
  const name = canonicalEncoding(best.name)
  return name === "utf-8" ? undefined : name
}
