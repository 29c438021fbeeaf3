import { describe, expect, it } from "vitest"
import { fetchBodyReader } from "../../src/body/fetch-body.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"

const URL = "http://127.0.0.1/x.pdf"

describe("A host's fetch", () => {
  it.each<[string, () => unknown]>([
    ["answers nothing", async () => undefined],
    ["answers null", async () => null],
    ["answers an empty object", async () => ({})],
    ["answers an object that only says ok", async () => ({ ok: true, status: 200 })],
    ["answers a failure without a body", async () => ({ ok: false, status: 500, statusText: "no" })],
    [
      "throws",
      () => {
        throw new Error("at once")
      },
    ],
    ["rejects with nothing", () => Promise.reject(undefined)],
  ])("that %s is an error, and an abort after it is nobody's failure", async (_name, fetch) => {
    const stop = new AbortController()
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown) => unhandled.push(reason)
    process.on("unhandledRejection", onUnhandled)
    const context = withAbortSignal(stop.signal, BACKGROUND_CONTEXT)
    expect(await fetchBodyReader(URL, { fetch: fetch as never, context })).toMatchObject({ ok: false })
    stop.abort()
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", onUnhandled)
    expect(unhandled).toEqual([])
  })

  it("that answers after the abort has its body let go", async () => {
    const stop = new AbortController()
    let answer: (response: Response) => void = () => undefined
    const fetch = () => new Promise<Response>((resolve) => (answer = resolve))
    const opened = fetchBodyReader(URL, { fetch, context: withAbortSignal(stop.signal, BACKGROUND_CONTEXT) })
    stop.abort()
    expect(await opened).toMatchObject({ ok: false, error: { code: "aborted" } })
    await new Promise<void>((cancel) => answer(new Response(new ReadableStream({ cancel }))))
    expect.assertions(1)
  })

  it("cannot fill a message with its status text", async () => {
    const answer = { ok: false, status: 500, statusText: "z".repeat(5000), body: null }
    const opened = await fetchBodyReader(URL, { fetch: async () => answer as never })
    expect(opened.ok ? "" : opened.error.message).toMatch(/the server answered 500 z{100}$/)
  })
})
