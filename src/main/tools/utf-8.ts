import { isUtf8 as isWholeUtf8 } from "node:buffer"

/**
 * Whether a file that begins with `head` may be UTF-8 text so far: valid, and without a NUL. A character that the end of
 * `head` cuts counts as valid.
 */
export function isUtf8Text(head: Uint8Array): boolean {
  return !head.includes(0) && isUtf8(head)
}

/** Like {@link isUtf8Text}, NULs allowed. */
export function isUtf8(head: Uint8Array): boolean {
  if (isWholeUtf8(head)) return true
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
