import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { BodyChunks } from "../../src/body/body-chunks.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"

const MIB = 1024 * 1024
const LONG_MS = 600_000

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** A stream of `count` chunks of 1 MiB, each made when it is asked for. */
function streamOf(count: number): ReadableStream<Uint8Array> {
  let left = count
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (left-- > 0) controller.enqueue(new Uint8Array(MIB))
    else controller.close()
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

const silent = (): ReadableStream<Uint8Array> => new ReadableStream({ pull: () => new Promise(() => undefined) })

describe("the chunks of a body", () => {
  it("are not kept once the next one is asked for", async () => {
    const chunks = new BodyChunks(streamOf(200), LONG_MS, BACKGROUND_CONTEXT)
    const taken: WeakRef<Uint8Array>[] = []
    for (let at = 0; at < 150; at++) {
      const chunk = await chunks.next()
      if (chunk.kind === "bytes") taken.push(new WeakRef(chunk.bytes))
    }
    expect(taken).toHaveLength(150)
    // A collection of its own turn each time: what a turn has looked at, it holds.
    const kept = (): number => {
      collectGarbage()
      return taken.filter((chunk) => chunk.deref() !== undefined).length
    }
    await expect.poll(kept, { timeout: 20_000 }).toBeLessThanOrEqual(2)
    expect((await chunks.next()).kind).toBe("bytes")
    chunks.cancel()
  })

  it("end with the body, and stay ended", async () => {
    const chunks = new BodyChunks(streamOf(1), LONG_MS, BACKGROUND_CONTEXT)
    expect((await chunks.next()).kind).toBe("bytes")
    expect(await chunks.next()).toEqual({ kind: "end" })
    expect(await chunks.next()).toEqual({ kind: "end" })
    chunks.cancel()
  })

  it.each([
    { what: "before", abortFirst: true },
    { what: "while", abortFirst: false },
  ])("end at an abort that comes $what one is waited for, and none follows", async ({ abortFirst }) => {
    const abort = new AbortController()
    const chunks = new BodyChunks(silent(), LONG_MS, withAbortSignal(abort.signal, BACKGROUND_CONTEXT))
    if (abortFirst) abort.abort()
    const next = chunks.next()
    abort.abort()
    expect(await next).toEqual({ kind: "aborted" })
    expect(await chunks.next()).toEqual({ kind: "aborted" })
    chunks.cancel()
  })

  it("end at the deadline, also for who asks later", async () => {
    const chunks = new BodyChunks(silent(), 1, BACKGROUND_CONTEXT)
    expect(await chunks.next()).toEqual({ kind: "timeout" })
    expect(await chunks.next()).toEqual({ kind: "timeout" })
    chunks.cancel()
  })

  it("say that the connection broke, or that they are no bytes", async () => {
    const error = new Error("reset")
    const breaking = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) })
    const broken = new BodyChunks(breaking, LONG_MS, BACKGROUND_CONTEXT)
    expect(await broken.next()).toEqual({ kind: "broken", error })
    broken.cancel()
    const words = new ReadableStream({ pull: (controller) => controller.enqueue("text") })
    const wrong = new BodyChunks(words, LONG_MS, BACKGROUND_CONTEXT)
    const message = "The body is not a stream of bytes"
    expect(await wrong.next()).toMatchObject({ kind: "broken", error: { message } })
    wrong.cancel()
  })
})
