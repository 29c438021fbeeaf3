import { tmpdir } from "node:os"
import type { Context, FileByteReader, FileSystem, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, ok, toError } from "../../vendor/pi-harness/index.ts"
import type { NotReadReason } from "../main/documents/document-extractor.ts"
import { abortedError } from "../main/fs/file-error.ts"
import { NodeExecutionEnv } from "../main/fs/node-execution-env.ts"
import { DEFAULT_BODY_DEADLINE_MS, DEFAULT_MAX_BODY_BYTES, MAX_SNIFF_BYTES } from "../main/limits.ts"
import { BodyChunks } from "./body-chunks.ts"
import { BodyFile } from "./body-file.ts"
import { type BodyKind, classifyBody } from "./classify-body.ts"

export interface BodyOptions {
  /** Bytes that are downloaded at most. 8 MiB by default. */
  maxBytes?: number
  /** Milliseconds for the whole body, from the call on. 30 s by default. */
  deadlineMs?: number
  /** Where the temporary file stands; the operating system's temporary folder by default. */
  fileSystem?: FileSystem
  /** Its abort stops the download. */
  context?: Context
  /** What is wanted; a body of another kind is `unsupported`, and not downloaded further. Default: what can be read. */
  kinds?: readonly BodyKind[]
}

/** Facts of a body, for hosts and for the model: JSON-safe, without content. */
export interface BodyReceipt {
  kind: BodyKind
  /** As the server labelled it, `""` where it did not. */
  contentType: string
  /** Bytes that arrived, decoded, as far as was downloaded. */
  bytes: number
  /** Whether the body can be read through `reader`. */
  read: boolean
  /** Why it cannot. */
  notRead?: NotReadReason
  /** The text goes on past `maxBytes` or past the deadline; the reader ends there. */
  truncated?: true
}

export interface OpenedBody {
  receipt: BodyReceipt
  /** Owned by the caller, who closes it. Absent where `receipt.read` is false. */
  reader?: FileByteReader
}

/**
 * Reads the body of a web `Response` into a temporary file, so that it goes the same way as a file. The first bytes
 * decide what it is; what nobody can read (`archive`, `binary`) is not downloaded further. Text over the bound is cut
 * there; a PDF or an image over it is `too-large`. A body that stalls past the deadline is `timeout`, one whose
 * connection breaks is `unavailable`.
 *
 * Fails only with `aborted`, with `invalid` (the body was read before, a wrong option) or where the temporary file cannot
 * be written. Never rejects. The response's body is used up in every case.
 */
export async function openBodyReader(
  response: Response,
  options: BodyOptions = {},
): Promise<Result<OpenedBody, FileError>> {
  const { maxBytes = DEFAULT_MAX_BODY_BYTES, deadlineMs = DEFAULT_BODY_DEADLINE_MS } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) return err(new FileError("invalid", `maxBytes is ${maxBytes}`))
  if (!Number.isFinite(deadlineMs) || deadlineMs < 1)
    return err(new FileError("invalid", `deadlineMs is ${deadlineMs}`))
  if (response.bodyUsed || response.body?.locked) return err(new FileError("invalid", "The body was read before"))
  const context = options.context ?? BACKGROUND_CONTEXT
  const stream = response.body ?? new Blob([]).stream()
  const chunks = new BodyChunks(stream, Math.min(deadlineMs, MAX_TIMER_MS), context)
  try {
    return await new Download(response, chunks, maxBytes, options.kinds ?? READABLE, context).run(options.fileSystem)
  } catch (thrown) {
    return err(new FileError("unknown", "The body could not be read", undefined, toError(thrown)))
  } finally {
    chunks.cancel()
  }
}

const READABLE: readonly BodyKind[] = ["text", "pdf", "image"]

/** A longer timer would go off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Why no further chunk is taken. */
type Stop = "end" | "aborted" | "timeout" | "broken" | "bound"

interface Taken {
  bytes: Uint8Array
  stop: Stop | undefined
}

const NO_BYTES = new Uint8Array(0)

class Download {
  private readonly contentType: string
  private readonly announcedBytes: number
  private bytes = 0

  constructor(
    response: Response,
    private readonly chunks: BodyChunks,
    private readonly maxBytes: number,
    private readonly kinds: readonly BodyKind[],
    private readonly context: Context,
  ) {
    this.contentType = response.headers.get("content-type") ?? ""
    // A hint alone: it counts bytes before decompression, and servers lie.
    this.announcedBytes = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length"))
  }

  async run(fileSystem: FileSystem | undefined): Promise<Result<OpenedBody, FileError>> {
    const head: Uint8Array[] = []
    let stop: Stop | undefined
    while (stop === undefined && this.bytes < MAX_SNIFF_BYTES) {
      const taken = await this.take()
      head.push(taken.bytes)
      stop = taken.stop
    }
    if (stop === "aborted") return err(abortedError())
    const first = Buffer.concat(head)
    const kind = classifyBody(this.contentType, first.subarray(0, MAX_SNIFF_BYTES))
    const notRead = this.reasonAgainst(kind, stop)
    if (notRead !== undefined) return ok(this.unread(kind, notRead))
    const created = await BodyFile.create(fileSystem ?? new NodeExecutionEnv({ cwd: tmpdir() }), this.context)
    if (!created.ok) return created
    const file = created.value
    const opened = await this.fill(file, kind, { bytes: first, stop })
    if (!opened.ok || opened.value.reader === undefined) await file.remove()
    return opened
  }

  private async fill(file: BodyFile, kind: BodyKind, first: Taken): Promise<Result<OpenedBody, FileError>> {
    let taken = first
    for (;;) {
      const written = await file.write(taken.bytes, this.context)
      if (!written.ok) return written
      if (taken.stop !== undefined) break
      taken = await this.take()
    }
    if (taken.stop === "aborted") return err(abortedError())
    const notRead = this.reasonAgainst(kind, taken.stop)
    if (notRead !== undefined) return ok(this.unread(kind, notRead))
    const reader = await file.open(this.context)
    if (!reader.ok) return reader
    const { contentType, bytes } = this
    const truncated = taken.stop === "end" ? {} : { truncated: true as const }
    return ok({ receipt: { kind, contentType, bytes, read: true, ...truncated }, reader: reader.value })
  }

  /** The next bytes, cut at the bound, and where no other will follow, why. */
  private async take(): Promise<Taken> {
    const chunk = await this.chunks.next()
    if (chunk.kind !== "bytes") return { bytes: NO_BYTES, stop: chunk.kind }
    const left = this.maxBytes - this.bytes
    const over = chunk.bytes.byteLength > left
    const bytes = over ? chunk.bytes.subarray(0, left) : chunk.bytes
    this.bytes += bytes.byteLength
    return { bytes, stop: over ? "bound" : undefined }
  }

  private reasonAgainst(kind: BodyKind, stop: Stop | undefined): NotReadReason | undefined {
    // Of what broke off so early, nobody can tell what it would have been.
    if (stop === "broken" && this.bytes < MAX_SNIFF_BYTES) return "unavailable"
    if (!READABLE.includes(kind) || !this.kinds.includes(kind)) return "unsupported"
    if (stop === "broken") return "unavailable"
    if (kind === "text") return stop === "timeout" && this.bytes === 0 ? "timeout" : undefined
    if (stop === "timeout") return "timeout"
    return stop === "bound" || this.announcedBytes > this.maxBytes ? "too-large" : undefined
  }

  private unread(kind: BodyKind, notRead: NotReadReason): OpenedBody {
    return { receipt: { kind, contentType: this.contentType, bytes: this.bytes, read: false, notRead } }
  }
}
