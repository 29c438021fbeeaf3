import type { DocumentProcess, ProcessFlavour } from "../main/documents/document-process.ts"
import { PROTOCOL_VERSION } from "../main/documents/extractor-protocol.ts"

/** A message as its parent posted it. */
export interface PostedMessage {
  type: string
  n: number
  [name: string]: unknown
}

/**
 * A document process without a process. It keeps what it was sent, says what the test has it say, and exits when it is
 * killed unless it was told to linger. With `answers` it takes every byte and reads such pages, as the real one does.
 */
export class FakeDocumentProcess implements DocumentProcess {
  readonly flavour: ProcessFlavour
  readonly posted: PostedMessage[] = []
  /** Whether it keeps its parent running, as it was told last. */
  keepsAlive = true
  killed = false
  exited = false
  readonly #answers: readonly string[] | undefined
  readonly #lingers: boolean
  readonly #listeners: { event: string; listener: (argument: never) => void }[] = []
  #pid: number | undefined
  #sent = 0
  #engineBytes = 0

  constructor(
    flavour: ProcessFlavour,
    options: { pid?: number; answers?: readonly string[] | undefined; lingers?: boolean } = {},
  ) {
    this.flavour = flavour
    this.#pid = options.pid ?? 1
    this.#answers = options.answers
    this.#lingers = options.lingers === true
    if (this.#answers !== undefined) queueMicrotask(() => this.say({ type: "ready" }))
  }

  get pid(): number | undefined {
    return this.exited ? undefined : this.#pid
  }

  postMessage(message: unknown): void {
    const posted = structuredClone(message) as PostedMessage
    this.posted.push(posted)
    if (this.#answers !== undefined) queueMicrotask(() => this.#answer(posted, this.#answers ?? []))
  }

  kill(): void {
    this.killed = true
    if (!this.#lingers) this.exit()
  }

  on(event: "message" | "exit" | "error", listener: (argument: never) => void): void {
    this.#listeners.push({ event, listener })
  }

  keepsParentAlive(alive: boolean): void {
    this.keepsAlive = alive
  }

  /** Sends a message with the next number. */
  say(message: Record<string, unknown>): void {
    this.sayRaw({ v: PROTOCOL_VERSION, n: this.#sent++, ...message })
  }

  sayRaw(message: unknown): void {
    if (!this.exited) this.#emit("message", message)
  }

  /** The process is gone. Only the first call counts. */
  exit(code: number | null = null): void {
    if (this.exited) return
    this.exited = true
    this.#emit("exit", code)
  }

  #emit(event: string, argument: unknown): void {
    for (const { event: of, listener } of this.#listeners)
      if (of === event) (listener as (it: unknown) => void)(argument)
  }

  #answer(message: PostedMessage, pages: readonly string[]): void {
    if (message.type === "standby") this.say({ type: "prepared" })
    if (message.type === "engine") this.#engineBytes = Number(message.size)
    if (message.type === "chunk") {
      this.say({ type: "ack", of: message.n })
      if (this.#engineBytes === 0) return
      this.#engineBytes -= (message.bytes as Uint8Array).byteLength
      if (this.#engineBytes === 0) this.say({ type: "prepared" })
    }
    if (message.type === "end") {
      this.say({ type: "opened", id: 1, pageCount: pages.length })
      for (const [i, text] of pages.entries()) {
        this.say({ type: "page", id: 1, page: i + 1, text, textTruncated: false })
      }
      this.say({ type: "done", id: 1, textTruncated: false })
    }
    // Its last message was acknowledged: the real one ends itself.
    if (message.type === "ack") this.kill()
  }
}
