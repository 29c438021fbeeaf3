import { setImmediate } from "node:timers/promises"
import { type Context, err, type FileByteReader, FileError, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import { byte, u16be } from "../documents/image-bytes.ts"
import { isFrameHeader } from "../documents/image-signature.ts"
import type { ImageStructure, StructureWalk } from "../documents/image-structure.ts"
import { isSameState } from "../fs/file-state.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"

/** First allocation for a file that says of itself that it is empty. */
const MIN_BUFFER_BYTES = 4_096

/**
 * The whole file, or `undefined` where it holds more than `maxBytes`: no more than one byte over that is asked for,
 * whatever the file claims or grows to. The bytes are the caller's own.
 */
export async function readBounded(
  reader: FileByteReader,
  maxBytes: number,
  context: Context,
): Promise<Result<Buffer | undefined, FileError>> {
  let buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(claimedSize(reader), MIN_BUFFER_BYTES), maxBytes) + 1)
  let filled = 0
  for (;;) {
    if (filled > maxBytes) return ok(undefined)
    if (filled === buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(filled * 2, maxBytes + 1))
      buffer.copy(grown)
      buffer = grown
    }
    const into = buffer.subarray(filled, Math.min(filled + READ_CHUNK_BYTES, buffer.length))
    const read = await reader.read(filled, into.length, context, into)
    if (!read.ok) return read
    if (read.value.length > into.length) return err(new FileError("invalid", "A read answered more than was asked for"))
    if (read.value.length === 0) return ok(buffer.subarray(0, filled))
    if (read.value.buffer !== into.buffer || read.value.byteOffset !== into.byteOffset) into.set(read.value)
    filled += read.value.length
  }
}

function claimedSize(reader: FileByteReader): number {
  return Number.isSafeInteger(reader.info.size) && reader.info.size > 0 ? reader.info.size : 0
}

/** Segments looked at before the size of a JPEG counts as unknown: cameras write fewer than ten. */
const MAX_JPEG_SEGMENTS = 64

/**
 * Pixels of a JPEG whose frame header stands behind the sniffed head, as with every camera's preview picture. Reads a few
 * bytes of each segment. `undefined` where there is none.
 */
export async function readJpegSize(
  reader: FileByteReader,
  context: Context,
): Promise<Result<{ width: number; height: number } | undefined, FileError>> {
  for (let at = 2, segments = 0; segments < MAX_JPEG_SEGMENTS; segments += 1) {
    const read = await reader.read(at, 9, context)
    if (!read.ok) return read
    const header = read.value
    if (header.length < 9 || byte(header, 0) !== 0xff) return ok(undefined)
    const marker = byte(header, 1)
    if (isFrameHeader(marker)) {
      const size = { width: u16be(header, 7), height: u16be(header, 5) }
      return ok(size.width > 0 && size.height > 0 ? size : undefined)
    }
    const length = u16be(header, 2)
    if (marker < 0xc0 || marker === 0xda || (marker !== 0xff && length < 2)) return ok(undefined)
    at += marker === 0xff ? 1 : 2 + length
  }
  return ok(undefined)
}

/** Ends a walk without holding the event loop: other work runs after each step. Settles soon after an abort. */
export async function finishWalk(
  walk: StructureWalk,
  context: Context,
): Promise<Result<ImageStructure | undefined, FileError>> {
  for (;;) {
    const step = walk.next()
    if (step.done === true) return ok(step.value)
    await setImmediate()
    if (context.abortSignal?.aborted === true) return err(new FileError("aborted", "Aborted"))
  }
}

/** Whether the file is no longer what it was when it was opened. Where nothing can be told, it counts as the same. */
export async function wasChanged(reader: FileByteReader, context: Context): Promise<boolean> {
  const now = await reader.refresh?.(context)
  return now?.ok === true && !isSameState(now.value, reader.info)
}
