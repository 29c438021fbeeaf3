/** A number of places, given out first come, first served. */
export class ProcessPlaces {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Whether a place was got; false once `signal` is aborted, and then nothing is held and the queue is left. */
  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const grant = () => {
        signal.removeEventListener("abort", leave)
        resolve(true)
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(grant), 1)
        resolve(false)
      }
      this.#queue.push(grant)
      signal.addEventListener("abort", leave, { once: true })
    })
  }

  /** Gives a place back: to whoever waits longest. */
  give(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
