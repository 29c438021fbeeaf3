import { err, type FileByteReader, FileError, ok } from "../../vendor/pi-harness/index.ts"

export interface ByteReaderOptions {
  /** What the file claims to hold; the truth where absent. */
  claimedSize?: number
  /** Bytes that one read answers at most. */
  readBytes?: number
  /** What `refresh` says of the size. */
  laterSize?: number
}

/** A reader over bytes, or over a file without end where `bytes` makes them. Counts what was asked of it. */
export function byteReader(
  bytes: Uint8Array | ((position: number, length: number) => Uint8Array),
  { claimedSize, readBytes = Number.POSITIVE_INFINITY, laterSize }: ByteReaderOptions = {},
): FileByteReader & { readonly served: { bytes: number; last: number; longest: number } } {
  const served = { bytes: 0, last: 0, longest: 0 }
  const size = claimedSize ?? (typeof bytes === "function" ? 0 : bytes.length)
  const info = { path: "/pictures/a picture.png", size, mtimeMs: 1, identity: "1:2" }
  return {
    info,
    served,
    async read(position, length, context, into) {
      if (context.abortSignal?.aborted === true) return err(new FileError("aborted", "Aborted"))
      const asked = Math.min(length, readBytes)
      const answer = typeof bytes === "function" ? bytes(position, asked) : bytes.subarray(position, position + asked)
      served.bytes += answer.length
      served.longest = Math.max(served.longest, length)
      served.last = Math.max(served.last, position + answer.length)
      if (into === undefined) return ok(answer)
      into.set(answer)
      return ok(into.subarray(0, answer.length))
    },
    refresh: async () => ok({ ...info, size: laterSize ?? size }),
    close: async () => {},
  }
}
