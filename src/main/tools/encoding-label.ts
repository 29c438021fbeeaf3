/**
 * The canonical lower-case name of a WHATWG encoding label (`"latin1"` is `"windows-1252"`), or `undefined` where
 * this runtime knows none of that name.
 */
export function canonicalEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
