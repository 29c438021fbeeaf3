/** Names one value that a {@link Context} may carry. Compared by its token, so two keys never collide. */
export interface ContextKey<T> {
  readonly token: symbol
  /** Carries the type of the value; never present at run time. */
  readonly valueType?: (value: T) => T
}

/** What a call is made under: its abort signal and any values put in by those above. Immutable. */
export interface Context {
  readonly abortSignal: AbortSignal | undefined
  value<T>(key: ContextKey<T>): T | undefined
  toString(): string
}

/** The root context: never aborted, no values. */
export const BACKGROUND_CONTEXT: Context = {
  abortSignal: undefined,
  value: () => undefined,
  toString: () => "background",
}

/** A context that is aborted when `signal` is, or when `context` is. */
export function withAbortSignal(signal: AbortSignal, context: Context): Context {
  const outer = context.abortSignal
  return {
    abortSignal: outer === undefined || outer === signal ? signal : AbortSignal.any([outer, signal]),
    value: (key) => context.value(key),
    toString: () => `${context.toString()}.withAbortSignal`,
  }
}

/** A new key; `description` is for reading in a debugger alone. */
export function createContextKey<T>(description: string): ContextKey<T> {
  return Object.freeze({ token: Symbol(description) })
}

/** A context in which `key` answers `value`, and all else what `context` answers. */
export function withContextValue<T>(key: ContextKey<T>, value: T, context: Context): Context {
  return {
    abortSignal: context.abortSignal,
    value: <U>(asked: ContextKey<U>): U | undefined =>
      asked.token === key.token ? (value as unknown as U) : context.value(asked),
    toString: () => `${context.toString()}.withValue(${key.token.description})`,
  }
}
