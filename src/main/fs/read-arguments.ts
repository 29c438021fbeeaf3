/** What is wrong with the arguments of a `FileByteReader.read`, in words; `undefined` where nothing is. */
export function misuseOfRead(position: number, length: number, into: Uint8Array | undefined): string | undefined {
  if (!Number.isSafeInteger(position) || position < 0) return `A read at position ${position} is not possible`
  if (!Number.isSafeInteger(length) || length < 0) return `A read of ${length} bytes is not possible`
  if (into !== undefined && length > into.byteLength) return `${length} bytes do not fit into ${into.byteLength}`
  return undefined
}
