import { isUtf8 } from "./utf-8.ts"

/** So many of the code units of a text in a Western language have a zero byte, spaces and line ends included. */
const MIN_WESTERN_SHARE = 0.7
/** In other scripts only spaces, digits and line ends do. */
const MIN_OTHER_SHARE = 0.02
/** Fewer code units than this prove nothing without {@link MIN_WESTERN_SHARE}. */
const MIN_OTHER_UNITS = 16

/**
 * The byte order of UTF-16 text without a BOM, told by where its NULs fall, or `undefined` where `head` is no such text.
 * Lists of names with a NUL after each have NULs on one side too: they are UTF-8 without them, and UTF-16 is not.
 */
export function sniffUtf16(head: Uint8Array): "le" | "be" | undefined {
  const units = head.length >> 1
  if (units < 2) return undefined
  let [even, odd] = [0, 0]
  for (let i = 0; i < units * 2; i += 2) {
    if (head[i] === 0) even++
    if (head[i + 1] === 0) odd++
  }
  const order = odd > even ? "le" : "be"
  const share = Math.max(even, odd) / units
  if (even === odd) return undefined
  if (share < MIN_WESTERN_SHARE && (share < MIN_OTHER_SHARE || units < MIN_OTHER_UNITS || isPlainUtf8(head))) {
    return undefined
  }
  return isUtf16Text(head.subarray(0, units * 2), order) ? order : undefined
}

/** Unassigned, private, surrogate and control characters, other than those that texts have. */
const NOT_TEXT = /[\p{Cn}\p{Co}\p{Cs}\0-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/u

function isUtf16Text(bytes: Uint8Array, order: "le" | "be"): boolean {
  try {
    const text = new TextDecoder(`utf-16${order}`, { fatal: true }).decode(bytes, { stream: true })
    return !NOT_TEXT.test(text)
  } catch {
    return false
  }
}

function isPlainUtf8(head: Uint8Array): boolean {
  return (
    isUtf8(head) && !head.some((byte) => byte !== 0 && (byte < 0x08 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)))
  )
}
