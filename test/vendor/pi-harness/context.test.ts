import { describe, expect, it } from "vitest"
import {
  BACKGROUND_CONTEXT,
  createContextKey,
  withAbortSignal,
  withContextValue,
} from "../../../vendor/pi-harness/index.ts"

describe("a context", () => {
  it("answers the value that was put in last, by the key and by no other of its name", () => {
    const key = createContextKey<number>("key")
    const namesake = createContextKey<number>("key")
    const one = withContextValue(key, 1, BACKGROUND_CONTEXT)
    expect([one.value(key), one.value(namesake), BACKGROUND_CONTEXT.value(key)]).toEqual([1, undefined, undefined])
    const two = withContextValue(key, 2, one)
    expect([two.value(key), one.value(key)]).toEqual([2, 1])
    expect(withAbortSignal(new AbortController().signal, two).value(key)).toBe(2)
    // Another copy of the port looks the value up by the token alone.
    expect(two.value({ token: key.token })).toBe(2)
  })

  it("is aborted by its own signal and by those above, with their reason", () => {
    const outer = new AbortController()
    const inner = new AbortController()
    const one = withAbortSignal(outer.signal, BACKGROUND_CONTEXT)
    const two = withContextValue(createContextKey("key"), 1, withAbortSignal(inner.signal, one))
    inner.abort("inner")
    expect([one.abortSignal?.aborted, two.abortSignal?.aborted, two.abortSignal?.reason]).toEqual([
      false,
      true,
      "inner",
    ])
    const three = withAbortSignal(new AbortController().signal, one)
    outer.abort("outer")
    expect(three.abortSignal?.reason).toBe("outer")
    expect(BACKGROUND_CONTEXT.abortSignal).toBeUndefined()
  })

  it("tells in words how it was made", () => {
    const context = withContextValue(
      createContextKey("key"),
      1,
      withAbortSignal(AbortSignal.abort(), BACKGROUND_CONTEXT),
    )
    expect(String(context)).toBe("background.withAbortSignal.withValue(key)")
  })
})
