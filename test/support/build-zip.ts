import { crc32, deflateRawSync } from "node:zlib"

export interface ZipEntry {
  name: string
  content?: string | Uint8Array
  /** Default true. */
  deflated?: boolean
  /** As a writer does that cannot go back: sizes and checksum stand behind the content, and are zero before it. */
  streamed?: boolean
  /** What the local header says of the compressed size, in place of the truth. */
  claimedSize?: number
  extra?: Uint8Array
  /** The compressed bytes, in place of what `content` becomes. */
  packed?: Uint8Array
  /** What both headers say that it unpacks to, in place of the truth. */
  claimedContentSize?: number
  /** Bit 0: encrypted. */
  flags?: number
  method?: number
}

/** A ZIP archive of these entries, with its directory. */
export function buildZip(...entries: readonly ZipEntry[]): Buffer {
  return zipOf(entries)
}

/** The same for more entries than a call takes arguments. No ZIP64: past 65,535 their number is a lie. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { name, content = "x", deflated = true, streamed = false, claimedSize, extra } = entry
    const plain = Buffer.from(content as string)
    const packed = entry.packed ?? (deflated ? deflateRawSync(plain) : plain)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(entry.flags ?? (streamed ? 8 : 0), 2)
    facts.writeUInt16LE(entry.method ?? (deflated ? 8 : 0), 4)
    facts.writeUInt32LE(crc32(plain), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(entry.claimedContentSize ?? plain.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.from(facts)
    if (streamed) local.fill(0, 10, 22)
    if (claimedSize !== undefined) local.writeUInt32LE(claimedSize, 14)
    local.writeUInt16LE(extra?.length ?? 0, 24)
    const behind = streamed
      ? Buffer.concat([Buffer.from("PK\x07\x08", "latin1"), facts.subarray(10, 22)])
      : Buffer.alloc(0)
    const whole = Buffer.concat([signature(3, 4), local, Buffer.from(name), extra ?? Buffer.alloc(0), packed, behind])
    const end = Buffer.alloc(14)
    end.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([signature(1, 2), Buffer.from([20, 0]), facts, end, Buffer.from(name)]))
    parts.push(whole)
    at += whole.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 4)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, listed, signature(5, 6), end])
}

function signature(...kind: [number, number]): Buffer {
  return Buffer.from([0x50, 0x4b, ...kind])
}
