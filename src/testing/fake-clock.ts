import type { Clock } from "../main/fs/clock.ts"

/** A clock that stands still until it is advanced. */
export class FakeClock implements Clock {
  private time = 0
  private readonly timers = new Set<{ due: number; run: () => void }>()

  now(): number {
    return this.time
  }

  startTimer(run: () => void, ms: number): () => void {
    const timer = { due: this.time + ms, run }
    this.timers.add(timer)
    return () => this.timers.delete(timer)
  }

  /** Timers that have been started and have not gone off. */
  get pendingTimers(): number {
    return this.timers.size
  }

  /** Runs what falls due on the way, each at its own moment, in the order of time. */
  advance(ms: number): void {
    const end = this.time + ms
    for (let next = this.nextDue(end); next !== undefined; next = this.nextDue(end)) {
      this.timers.delete(next)
      this.time = Math.max(this.time, next.due)
      next.run()
    }
    this.time = end
  }

  /** Time passes while the main thread is blocked: timers go off late, all at the end. */
  block(ms: number): void {
    this.time += ms
    for (const timer of [...this.timers]) {
      if (timer.due > this.time || !this.timers.delete(timer)) continue
      timer.run()
    }
  }

  private nextDue(end: number): { due: number; run: () => void } | undefined {
    let next: { due: number; run: () => void } | undefined
    for (const timer of this.timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer
    }
    return next
  }
}
