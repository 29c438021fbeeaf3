import type { Context } from "../../vendor/pi-harness/index.ts"

/** How the next bytes of a body came, or why none did. */
export type BodyChunk =
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "end" }
  | { kind: "aborted" }
  /** The deadline passed first. */
  | { kind: "timeout" }
  /** The connection broke, or the body is not what its encoding says. */
  | { kind: "broken"; error: unknown }

/**
 * The bytes of a web body, one chunk at a time. Each wait ends at an abort or at the deadline, even where the server
 * never sends another byte. Whoever made it owes a `cancel`.
 */
export class BodyChunks {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>
  private readonly release: () => void
  /** Why no further chunk comes. */
  private stopped: BodyChunk | undefined
  /** Ends the wait for the next chunk. Not a race with one long promise, which would keep every chunk until its end. */
  private settle: (chunk: BodyChunk) => void = () => undefined

  /** `deadlineMs` counts from now, for the whole body. */
  constructor(stream: ReadableStream<Uint8Array>, deadlineMs: number, context: Context) {
    this.reader = stream.getReader()
    const timer = setTimeout(() => this.stop({ kind: "timeout" }), deadlineMs)
    const onAbort = (): void => this.stop({ kind: "aborted" })
    const signal = context.abortSignal
    if (signal?.aborted) onAbort()
    else signal?.addEventListener("abort", onAbort, { once: true })
    this.release = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
    }
  }

  /** One at a time. */
  next(): Promise<BodyChunk> {
    if (this.stopped !== undefined) return Promise.resolve(this.stopped)
    return new Promise((resolve) => {
      this.settle = resolve
      void this.read().then(resolve)
    })
  }

  /** Tells the server's side that no more is wanted. Does not wait for it: a stream may never answer. */
  cancel(): void {
    this.release()
    this.reader.cancel().catch(() => undefined)
  }

  private stop(chunk: BodyChunk): void {
    this.stopped ??= chunk
    this.settle(this.stopped)
  }

  private async read(): Promise<BodyChunk> {
    try {
      const { done, value } = await this.reader.read()
      if (done) return { kind: "end" }
      return value instanceof Uint8Array
        ? { kind: "bytes", bytes: value }
        : { kind: "broken", error: new TypeError("The body is not a stream of bytes") }
    } catch (error) {
      return { kind: "broken", error }
    }
  }
}
