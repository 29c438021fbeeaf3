import type { Engine, EngineSession, NotebookSink } from "./engines/engine.ts"
import { loadEngine } from "./engines/load-engine.ts"
import { exactBytes } from "./exact-bytes.ts"
import {
  type BareToParent,
  type ExtractorJob,
  type JobOutcome,
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSION,
  readFromParent,
  type ToChild,
} from "./extractor-protocol.ts"
import type { ParentChannel } from "./parent-channel.ts"
import type { ProcessWatchdog } from "./process-watchdog.ts"

/**
 * Ends this process by SIGKILL, the only way in which it ends: a polite exit with a polling thread and WebAssembly under
 * way deadlocks now and then.
 */
export function endProcess(): never {
  process.kill(process.pid, "SIGKILL")
  for (;;);
}

/**
 * The child's side of the conversation: takes the engine, one job and its document, hands on what the engine finishes,
 * and ends the process once the last of it was acknowledged. Whatever no parent of ours says ends it too.
 */
export class DocumentChild {
  readonly #channel: ParentChannel
  readonly #watchdog: ProcessWatchdog
  readonly #pdfThreadEntry: URL
  readonly #acknowledged = new Map<number, () => void>()
  #sent = 0
  #received = 0
  /** Bytes of the engine that are still to come, and those that came. */
  #engineBytes: { all: Uint8Array; filled: number; practise: boolean } | undefined
  /** What was made ready before a job came. */
  readonly #engines: Partial<Record<ExtractorJob["kind"], Promise<Engine<NotebookSink>>>> = {}
  #session: Promise<EngineSession<NotebookSink>> | undefined
  #job: { id: number; endsAt: number } | undefined
  /** Messages are handled one after another, in the order in which they came. */
  #turn: Promise<void> = Promise.resolve()

  /** `pdfThreadEntry`: the built file of `engines/pdf-thread-entry.ts`. */
  constructor(channel: ParentChannel, watchdog: ProcessWatchdog, pdfThreadEntry: URL) {
    this.#channel = channel
    this.#watchdog = watchdog
    this.#pdfThreadEntry = pdfThreadEntry
    channel.onClosed(endProcess)
    channel.onMessage((raw) => {
      const message = readFromParent(raw, this.#received++)
      if (message === undefined) return endProcess()
      if (message.type === "ack") this.#acknowledged.get(message.of)?.()
      else this.#turn = this.#turn.then(() => this.#handle(message)).catch(endProcess)
    })
    void this.#post({ type: "ready" })
  }

  async #handle(message: Exclude<ToChild, { type: "ack" }>): Promise<void> {
    if (message.type === "engine") {
      this.#engineBytes = { all: new Uint8Array(message.size), filled: 0, practise: message.practise }
    } else if (message.type === "standby") {
      await this.#prepare(message.engine, loadEngine(message.engine), true)
    } else if (message.type === "chunk") {
      await this.#take(message.bytes)
      await this.#post({ type: "ack", of: message.n })
      await this.#prepareOnceWhole()
    } else if (message.type === "job") {
      this.#job = { id: message.id, endsAt: performance.now() + message.budgetMs }
      this.#watchdog.limitTime(message.budgetMs)
      this.#session = this.#engineFor(message.job).then((engine) => engine.begin(message.job, message.size))
      // A failure is the outcome of the job, once all of its bytes are here.
      this.#session.catch(() => undefined)
    } else {
      await this.#finish()
    }
  }

  async #take(bytes: Uint8Array): Promise<void> {
    if (this.#engineBytes !== undefined) {
      this.#engineBytes.all.set(bytes, this.#engineBytes.filled)
      this.#engineBytes.filled += bytes.byteLength
    } else {
      const session = await this.#session?.catch(() => undefined)
      session?.write(bytes)
    }
  }

  async #prepareOnceWhole(): Promise<void> {
    const engine = this.#engineBytes
    if (engine === undefined || engine.filled < engine.all.byteLength) return
    this.#engineBytes = undefined
    const pdfEngine = import("./engines/pdf.ts").then(({ createPdfEngine }) =>
      createPdfEngine(engine.all, this.#pdfThreadEntry),
    )
    await this.#prepare("pdf", pdfEngine, engine.practise)
  }

  async #prepare(kind: ExtractorJob["kind"], engine: Promise<Engine<NotebookSink>>, practise: boolean): Promise<void> {
    this.#engines[kind] = engine
    const [ready] = await Promise.all([engine, this.#watchdog.looking])
    await this.#post({ type: "prepared" })
    // Not waited for: a job ends it.
    if (practise) ready.practise?.(() => this.#job === undefined).catch(endProcess)
  }

  async #engineFor(job: ExtractorJob): Promise<Engine<NotebookSink>> {
    await this.#watchdog.looking
    return this.#engines[job.kind] ?? loadEngine(job.kind)
  }

  async #finish(): Promise<void> {
    const { id = 0, endsAt = 0 } = this.#job ?? {}
    const sink: NotebookSink = {
      opened: (pageCount) => this.#post({ type: "opened", id, pageCount }),
      page: (page, text, textTruncated, poor) =>
        this.#post({ type: "page", id, page, text, textTruncated, ...(poor ? { poor } : {}) }),
      notebook: (notebook) => this.#post({ type: "notebook", id, notebook }),
      image: async (page, { data, mimeType, width, height }) => {
        await this.#post({ type: "image", id, page, mimeType, width, height, size: data.byteLength })
        for (let at = 0; at < data.byteLength; at += MAX_MESSAGE_BYTES) {
          await this.#postAcknowledged({ type: "chunk", bytes: exactBytes(data.subarray(at, at + MAX_MESSAGE_BYTES)) })
        }
      },
      remainingMs: () => endsAt - performance.now(),
    }
    const outcome = await this.#outcome(sink)
    await this.#postAcknowledged({ type: "done", id, ...outcome })
    endProcess()
  }

  async #outcome(sink: NotebookSink): Promise<JobOutcome> {
    try {
      const session = await this.#session
      if (session === undefined) return { textTruncated: false, notRead: "unsupported" }
      return await session.finish(sink)
    } catch {
      return { textTruncated: false, notRead: "unsupported" }
    }
  }

  #post(message: BareToParent): Promise<void> {
    return this.#channel.post({ v: PROTOCOL_VERSION, n: this.#sent++, ...message })
  }

  async #postAcknowledged(message: BareToParent): Promise<void> {
    const n = this.#sent
    const acknowledged = new Promise<void>((resolve) => this.#acknowledged.set(n, resolve))
    await this.#post(message)
    await acknowledged
    this.#acknowledged.delete(n)
  }
}
