/** The outcome of an operation that may fail: expected failures are values, nothing throws. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E }

/** A success. */
export function ok<T, E = never>(value: T): Result<T, E> {
  return { ok: true, value }
}

/** A failure. */
export function err<T = never, E = unknown>(error: E): Result<T, E> {
  return { ok: false, error }
}

/** The value, or a throw of the error. For tests and for the edge where a tool must throw. */
export function getOrThrow<T, E>(result: Result<T, E>): T {
  if (result.ok) return result.value
  throw result.error
}

/** Whatever was thrown, as an `Error`; what is one already is returned as it is. Never throws itself. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error(typeof thrown === "string" ? thrown : wordsOf(thrown))
}

function wordsOf(thrown: unknown): string {
  for (const write of [JSON.stringify, String]) {
    try {
      const words: unknown = write(thrown)
      if (typeof words === "string") return words
    } catch {
      // Circular, without a prototype, or hostile: the next one may do.
    }
  }
  return "Something was thrown that no words can be made of"
}
