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

/** Whatever was thrown, as an `Error`; what is one already is returned as it is. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  if (typeof thrown === "string") return new Error(thrown)
  try {
    return new Error(JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return new Error(String(thrown))
  }
}
