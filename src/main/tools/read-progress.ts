import type { Clock } from "../fs/clock.ts"
import { PROGRESS_INTERVAL_MS } from "../limits.ts"

/** Words on how far a call has got, told now and then. */
export interface ReadProgress {
  /** What is told next, unless something newer comes before. */
  say(words: () => string): void
  /** Nothing is told any more. */
  stop(): void
}

/**
 * Tells `report` the latest words once the call has lasted over {@link PROGRESS_INTERVAL_MS}, then at most that often,
 * and never the same words twice in a row. What `report` throws is dropped: a call does not fail by its spectators.
 */
export function startProgress(report: ((text: string) => void) | undefined, clock: Clock): ReadProgress {
  if (report === undefined) return { say() {}, stop() {} }
  let latest: (() => string) | undefined
  let told: string | undefined
  let cancel = clock.startTimer(tell, PROGRESS_INTERVAL_MS)
  function tell(): void {
    cancel = clock.startTimer(tell, PROGRESS_INTERVAL_MS)
    const text = latest?.()
    if (text === undefined || text === told) return
    told = text
    try {
      report?.(text)
    } catch {}
  }
  return {
    say(words) {
      latest = words
    },
    stop() {
      cancel()
    },
  }
}
