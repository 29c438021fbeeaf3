/**
 * A header as PEM, OpenSSH, PGP and SSH2 write it, and behind it a first line of the key: in the lines of a file, or
 * in a string of JSON or source with its line ends escaped. A text that only mentions the header has no such line.
 */
const HEADER = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g
const BETWEEN =
  /^(?:\\[rn]|[\s"'`+,;#*>|\\])*(?:[A-Za-z][A-Za-z-]{0,30}: [^\n\\]{0,200}(?:\\[rn]|[\s"'`+,;#*>|\\])+){0,6}/
const KEY_LINE = /^[A-Za-z0-9+/=]{32}/

const OTHER_KEYS: readonly RegExp[] = [
  /^PuTTY-User-Key-File-\d: /m,
  /\bAGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40}/i,
  /^[ \t]*PrivateKey[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=/m,
]

/** Characters behind a header that are looked at. */
const MAX_KEY_START = 1_500

/** Whether the first bytes of a file are, or hold, a private key. NULs are left out, so UTF-16 is seen through. */
export function holdsPrivateKey(head: Uint8Array): boolean {
  const latin1 = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1")
  const text = latin1.includes("\0") ? latin1.replaceAll("\0", "") : latin1
  // Nearly every file ends here.
  if (!/PRIVATE KEY|PuTTY-User|AGE-SECRET-KEY-|PrivateKey/i.test(text)) return false
  for (const { 0: header, index } of text.matchAll(HEADER)) {
    const rest = text.slice(index + header.length, index + header.length + MAX_KEY_START)
    const between = BETWEEN.exec(rest)?.[0] ?? ""
    if (KEY_LINE.test(rest.slice(between.length))) return true
  }
  return OTHER_KEYS.some((key) => key.test(text))
}
