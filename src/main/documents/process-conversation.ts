import type { DocumentProcess } from "./document-process.ts"
import { exactBytes } from "./exact-bytes.ts"
import {
  type BareToChild,
  MAX_MESSAGE_BYTES,
  PROTOCOL_VERSION,
  readFromChild,
  type ToParent,
} from "./extractor-protocol.ts"

/**
 * Why a conversation is over. `never-started`: the process ended before it was ready. `died`: it ended by itself later,
 * which is what its watchdog and a full heap look like. `hostile`: it said what no child of ours says. `oversized`: it
 * said more than it may. `killed`: its parent ended it, and knows why.
 */
export type ConversationEnd = "never-started" | "died" | "hostile" | "oversized" | "killed"

/** Thrown inside a conversation alone, to leave it; whoever runs the conversation catches it. */
export class ConversationEnded extends Error {
  readonly end: ConversationEnd

  constructor(end: ConversationEnd) {
    super(`The document process: ${end}`)
    this.name = "ConversationEnded"
    this.end = end
  }
}

/** A child that has not ended itself by then after its last message is killed. */
const SELF_END_BOUND_MS = 1_000
/** Messages that may wait to be looked at. More than any child sends ahead of its parent. */
const MAX_MESSAGES_WAITING = 1_024

/**
 * The parent's side of one process: numbered messages out, validated ones in, and one end for all that can go wrong.
 * After the end the process is killed and nothing of it is looked at any more.
 */
export class ProcessConversation {
  /** Settles once the process is gone, or had `exitBoundMs` to go since it was killed. */
  readonly gone: Promise<void>
  readonly #process: DocumentProcess
  readonly #exitBoundMs: number
  readonly #inbox: ToParent[] = []
  #waiting: (() => void) | undefined
  #sent = 0
  #received = 0
  #ready = false
  #awaited = false
  #end: ConversationEnd | undefined
  #settleGone: () => void = () => undefined
  #exitTimer: NodeJS.Timeout | undefined

  constructor(process: DocumentProcess, exitBoundMs: number) {
    this.#process = process
    this.#exitBoundMs = exitBoundMs
    this.gone = new Promise((resolve) => {
      this.#settleGone = resolve
    })
    process.on("message", (message) => this.#receive(message))
    process.on("error", () => this.endWith(this.#ready ? "died" : "never-started"))
    process.on("exit", () => {
      this.endWith(this.#ready ? "died" : "never-started")
      clearTimeout(this.#exitTimer)
      this.#settleGone()
    })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get ended(): ConversationEnd | undefined {
    return this.#end
  }

  keepParentAlive(alive: boolean): void {
    if (!this.#awaited) this.#process.keepsParentAlive?.(alive)
  }

  /** Kills the process and settles once it is gone. The parent runs until then, whatever its jobs ask for meanwhile. */
  killAndWait(): Promise<void> {
    this.keepParentAlive(true)
    this.#awaited = true
    this.endWith("killed")
    this.kill()
    return this.gone
  }

  /** Ends the conversation, and the process with it. The first end is the one that counts. */
  endWith(end: ConversationEnd): void {
    if (this.#end === undefined) {
      this.#end = end
      // What came before a breach or a crash was finished and stays good; a parent that ends it wants no more.
      if (end === "killed") this.#inbox.length = 0
      this.#wake()
      this.kill()
    }
  }

  /** Ends a conversation that is complete: the child, whose last message was acknowledged, ends itself. */
  complete(): void {
    if (this.#end !== undefined) return
    this.#end = "killed"
    this.#exitTimer = setTimeout(() => this.kill(), SELF_END_BOUND_MS)
    this.#exitTimer.unref()
  }

  /** Kills the process, whatever the conversation is at. */
  kill(): void {
    clearTimeout(this.#exitTimer)
    this.#exitTimer = setTimeout(this.#settleGone, this.#exitBoundMs)
    this.#exitTimer.unref()
    this.#process.kill()
  }

  /** Posts `message` and answers its number. */
  post(message: BareToChild): number {
    if (this.#end !== undefined) throw new ConversationEnded(this.#end)
    const n = this.#sent++
    this.#process.postMessage({ v: PROTOCOL_VERSION, n, ...message })
    return n
  }

  /** Posts at most {@link MAX_MESSAGE_BYTES} and waits until the child holds them. */
  async postBytes(bytes: Uint8Array): Promise<void> {
    const n = this.post({ type: "chunk", bytes: exactBytes(bytes) })
    const answer = await this.next("ack")
    if (answer.of !== n) this.#leave("hostile")
  }

  /** Posts all of `bytes`, message by message. */
  async postAllBytes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; at += MAX_MESSAGE_BYTES) {
      await this.postBytes(bytes.slice(at, at + MAX_MESSAGE_BYTES))
    }
  }

  /** Receives exactly `size` bytes, acknowledging each message of them. */
  async receiveBytes(size: number): Promise<Uint8Array> {
    const all = new Uint8Array(size)
    for (let filled = 0; filled < size; ) {
      const { bytes, n } = await this.next("chunk")
      if (filled + bytes.byteLength > size) this.#leave("oversized")
      all.set(bytes, filled)
      filled += bytes.byteLength
      this.post({ type: "ack", of: n })
    }
    return all
  }

  /** The next message, which must be one of `types`. */
  async next<T extends ToParent["type"]>(...types: T[]): Promise<Extract<ToParent, { type: T }>> {
    while (this.#end === undefined && this.#inbox.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    const message = this.#inbox.shift()
    if (message === undefined && this.#end !== undefined) throw new ConversationEnded(this.#end)
    if (message === undefined || !types.some((type) => type === message.type)) return this.#leave("hostile")
    return message as Extract<ToParent, { type: T }>
  }

  /** Ends the conversation because of what the child said, and leaves it. */
  breach(end: "hostile" | "oversized"): never {
    return this.#leave(end)
  }

  #leave(end: ConversationEnd): never {
    this.endWith(end)
    throw new ConversationEnded(this.#end ?? end)
  }

  #receive(message: unknown): void {
    if (this.#end !== undefined) return
    const read = readFromChild(message, this.#received++)
    if (read === undefined) this.endWith("hostile")
    else if (this.#inbox.length >= MAX_MESSAGES_WAITING) this.endWith("oversized")
    else {
      this.#ready = true
      this.#inbox.push(read)
      this.#wake()
    }
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.()
  }
}
