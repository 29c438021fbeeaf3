import type { Context, FileByteReader, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok, toError } from "../../../vendor/pi-harness/index.ts"
import { MAX_WHOLE_FILE_BYTES, MAX_WHOLE_TEXT_BYTES, READ_CHUNK_BYTES } from "../limits.ts"
import { ChunkSource } from "./chunk-source.ts"

/** The whole file as UTF-8, a BOM included. Over {@link MAX_WHOLE_TEXT_BYTES} it is `invalid`, and nothing is read. */
export async function readWholeText(reader: FileByteReader, context: Context): Promise<Result<string, FileError>> {
  const { path, size } = reader.info
  if (size > MAX_WHOLE_TEXT_BYTES) return err(tooLargeError(path, MAX_WHOLE_TEXT_BYTES))
  const source = new ChunkSource(reader, { toSizeAtOpen: true })
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let text = ""
  for (;;) {
    const chunk = await source.next(context)
    if (!chunk.ok) return chunk
    if (source.bytesRead > MAX_WHOLE_TEXT_BYTES) return err(tooLargeError(path, MAX_WHOLE_TEXT_BYTES))
    const atEnd = chunk.value.byteLength === 0
    text += decoder.decode(chunk.value, { stream: !atEnd })
    if (atEnd) return ok(text)
  }
}

/** The whole file. Over {@link MAX_WHOLE_FILE_BYTES} it is `invalid`, and nothing is read. */
export async function readWholeBytes(reader: FileByteReader, context: Context): Promise<Result<Uint8Array, FileError>> {
  const { path, size } = reader.info
  if (size > MAX_WHOLE_FILE_BYTES) return err(tooLargeError(path, MAX_WHOLE_FILE_BYTES))
  if (size === 0) return readBytesToEnd(reader, context)
  const allocated = allocate(size, path)
  if (!allocated.ok) return allocated
  const bytes = allocated.value
  let position = 0
  while (position < size) {
    const length = Math.min(READ_CHUNK_BYTES, size - position)
    const chunk = await reader.read(position, length, context, bytes.subarray(position, position + length))
    if (!chunk.ok) return chunk
    if (chunk.value.byteLength === 0) return ok(bytes.slice(0, position))
    position += chunk.value.byteLength
  }
  return ok(bytes)
}

/** Where the size says nothing, as in procfs. */
async function readBytesToEnd(reader: FileByteReader, context: Context): Promise<Result<Uint8Array, FileError>> {
  const { path } = reader.info
  const source = new ChunkSource(reader, { toSizeAtOpen: true })
  const pieces: Uint8Array[] = []
  for (;;) {
    const chunk = await source.next(context)
    if (!chunk.ok) return chunk
    if (source.bytesRead > MAX_WHOLE_FILE_BYTES) return err(tooLargeError(path, MAX_WHOLE_FILE_BYTES))
    if (chunk.value.byteLength === 0) break
    pieces.push(chunk.value.slice())
  }
  const allocated = allocate(source.bytesRead, path)
  if (!allocated.ok) return allocated
  let position = 0
  for (const piece of pieces) {
    allocated.value.set(piece, position)
    position += piece.byteLength
  }
  return allocated
}

/** The memory may not be there: that is a failure of this read, not of the process. */
function allocate(bytes: number, path: string): Result<Uint8Array, FileError> {
  try {
    return ok(new Uint8Array(bytes))
  } catch (thrown) {
    return err(new FileError("unknown", `No memory for ${bytes} bytes: ${path}`, path, toError(thrown)))
  }
}

export function tooLargeError(path: string, limit: number): FileError {
  return new FileError("invalid", `The file is larger than ${limit} bytes and cannot be read as a whole: ${path}`, path)
}
