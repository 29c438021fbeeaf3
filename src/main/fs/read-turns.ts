import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok, toError } from "../../../vendor/pi-harness/index.ts"
import { CALL_FAILS_MS, CALL_LENDS_TURN_MS, MAX_CALLS_OUTSTANDING, MAX_THREADS_HELD } from "../limits.ts"
import { CallQueue } from "./call-queue.ts"
import type { Clock } from "./clock.ts"
import { startDeadline, systemClock } from "./clock.ts"
import { abortedError, toFileError } from "./file-error.ts"

/** What Node's file-system functions call when they are done. */
export type Callback<T> = (error: NodeJS.ErrnoException | null, value: T) => void

export interface TurnOptions<T> {
  context: Context
  /** For the words of an error. */
  path?: string
  /** Whoever shares this object waits in one row; rows are served in turn. By default a call is a row of its own. */
  caller?: object
  /** Takes the value of a call that came back after its caller was answered, to close a descriptor for instance. */
  whenLate?(value: T): void
  /**
   * The call is made sooner or later, even when its context is aborted or all threads are held: a close must not be
   * lost. Its caller is answered as any other.
   */
  mustRun?: boolean
}

/**
 * Every file-system call of this package takes a turn here, because Node has four threads for them and a call that
 * the operating system never answers keeps one. At most {@link MAX_CALLS_OUTSTANDING} are under way at once. One that
 * has not come back after {@link CALL_LENDS_TURN_MS} lends its turn to the next, and is an error for its caller after
 * {@link CALL_FAILS_MS}. Once {@link MAX_THREADS_HELD} have lent theirs, all that wait and all that come fail at
 * once, until one comes back.
 */
export interface ReadTurns {
  /**
   * Starts `call` when its turn comes. Settles at once when the context is aborted: a call that still waits is then
   * never made; one under way keeps its thread until it comes back, and its value goes to `whenLate`. Never rejects.
   */
  run<T>(call: (done: Callback<T>) => void, options: TurnOptions<T>): Promise<Result<T, FileError>>
}

/** Turns of their own, for tests. */
export function createReadTurns(options: { clock?: Clock } = {}): ReadTurns {
  return new Turns(options.clock ?? systemClock)
}

class Call {
  readonly caller: object
  startedAt = 0
  lent = false
  /** The caller has its answer. */
  settled = false
  /** The operating system has answered. */
  returned = false
  private onAbort: (() => void) | undefined

  constructor(
    readonly begin: (done: Callback<unknown>) => void,
    readonly options: TurnOptions<unknown>,
    private readonly resolve: (result: Result<unknown, FileError>) => void,
  ) {
    this.caller = options.caller ?? this
  }

  listen(onAbort: () => void): void {
    const signal = this.options.context.abortSignal
    if (signal === undefined) return
    this.onAbort = onAbort
    signal.addEventListener("abort", onAbort, { once: true })
  }

  settle(result: Result<unknown, FileError>): void {
    if (this.settled) return
    this.settled = true
    if (this.onAbort !== undefined) this.options.context.abortSignal?.removeEventListener("abort", this.onAbort)
    this.resolve(result)
  }
}

class Turns implements ReadTurns {
  private readonly waiting = new CallQueue<Call>()
  /** In the order they were started. */
  private readonly underWay = new Set<Call>()
  /** Of those under way, the ones whose turn was lent on. */
  private lent = 0
  private timerIsSet = false
  private starting = false

  constructor(private readonly clock: Clock) {}

  run<T>(begin: (done: Callback<T>) => void, options: TurnOptions<T>): Promise<Result<T, FileError>> {
    const { context, path, mustRun } = options
    const aborted = context.abortSignal?.aborted === true
    if (aborted && !mustRun) return Promise.resolve(err(abortedError(path)))
    const full = this.lent >= MAX_THREADS_HELD
    if (full && !mustRun) return Promise.resolve(err(threadsHeldError(path)))
    return new Promise((resolve) => {
      // The value that `begin` gives is the one that `resolve` and `whenLate` take: the type is only lost in between.
      const call = new Call(
        begin as (done: Callback<unknown>) => void,
        options as TurnOptions<unknown>,
        resolve as (result: Result<unknown, FileError>) => void,
      )
      if (aborted) call.settle(err(abortedError(path)))
      else if (full) call.settle(err(threadsHeldError(path)))
      else call.listen(() => this.abandon(call))
      if (this.waiting.isEmpty && this.hasTurn()) return this.start(call)
      this.waiting.add(call)
    })
  }

  private hasTurn(): boolean {
    const held = this.underWay.size
    return held - this.lent < MAX_CALLS_OUTSTANDING && held < MAX_THREADS_HELD
  }

  private start(call: Call): void {
    call.startedAt = this.clock.now()
    this.underWay.add(call)
    if (!this.timerIsSet) this.setTimer(CALL_LENDS_TURN_MS)
    try {
      call.begin((error, value) => this.comeBack(call, error, value))
    } catch (thrown) {
      this.comeBack(call, toError(thrown), undefined)
    }
  }

  private comeBack(call: Call, error: Error | null, value: unknown): void {
    if (call.returned) return
    call.returned = true
    this.underWay.delete(call)
    if (call.lent) this.lent--
    if (call.settled) {
      if (!error) call.options.whenLate?.(value)
    } else {
      call.settle(error ? err(toFileError(error, call.options.path)) : ok(value))
    }
    this.startWaiting()
  }

  /** Not by recursion: a call that is answered before it returns would go one deeper for each that waits. */
  private startWaiting(): void {
    if (this.starting || this.waiting.isEmpty) return
    this.starting = true
    while (this.hasTurn()) {
      const call = this.waiting.take()
      if (call === undefined) break
      this.start(call)
    }
    this.starting = false
  }

  private abandon(call: Call): void {
    if (!call.options.mustRun) this.waiting.remove(call)
    call.settle(err(abortedError(call.options.path)))
  }

  /**
   * One timer for all calls, set anew only when it has gone off: a read costs no timer of its own. It is never set for
   * longer than a call begun meanwhile may take to lend its turn.
   */
  private setTimer(ms: number): void {
    this.timerIsSet = true
    startDeadline(this.clock, () => this.judge(), Math.max(1, Math.ceil(Math.min(ms, CALL_LENDS_TURN_MS))))
  }

  private judge(): void {
    const now = this.clock.now()
    for (const call of this.underWay) {
      const age = now - call.startedAt
      if (!call.lent && age >= CALL_LENDS_TURN_MS) {
        call.lent = true
        this.lent++
      }
      if (!call.settled && age >= CALL_FAILS_MS) call.settle(err(unansweredError(call.options.path)))
    }
    if (this.lent >= MAX_THREADS_HELD) this.failWaiting()
    else this.startWaiting()
    const next = this.nextDeadline()
    if (next === undefined) this.timerIsSet = false
    else this.setTimer(next - now)
  }

  private nextDeadline(): number | undefined {
    let next: number | undefined
    for (const call of this.underWay) {
      if (call.lent && call.settled) continue
      const due = call.startedAt + (call.lent ? CALL_FAILS_MS : CALL_LENDS_TURN_MS)
      if (next === undefined || due < next) next = due
    }
    return next
  }

  private failWaiting(): void {
    for (const call of this.waiting.all()) {
      if (!call.options.mustRun) this.waiting.remove(call)
      call.settle(err(threadsHeldError(call.options.path)))
    }
  }
}

const LIKELY_CAUSE = "a network mount that is gone, or a cloud file that is not on this machine?"

function threadsHeldError(path: string | undefined): FileError {
  const subject = path === undefined ? "File not read" : `Not read: ${path}`
  const reason = `${MAX_THREADS_HELD} earlier file calls are still unanswered by the operating system`
  return new FileError("unknown", `${subject}: ${reason} (${LIKELY_CAUSE}). Try again later.`, path)
}

function unansweredError(path: string | undefined): FileError {
  const subject = path === undefined ? "File not read" : `Not read: ${path}`
  const reason = `the operating system has not answered for ${CALL_FAILS_MS / 1000} s`
  return new FileError("unknown", `${subject}: ${reason} (${LIKELY_CAUSE}).`, path)
}

/** The turns of the whole process. */
export const readTurns: ReadTurns = createReadTurns()
