import { constants, deflateRawSync, deflateSync } from "node:zlib"

const BLOCK_BYTES = 16 * 1024 * 1024
/** Adler-32 counts in this modulus; a run of zero bytes leaves its first half at 1 and counts itself in the second. */
const ADLER_MODULUS = 65_521

/**
 * A zlib stream of `bytes` zeros, a thousandth of that in size. One block is deflated and repeated, so that a gigabyte
 * is made in milliseconds; `bytes` is rounded up to whole blocks.
 */
export function deflatedZeros(bytes: number): Buffer {
  const blocks = Math.ceil(bytes / BLOCK_BYTES)
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((((blocks * BLOCK_BYTES) % ADLER_MODULUS) * 0x1_0000 + 1) >>> 0)
  const header = Buffer.from([0x78, 0xda])
  const end = Buffer.from([0x03, 0x00])
  return Buffer.concat([header, ...Array.from({ length: blocks }, () => block), end, checksum])
}

/** The same, deflated once more: some kilobytes for a gigabyte. For a stream with two filters. */
export function twiceDeflatedZeros(bytes: number): Buffer {
  return deflateSync(deflatedZeros(bytes), { level: 9 })
}
