/** Time as the deadlines of this package see it. Tests hand in one that they advance themselves. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number
  /** Calls `run` once, `ms` from now, and answers what cancels that. A pending timer keeps no process alive. */
  startTimer(run: () => void, ms: number): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  startTimer(run, ms) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A timer this late says that the main thread was blocked, not that nothing has happened meanwhile. */
const BLOCKED_THREAD_MS = 500

/**
 * Like {@link Clock.startTimer}, for judging what has not come back: where the main thread was blocked, `run` waits
 * until what came in meanwhile has been delivered.
 */
export function startDeadline(clock: Clock, run: () => void, ms: number): () => void {
  const due = clock.now() + ms
  let cancel = clock.startTimer(() => {
    if (clock.now() - due > BLOCKED_THREAD_MS) cancel = clock.startTimer(run, 1)
    else run()
  }, ms)
  return () => cancel()
}
