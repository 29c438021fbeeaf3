import { dirname } from "node:path"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"
import type { Descriptor } from "./descriptor.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { runToEnd } from "./environment-calls.ts"
import { openRegularFile } from "./open-regular-file.ts"

/** `new` fails where something stands already. */
export type WriteMode = "replace" | "append" | "new"

/**
 * Writes `content` to the regular file at the absolute `path`, which is made where it is missing, and so are the
 * folders above it. A string becomes UTF-8, a lone surrogate U+FFFD. A FIFO, device or socket is refused by type.
 * What is written goes out in chunks: after an abort or a failure a part of it may stand in the file.
 */
export async function writeRegularFile(
  path: string,
  content: string | Uint8Array,
  mode: WriteMode,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<void, FileError>> {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) {
    return err(new FileError("invalid", `Neither a string nor bytes, so not written: ${path}`, path))
  }
  const opened = await openToWrite(path, mode, context, calls)
  if (!opened.ok) return opened
  const descriptor = opened.value
  const written = await writeAll(descriptor, chunksOf(content), context, calls)
  const closed = await descriptor.close(context)
  return written.ok ? closed : written
}

async function openToWrite(
  path: string,
  mode: WriteMode,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<Descriptor, FileError>> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_EXCL } = calls.fs.constants
  const flags = O_WRONLY | O_CREAT | { replace: O_TRUNC, append: O_APPEND, new: O_EXCL }[mode]
  let opened = await openRegularFile(path, context, calls, flags)
  if (!opened.ok && opened.error.code === "not_found") {
    const folder = dirname(path)
    const made = await runToEnd(calls, folder, context, (done) => calls.fs.mkdir(folder, { recursive: true }, done))
    if (!made.ok) return made
    opened = await openRegularFile(path, context, calls, flags)
  }
  return opened.ok ? ok(opened.value.descriptor) : opened
}

async function writeAll(
  descriptor: Descriptor,
  chunks: Iterable<Uint8Array>,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<void, FileError>> {
  for (const chunk of chunks) {
    let rest = chunk
    while (rest.byteLength > 0) {
      const { byteLength } = rest
      const view = rest
      const count = await descriptor.call<number>(context, (fd, done) =>
        calls.fs.write(fd, view, 0, byteLength, null, done),
      )
      if (!count.ok) return count
      if (!Number.isInteger(count.value) || count.value <= 0 || count.value > byteLength) {
        const { path } = descriptor
        return err(new FileError("unknown", `A write of ${byteLength} bytes answered ${count.value}: ${path}`, path))
      }
      rest = rest.subarray(count.value)
    }
  }
  return ok(undefined)
}

/** Each chunk is gone when the next is taken: a long string is never held twice. */
function* chunksOf(content: string | Uint8Array): Generator<Uint8Array> {
  if (typeof content !== "string") {
    for (let start = 0; start < content.byteLength; start += READ_CHUNK_BYTES) {
      yield content.subarray(start, start + READ_CHUNK_BYTES)
    }
    return
  }
  const encoder = new TextEncoder()
  // A code unit takes three bytes at most.
  const units = Math.floor(READ_CHUNK_BYTES / 3)
  let start = 0
  while (start < content.length) {
    let end = Math.min(content.length, start + units)
    if (end < content.length && isHighSurrogate(content.charCodeAt(end - 1))) end--
    yield encoder.encode(content.slice(start, end))
    start = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
