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

  it("that fails has neither a password nor more than the start of the URL in its message", async () => {
    const url = `http://user:secret@127.0.0.1/${"x".repeat(5_000)}`
    const opened = await fetchBodyReader(url)
    const message = opened.ok ? "" : opened.error.message
    expect(message).toMatch(/^Not fetched: http:\/\/127\.0\.0\.1\/x+: /)
    expect(message).not.toContain("secret")
    expect(message.length).toBeLessThan(1_000)
  })

  it("whose body breaks off at once is a broken connection, and not of another kind", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) })
    const opened = await fetchBodyReader(URL, { fetch: async () => new Response(body), kinds: ["pdf"] })
    expect(opened).toMatchObject({ ok: false, error: { message: `Not fetched: ${URL}: the connection broke` } })
  })
})
