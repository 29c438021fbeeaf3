/**
 * The bytes of `view` in a buffer that holds nothing else, which is the view itself where it is alone in its buffer: a view
 * is cloned with all of its backing buffer, which is 64 KiB for a pooled Buffer and the whole memory for a view of
 * WebAssembly.
 */
export function exactBytes(view: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = view
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(view)
}
