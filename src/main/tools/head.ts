import type { Context, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError as Failure, ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_SNIFF_BYTES } from "../limits.ts"

/**
 * The first bytes of a file, read into `into` from its start: at least {@link MAX_SNIFF_BYTES} where the file has as
 * many, and whatever came with them. One read for most files: the size seen at open is believed where it is not 0.
 */
export async function readHead(
  reader: FileByteReader,
  into: Uint8Array,
  context: Context,
): Promise<Result<Uint8Array, FileError>> {
  const { size, path } = reader.info
  const wanted = size > 0 ? into.subarray(0, Math.min(size, into.length)) : into
  const enough = Math.min(MAX_SNIFF_BYTES, wanted.length)
  let filled = 0
  while (filled < enough) {
    const rest = wanted.subarray(filled)
    const read = await reader.read(filled, rest.length, context, rest)
    if (!read.ok) return read
    const bytes = read.value
    if (bytes.length > rest.length) return err(new Failure("invalid", `A read answered too many bytes: ${path}`, path))
    if (bytes.length === 0) break
    if (bytes.buffer !== rest.buffer || bytes.byteOffset !== rest.byteOffset) rest.set(bytes)
    filled += bytes.length
  }
  return ok(wanted.subarray(0, filled))
}
