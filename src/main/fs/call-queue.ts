/**
 * Calls that wait, first come first served within one caller and in turn between callers, so that one that asks for
 * much does not keep the others waiting. Adding, taking and removing cost the same however many wait.
 */
export class CallQueue<C extends { readonly caller: object }> {
  /** Callers in the order of their next turn; a Map keeps the order of insertion. */
  private readonly callers = new Map<object, Set<C>>()

  get isEmpty(): boolean {
    return this.callers.size === 0
  }

  add(call: C): void {
    const calls = this.callers.get(call.caller)
    if (calls === undefined) this.callers.set(call.caller, new Set([call]))
    else calls.add(call)
  }

  /** The call whose turn it is; its caller goes to the end of the row. */
  take(): C | undefined {
    for (const [caller, calls] of this.callers) {
      this.callers.delete(caller)
      for (const call of calls) {
        calls.delete(call)
        if (calls.size > 0) this.callers.set(caller, calls)
        return call
      }
    }
    return undefined
  }

  remove(call: C): void {
    const calls = this.callers.get(call.caller)
    if (calls?.delete(call) && calls.size === 0) this.callers.delete(call.caller)
  }

  /** All that wait, which may be removed meanwhile. */
  *all(): Iterable<C> {
    for (const calls of this.callers.values()) yield* calls
  }
}
