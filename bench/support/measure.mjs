import { performance } from "node:perf_hooks"

/** Rounds of every measurement: odd, so that the median is one that happened. */
export const ROUNDS = 7

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/**
 * Runs each subject once a round, forth in one round and back in the next, so that neither a warming cache nor a
 * slowing machine favours one; `before` each runs unmeasured. Answers the median milliseconds and all of them, by name.
 *
 * @param {Record<string, () => unknown | Promise<unknown>>} subjects
 */
export async function mediansOf(subjects, { rounds = ROUNDS, warmUps = 1, before = async () => undefined } = {}) {
  const names = Object.keys(subjects)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await before()
      const start = performance.now()
      await subjects[name]()
      if (round >= 0) times[name].push(performance.now() - start)
    }
  }
  return Object.fromEntries(names.map((name) => [name, { median: median(times[name]), all: times[name] }]))
}
