// Fields of image headers. Bytes past the end read as zero: a length made of them fails its own check.

/** Whether the bytes at `at` are those of `text`, Latin-1. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Bytes `from` to `to` as text, one character a byte. Short pieces only. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

export const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0
export const u16 = (bytes: Uint8Array, at: number): number => byte(bytes, at) | (byte(bytes, at + 1) << 8)
export const u24 = (bytes: Uint8Array, at: number): number => u16(bytes, at) | (byte(bytes, at + 2) << 16)
export const u32 = (bytes: Uint8Array, at: number): number => (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0
export const u16be = (bytes: Uint8Array, at: number): number => (byte(bytes, at) << 8) | byte(bytes, at + 1)
export const u32be = (bytes: Uint8Array, at: number): number => ((u16be(bytes, at) << 16) | u16be(bytes, at + 2)) >>> 0
