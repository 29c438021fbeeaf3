const PAGE_BYTES = 65_536
const MEMORY_SECTION = 5
const HEADER_BYTES = 8

/**
 * The module with the maximum of its own memory lowered to `maxBytes`: growing past it fails, whatever the program asks
 * for. The encoded length stays as it is, so that nothing else of the module moves. Throws where the module has not
 * exactly one memory with a maximum, which none is that was pinned.
 */
export function withMemoryLimit(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const limited = new Uint8Array(module)
  let at = HEADER_BYTES
  while (at < limited.byteLength) {
    const section = limited[at]
    const size = readUnsigned(limited, at + 1)
    if (section !== MEMORY_SECTION) {
      at = size.end + size.value
      continue
    }
    const memories = readUnsigned(limited, size.end)
    const flags = readUnsigned(limited, memories.end)
    const initial = readUnsigned(limited, flags.end)
    if (memories.value !== 1 || flags.value !== 1) break
    const maximum = readUnsigned(limited, initial.end)
    const pages = Math.floor(maxBytes / PAGE_BYTES)
    if (pages < initial.value) break
    writeUnsigned(limited, initial.end, maximum.end - initial.end, Math.min(pages, maximum.value))
    return limited
  }
  throw new Error("No memory whose maximum could be lowered")
}

function readUnsigned(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, shift = 1; at < start + 5; at++, shift *= 128) {
    const byte = bytes[at]
    if (byte === undefined) break
    value += (byte & 127) * shift
    if (byte < 128) return { value, end: at + 1 }
  }
  throw new Error("A number of the module is cut")
}

/** In exactly `length` bytes, with the redundant zeros that the format allows. */
function writeUnsigned(bytes: Uint8Array, start: number, length: number, value: number): void {
  let rest = value
  for (let i = 0; i < length; i++) {
    bytes[start + i] = (rest % 128) | (i < length - 1 ? 128 : 0)
    rest = Math.floor(rest / 128)
  }
  if (rest > 0) throw new Error("The maximum does not fit its place")
}
