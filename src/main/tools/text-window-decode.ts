/** `TextDecoder` of Node before 24 reads windows-1252 as ISO 8859-1; these are the characters of its bytes 80 to 9F. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"

/** U+FFFD itself, in the encodings that have it. */
const REPLACEMENT_CHARACTER: Readonly<Record<string, readonly number[]>> = {
  "utf-8": [0xef, 0xbf, 0xbd],
  "utf-16le": [0xfd, 0xff],
  "utf-16be": [0xff, 0xfd],
  gb18030: [0x84, 0x31, 0xa4, 0x37],
  gbk: [0x84, 0x31, 0xa4, 0x37],
}

const BYTE_ORDER_MARKS: Readonly<Record<string, readonly number[]>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
}

/** Bytes of the longest character of any encoding. */
export const MAX_CHARACTER_BYTES = 4

/** Decodes pieces of a file that each begin and end between characters. `encoding` is a name that `TextDecoder` knows. */
export class TextDecoding {
  private readonly decoder: InstanceType<typeof TextDecoder>

  constructor(readonly encoding: string) {
    this.decoder = new TextDecoder(encoding, { ignoreBOM: true })
  }

  /**
   * Bytes that may be needed to get one byte of UTF-8: UTF-16 has two for an ASCII letter, and ISO-2022-JP shifts
   * between character sets at a cost. UTF-8 never shrinks: damage becomes three bytes, which stand for no more.
   */
  get bytesPerShownByte(): number {
    return this.encoding === "utf-8" ? 1 : 4
  }

  /** Length of the BOM that `bytes` begin with. */
  byteOrderMark(bytes: Uint8Array): number {
    const mark = BYTE_ORDER_MARKS[this.encoding]
    return mark?.every((byte, index) => bytes[index] === byte) ? mark.length : 0
  }

  /** Damage as U+FFFD, NUL as U+2400, no lone surrogate. */
  decode(bytes: Uint8Array): string {
    const text = this.decoder.decode(bytes)
    const shown = text.includes("\0") ? text.replaceAll("\0", "\u2400") : text
    if (this.encoding !== "windows-1252") return shown
    return shown.replace(/[\x80-\x9f]/g, (byte: string) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte)
  }

  /** U+FFFD in `text` that do not stand in `bytes`, from which it was decoded. */
  countDamage(text: string, bytes: Uint8Array): number {
    let count = 0
    for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) count++
    const real = REPLACEMENT_CHARACTER[this.encoding]
    return count === 0 || real === undefined ? count : Math.max(0, count - occurrences(bytes, real))
  }

  /** Where the character begins that `bytes[index]` is in; in encodings that do not tell, `index`. */
  characterStart(bytes: Uint8Array, index: number): number {
    if (this.encoding === "utf-8") return utf8Start(bytes, index)
    if (this.encoding !== "utf-16le" && this.encoding !== "utf-16be") return index
    const high = this.encoding === "utf-16le" ? 1 : 0
    const even = index - (index % 2)
    const isTrail = ((bytes[even + high] ?? 0) & 0xfc) === 0xdc && ((bytes[even - 2 + high] ?? 0) & 0xfc) === 0xd8
    return even >= 2 && isTrail ? even - 2 : even
  }

  /**
   * How many of `bytes` to show in a part of at most `maxBytes` of UTF-8 that is cut between characters. As many as
   * `isWhole` says that there are where they fit; never 0, so that parts come to an end.
   */
  partLength(bytes: Uint8Array, maxBytes: number, isWhole: boolean): number {
    let length = Math.min(bytes.length, maxBytes)
    for (;;) {
      const shown = Buffer.byteLength(this.decode(bytes.subarray(0, length)))
      if (shown <= maxBytes) break
      length = Math.min(length - 1, Math.floor((length * maxBytes) / shown))
    }
    if (isWhole && length === bytes.length) return length
    for (const cut of this.cutsNear(bytes, length)) if (cut > 0 && this.isBetweenCharacters(bytes, cut)) return cut
    return Math.min(bytes.length, Math.max(1, length))
  }

  private *cutsNear(bytes: Uint8Array, length: number): Iterable<number> {
    for (let back = 0; back < MAX_CHARACTER_BYTES; back++) yield length - back
    // ISO-2022-JP: a letter means another where a character set was shifted to.
    const shift = bytes.lastIndexOf(0x1b, length - 1)
    yield shift
    if (shift + 3 <= length) yield shift + 3
    for (let cut = 1; cut <= MAX_CHARACTER_BYTES; cut++) yield Math.min(cut, bytes.length)
  }

  /** Whether a letter that followed there would be read as that letter. */
  private isBetweenCharacters(bytes: Uint8Array, cut: number): boolean {
    const letter = { "utf-16le": [0x41, 0], "utf-16be": [0, 0x41] }[this.encoding] ?? [0x41]
    const decoder = new TextDecoder(this.encoding)
    decoder.decode(bytes.subarray(0, cut), { stream: true })
    return decoder.decode(Uint8Array.from(letter)) === "A"
  }
}

function utf8Start(bytes: Uint8Array, index: number): number {
  for (let start = index; start >= 0 && start > index - MAX_CHARACTER_BYTES; start--) {
    const lead = bytes[start] ?? 0
    if ((lead & 0xc0) === 0x80) continue
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const isWhole = !new TextDecoder().decode(bytes.subarray(start, start + length)).includes("\ufffd")
    return start + length > index && isWhole ? start : index
  }
  return index
}

/** How often `pattern` stands in `bytes`, at multiples of 2 where it is a UTF-16 unit. */
function occurrences(bytes: Uint8Array, pattern: readonly number[]): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sought = Buffer.from(pattern)
  let count = 0
  for (let at = buffer.indexOf(sought); at >= 0; at = buffer.indexOf(sought, at + 1)) {
    if (pattern.length !== 2 || at % 2 === 0) count++
  }
  return count
}
