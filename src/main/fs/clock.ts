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
