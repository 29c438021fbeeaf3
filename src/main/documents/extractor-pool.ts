import type { ProcessFlavour, StartDocumentProcess } from "./document-process.ts"
import { prepareProcess } from "./extraction.ts"
import { ConversationEnded, ProcessConversation } from "./process-conversation.ts"
import { ProcessPlaces } from "./process-places.ts"

export interface ExtractorPoolOptions {
  start: StartDocumentProcess
  /** The engine's bytes, for each `plain` process. Rejects where they are missing or not the ones that were pinned. */
  loadEngine: () => Promise<Uint8Array>
  /** Processes at work at once. */
  maxProcesses: number
  /** Processes that stand by with the engine ready: 0 or 1. */
  maxSpares: number
  /** The spare is ended when no document was read for this long. */
  spareIdleMs: number
  /** A killed process that has not exited by then frees its place all the same. */
  exitBoundMs: number
}

/** A process that was started, and whether it has become ready for its one job. */
export interface StartedProcess {
  conversation: ProcessConversation
  /** Rejects with `ConversationEnded`, or with why the engine could not be loaded. */
  prepared: Promise<void>
}

/** A read alone needs no spare, and forking one competes with what the host does next. */
const SPARE_START_DELAY_MS = 30

/**
 * Document processes: a fresh one for each job, so many at work at once, and one that stands by for more of what was read
 * last. Jobs are served first in, first out. A process that stands by keeps no host running.
 */
export class ExtractorPool {
  readonly #options: ExtractorPoolOptions
  readonly #places: ProcessPlaces
  readonly #alive = new Set<ProcessConversation>()
  #spare: (StartedProcess & { flavour: ProcessFlavour }) | undefined
  /** Of the last job: what the next spare will be. */
  #flavour: ProcessFlavour = "plain"
  #spareStart: NodeJS.Timeout | undefined
  #spareEnd: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ExtractorPoolOptions) {
    this.#options = options
    this.#places = new ProcessPlaces(options.maxProcesses)
  }

  /** Pids of the processes that have not exited, for tests and for whoever measures them. */
  get pids(): number[] {
    return [...this.#alive].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  /**
   * A process for one job, once a place is free; whoever got it ends its conversation. Undefined where `signal` was
   * aborted first, where no process can be started (which is never remembered), and once the pool is closed.
   */
  async lease(flavour: ProcessFlavour, signal: AbortSignal): Promise<StartedProcess | undefined> {
    if (this.#closed || !(await this.#places.take(signal))) return undefined
    // The pool may have been closed while this call waited, or the call aborted.
    const wanted = !this.#closed && !signal.aborted
    const started = wanted ? (this.#takeSpare(flavour) ?? this.#start(flavour)) : undefined
    if (started === undefined) {
      this.#places.give()
      return undefined
    }
    this.#flavour = flavour
    clearTimeout(this.#spareStart)
    clearTimeout(this.#spareEnd)
    started.conversation.keepParentAlive(true)
    void started.conversation.gone.then(() => {
      this.#places.give()
      this.#standBy()
    })
    return started
  }

  /** Kills every process and settles once they are gone. Later leases get none. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#spareStart)
    clearTimeout(this.#spareEnd)
    await Promise.all([...this.#alive].map((conversation) => conversation.killAndWait()))
  }

  /** Kills every process without waiting, for a host that is about to exit. */
  killAll(): void {
    this.#closed = true
    for (const conversation of this.#alive) {
      conversation.endWith("killed")
      conversation.kill()
    }
  }

  #takeSpare(flavour: ProcessFlavour): StartedProcess | undefined {
    const spare = this.#spare
    if (spare?.flavour !== flavour) return undefined
    this.#spare = undefined
    return spare.conversation.ended === undefined ? spare : undefined
  }

  #start(flavour: ProcessFlavour, standsBy = false): StartedProcess | undefined {
    let conversation: ProcessConversation
    try {
      conversation = new ProcessConversation(this.#options.start(flavour), this.#options.exitBoundMs)
    } catch {
      return undefined
    }
    this.#alive.add(conversation)
    void conversation.gone.then(() => this.#alive.delete(conversation))
    const prepared = this.#prepare(conversation, flavour, standsBy)
    // Whoever leases the process looks at it again; until then a failure only means that the spare is no good.
    prepared.catch(() => conversation.endWith("killed"))
    return { conversation, prepared }
  }

  async #prepare(conversation: ProcessConversation, flavour: ProcessFlavour, standsBy: boolean): Promise<void> {
    const engine = flavour === "plain" ? await this.#options.loadEngine() : undefined
    if (conversation.ended !== undefined) throw new ConversationEnded(conversation.ended)
    await prepareProcess(conversation, engine, standsBy)
  }

  #standBy(): void {
    if (this.#closed || this.#options.maxSpares === 0) return
    clearTimeout(this.#spareStart)
    clearTimeout(this.#spareEnd)
    this.#spareStart = setTimeout(() => this.#startSpare(), SPARE_START_DELAY_MS).unref()
    this.#spareEnd = setTimeout(() => this.#endSpare(), this.#options.spareIdleMs).unref()
  }

  #startSpare(): void {
    if (this.#closed) return
    const flavour = this.#flavour
    const spare = this.#spare
    if (spare !== undefined && spare.conversation.ended === undefined) {
      if (spare.flavour === flavour) return
      this.#endSpare()
      // Never two at once, not even while one is on its way out.
      void spare.conversation.gone.then(() => this.#startSpare())
      return
    }
    const started = this.#start(flavour, true)
    started?.conversation.keepParentAlive(false)
    this.#spare = started && { ...started, flavour }
  }

  #endSpare(): void {
    this.#spare?.conversation.endWith("killed")
    this.#spare = undefined
  }
}
