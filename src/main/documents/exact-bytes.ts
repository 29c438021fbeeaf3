/**
 * The bytes of `view` in a buffer of their own: a view is cloned with all of its backing buffer, which is 64 KiB for a
 * pooled Buffer and the whole memory for a view of WebAssembly.
 */
export function exactBytes(view: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(view)
}
