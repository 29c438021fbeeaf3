import { createInflateRaw } from "node:zlib"
import { MAX_ARCHIVE_ENTRIES } from "../../limits.ts"

/** Why an archive, or an entry of it, is not read. */
export class ArchiveError extends Error {
  readonly notRead: "too-large" | "encrypted" | "unsupported"

  constructor(notRead: ArchiveError["notRead"], message: string) {
    super(message)
    this.name = "ArchiveError"
    this.notRead = notRead
  }
}

/** An entry as the central directory has it: claims, each checked when it is used. */
interface ArchiveEntry {
  method: number
  encrypted: boolean
  compressedBytes: number
  /** Of the local header, within the archive. */
  start: number
}

export interface InflatedEntry {
  bytes: Uint8Array
  /** False: the entry goes on behind `bytes`. */
  whole: boolean
}

const END_RECORD = 0x06054b50
const END_RECORD_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_RECORD = 0x06064b50
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_ENTRY_BYTES = 46
const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const ZIP64_EXTRA = 1
const IN_ZIP64 = 0xffff_ffff
const STORED = 0
const DEFLATED = 8
const INFLATE_CHUNK_BYTES = 65_536

/**
 * A ZIP archive in memory, of which single entries are read by name. Names are keys and nothing more: none is ever a path.
 * Sizes that the archive declares are believed nowhere; an entry is inflated up to the bytes that the caller allows.
 */
export class ZipArchive {
  readonly #bytes: Buffer
  readonly #entries = new Map<string, ArchiveEntry>()

  /** Throws an {@link ArchiveError} where there is no directory, or one of more than {@link MAX_ARCHIVE_ENTRIES}. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = this.#findEnd()
    const { start, prefix } = this.#findDirectory(end)
    let count = 0
    for (let at = start; this.#startsWith(at, DIRECTORY_ENTRY, DIRECTORY_ENTRY_BYTES); ) {
      count += 1
      if (count > MAX_ARCHIVE_ENTRIES) throw new ArchiveError("too-large", "too many entries")
      at = this.#readEntry(at, prefix)
    }
    if (count === 0) throw new ArchiveError("unsupported", "no entries")
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The first `maxBytes` of what the entry holds. Rejects with an {@link ArchiveError}. */
  async read(name: string, maxBytes: number): Promise<InflatedEntry> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new ArchiveError("unsupported", `no entry ${name}`)
    if (entry.encrypted) throw new ArchiveError("encrypted", `${name} is encrypted`)
    const { start } = entry
    if (!this.#startsWith(start, LOCAL_HEADER, LOCAL_HEADER_BYTES)) {
      throw new ArchiveError("unsupported", `no local header of ${name}`)
    }
    const data =
      start + LOCAL_HEADER_BYTES + this.#bytes.readUInt16LE(start + 26) + this.#bytes.readUInt16LE(start + 28)
    const stored = this.#bytes.subarray(data, data + entry.compressedBytes)
    if (entry.method === STORED) {
      return { bytes: stored.subarray(0, maxBytes), whole: stored.byteLength <= maxBytes }
    }
    if (entry.method !== DEFLATED) throw new ArchiveError("unsupported", `method ${entry.method}`)
    return inflateAtMost(stored, maxBytes)
  }

  #startsWith(at: number, signature: number, length: number): boolean {
    return at >= 0 && at + length <= this.#bytes.length && this.#bytes.readUInt32LE(at) === signature
  }

  /** The end record is the last thing in an archive, but for a comment. */
  #findEnd(): number {
    const last = this.#bytes.length - END_RECORD_BYTES
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
      if (this.#startsWith(at, END_RECORD, END_RECORD_BYTES)) return at
    }
    throw new ArchiveError("unsupported", "no end record")
  }

  /** Where the directory starts, and how many bytes stand before the archive: offsets in it do not count those. */
  #findDirectory(end: number): { start: number; prefix: number } {
    let size = this.#bytes.readUInt32LE(end + 12)
    let offset = this.#bytes.readUInt32LE(end + 16)
    let directoryEnd = end
    const locator = end - ZIP64_LOCATOR_BYTES
    if (this.#startsWith(locator, ZIP64_LOCATOR, ZIP64_LOCATOR_BYTES)) {
      const record = this.#readUInt64(locator + 8)
      if (this.#startsWith(record, ZIP64_END_RECORD, 56)) {
        size = this.#readUInt64(record + 40)
        offset = this.#readUInt64(record + 48)
        directoryEnd = record
      }
    }
    const start = directoryEnd - size
    return start < 0 ? { start: offset, prefix: 0 } : { start, prefix: Math.max(0, start - offset) }
  }

  /** Keeps the entry at `at` and answers where the next one starts. */
  #readEntry(at: number, prefix: number): number {
    const bytes = this.#bytes
    const nameEnd = at + DIRECTORY_ENTRY_BYTES + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const name = bytes.toString("utf8", at + DIRECTORY_ENTRY_BYTES, Math.min(nameEnd, bytes.length))
    const declared = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)]
    const [, compressedBytes = 0, offset = 0] = this.#withZip64(declared, nameEnd, extraEnd)
    this.#entries.set(name.replaceAll("\\", "/").replace(/^\//, ""), {
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressedBytes,
      start: offset + prefix,
    })
    return extraEnd + bytes.readUInt16LE(at + 32)
  }

  /** The sizes and the offset, those that 32 bits do not hold taken from the extra field. */
  #withZip64(declared: readonly number[], extraStart: number, extraEnd: number): number[] {
    if (!declared.includes(IN_ZIP64)) return [...declared]
    for (let at = extraStart; at + 4 <= Math.min(extraEnd, this.#bytes.length); ) {
      const length = this.#bytes.readUInt16LE(at + 2)
      if (this.#bytes.readUInt16LE(at) === ZIP64_EXTRA) {
        let next = at + 4
        return declared.map((value) => {
          if (value !== IN_ZIP64 || next + 8 > this.#bytes.length) return value
          next += 8
          return this.#readUInt64(next - 8)
        })
      }
      at += 4 + length
    }
    return [...declared]
  }

  #readUInt64(at: number): number {
    const value = this.#bytes.readBigUInt64LE(at)
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.MAX_SAFE_INTEGER
  }
}

/** Inflates until the end or `maxBytes`, whichever comes first; what comes after that is never made. */
function inflateAtMost(deflated: Uint8Array, maxBytes: number): Promise<InflatedEntry> {
  return new Promise((resolve, reject) => {
    const inflate = createInflateRaw({ chunkSize: INFLATE_CHUNK_BYTES })
    const chunks: Uint8Array[] = []
    let length = 0
    const settle = (whole: boolean): void => {
      resolve({ bytes: Buffer.concat(chunks, Math.min(length, maxBytes)), whole })
      inflate.destroy()
    }
    inflate.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length > maxBytes) settle(false)
    })
    inflate.on("end", () => settle(true))
    inflate.on("error", () => reject(new ArchiveError("unsupported", "damaged compressed data")))
    inflate.end(deflated)
  })
}
