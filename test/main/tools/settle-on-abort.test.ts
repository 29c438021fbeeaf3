import { describe, expect, it } from "vitest"
import { settleOnAbort } from "../../../src/main/tools/settle-on-abort.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

const never = () => new Promise<string>(() => {})

function abortable() {
  const controller = new AbortController()
  const context = withAbortSignal(controller.signal, BACKGROUND_CONTEXT)
  const clock = new FakeClock()
  return {
    clock,
    abort: () => controller.abort(),
    settle: (work: Promise<string>) => settleOnAbort(work, "a.txt", context, clock),
  }
}

describe("A tool call", () => {
  it("comes to what its work comes to", async () => {
    const { settle, clock } = abortable()
    expect(await settle(Promise.resolve("done"))).toBe("done")
    await expect(settle(Promise.reject(new Error("failed")))).rejects.toThrow("failed")
    expect(clock.pendingTimers).toBe(0)
  })

  it("needs no signal", async () => {
    expect(await settleOnAbort(Promise.resolve("done"), "a.txt", BACKGROUND_CONTEXT, new FakeClock())).toBe("done")
  })

  it("is aborted within 100 ms, though its work never settles", async () => {
    const { settle, clock, abort } = abortable()
    const call = settle(never())
    abort()
    clock.advance(100)
    await expect(call).rejects.toMatchObject({ code: "aborted", path: "a.txt" })
  })

  it("is aborted before it begins", async () => {
    const { settle, clock, abort } = abortable()
    abort()
    const call = settle(never())
    clock.advance(100)
    await expect(call).rejects.toMatchObject({ code: "aborted" })
  })

  it("waits for work that lets go of its file on an abort", async () => {
    const { settle, clock, abort } = abortable()
    let fail = (_: Error): void => {}
    const call = settle(new Promise((_, reject) => (fail = reject)))
    abort()
    clock.advance(1)
    fail(new Error("let go"))
    await expect(call).rejects.toMatchObject({ code: "aborted" })
    expect(clock.pendingTimers).toBe(0)
  })

  it("gives no result once it was aborted", async () => {
    const { settle, abort } = abortable()
    const call = settle(Promise.resolve("done"))
    abort()
    await expect(call).rejects.toMatchObject({ code: "aborted" })
  })
})
