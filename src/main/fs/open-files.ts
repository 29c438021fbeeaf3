import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import { CALL_FAILS_MS, MAX_OPEN_FILES } from "../limits.ts"
import type { Clock } from "./clock.ts"
import { startDeadline, systemClock } from "./clock.ts"
import { abortedError } from "./file-error.ts"

/**
 * Places for open files, {@link MAX_OPEN_FILES} of them: a host may run under `ulimit -n 256` and needs descriptors of
 * its own. Whoever got a place owes one `leave()`.
 */
export interface OpenFiles {
  /** Takes a place if one is free and nobody waits for it: a call that need not wait costs no promise. */
  tryEnter(): boolean
  /**
   * Takes a place, first come first served. Settles at once on abort; an error once no place has come free for
   * {@link CALL_FAILS_MS}: waiting behind files that are opened and closed again is no failure, however long the row.
   */
  enter(path: string, context: Context): Promise<Result<void, FileError>>
  /** Gives the place back, once the descriptor is closed. */
  leave(): void
}

/** Places of their own, for tests. */
export function createOpenFiles(options: { clock?: Clock } = {}): OpenFiles {
  return new Places(options.clock ?? systemClock)
}

interface Waiting {
  since: number
  path: string
  settle(result: Result<void, FileError>): void
}

class Places implements OpenFiles {
  private taken = 0
  private readonly waiting = new Set<Waiting>()
  private lastLeft = Number.NEGATIVE_INFINITY
  private timerIsSet = false

  constructor(private readonly clock: Clock) {}

  tryEnter(): boolean {
    if (this.taken >= MAX_OPEN_FILES || this.waiting.size > 0) return false
    this.taken++
    return true
  }

  enter(path: string, context: Context): Promise<Result<void, FileError>> {
    const signal = context.abortSignal
    if (signal?.aborted) return Promise.resolve(err(abortedError(path)))
    if (this.tryEnter()) return Promise.resolve(ok(undefined))
    return new Promise((resolve) => {
      const onAbort = () => waiting.settle(err(abortedError(path)))
      const waiting: Waiting = {
        since: this.clock.now(),
        path,
        settle: (result) => {
          this.waiting.delete(waiting)
          signal?.removeEventListener("abort", onAbort)
          resolve(result)
        },
      }
      this.waiting.add(waiting)
      signal?.addEventListener("abort", onAbort, { once: true })
      if (!this.timerIsSet) this.setTimer(CALL_FAILS_MS)
    })
  }

  leave(): void {
    this.lastLeft = this.clock.now()
    const [next] = this.waiting
    if (next === undefined) this.taken--
    else next.settle(ok(undefined))
  }

  private setTimer(ms: number): void {
    this.timerIsSet = true
    startDeadline(this.clock, () => this.judge(), ms)
  }

  private judge(): void {
    this.timerIsSet = false
    const now = this.clock.now()
    for (const waiting of this.waiting) {
      const left = Math.max(waiting.since, this.lastLeft) + CALL_FAILS_MS - now
      if (left > 0) {
        this.setTimer(Math.max(1, Math.ceil(left)))
        return
      }
      waiting.settle(err(noPlaceError(waiting.path)))
    }
  }
}

function noPlaceError(path: string): FileError {
  const reason = `${MAX_OPEN_FILES} files are open already and none was closed for ${CALL_FAILS_MS / 1000} s`
  return new FileError("unknown", `Not opened: ${path}: ${reason}. Try again later.`, path)
}

/** The places of the whole process. */
export const openFiles: OpenFiles = createOpenFiles()
