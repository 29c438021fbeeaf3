import { beforeEach, describe, expect, it } from "vitest"
import type { Callback, ReadTurns, TurnOptions } from "../../../src/main/fs/read-turns.ts"
import { createReadTurns } from "../../../src/main/fs/read-turns.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import type { FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

let clock: FakeClock
let turns: ReadTurns
/** Names of the calls that were made, in order. */
let made: string[]
let answers: Map<string, Callback<string>>

beforeEach(() => {
  clock = new FakeClock()
  turns = createReadTurns({ clock })
  made = []
  answers = new Map()
})

/** A call that is answered when the test says so. */
function call(name: string, options: Partial<TurnOptions<string>> = {}): Promise<Result<string, FileError>> {
  return turns.run<string>(
    (done) => {
      made.push(name)
      answers.set(name, done)
    },
    { context: BACKGROUND_CONTEXT, path: `/${name}`, ...options },
  )
}

function answer(name: string): void {
  answers.get(name)?.(null, `value of ${name}`)
}

function abortable(): { abort: () => void; context: TurnOptions<string>["context"] } {
  const controller = new AbortController()
  return { abort: () => controller.abort(), context: withAbortSignal(controller.signal, BACKGROUND_CONTEXT) }
}

/** What the promise has settled to by now, or "pending". */
async function stateOf<T>(promise: Promise<T>): Promise<T | "pending"> {
  return Promise.race([promise, new Promise<"pending">((resolve) => setImmediate(() => resolve("pending")))])
}

describe("turns of file-system calls", () => {
  it("makes two calls at once and the next when one comes back", async () => {
    const first = call("a")
    call("b")
    const third = call("c")
    expect(made).toEqual(["a", "b"])
    answer("a")
    expect(made).toEqual(["a", "b", "c"])
    expect(await first).toEqual({ ok: true, value: "value of a" })
    expect(await stateOf(third)).toBe("pending")
  })

  it("serves callers in turn, and each one's calls in their order", () => {
    const greedy = {}
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) call(name, { caller: greedy })
    call("b")
    const other = {}
    call("c1", { caller: other })
    call("c2", { caller: other })
    const served = ["a1", "a2", "a3", "b", "c1", "a4", "c2", "a5"]
    for (const name of served) answer(name)
    expect(made).toEqual(served)
  })

  it("maps a failure of the call, and one that is thrown", async () => {
    const failed = turns.run<void>((done) => done(Object.assign(new Error("no"), { code: "ENOENT" }), undefined), {
      context: BACKGROUND_CONTEXT,
      path: "/x",
    })
    const threw = turns.run<void>(
      () => {
        throw Object.assign(new TypeError("NUL"), { code: "ERR_INVALID_ARG_VALUE" })
      },
      { context: BACKGROUND_CONTEXT, path: "/y" },
    )
    expect(await failed).toMatchObject({ ok: false, error: { code: "not_found", path: "/x" } })
    expect(await threw).toMatchObject({ ok: false, error: { code: "invalid", path: "/y" } })
  })

  it("serves thousands of calls that are answered before they return", async () => {
    const results = await Promise.all(
      Array.from({ length: 20_000 }, (_, index) =>
        turns.run<number>((done) => done(null, index), { context: BACKGROUND_CONTEXT }),
      ),
    )
    expect(results.every((result, index) => result.ok && result.value === index)).toBe(true)
  })

  it("serves thousands that wait, when the ones before them are answered at once", async () => {
    call("a")
    call("b")
    const waiting = Array.from({ length: 20_000 }, () =>
      turns.run<void>((done) => done(null, undefined), { context: BACKGROUND_CONTEXT }),
    )
    answer("a")
    expect((await Promise.all(waiting)).every((result) => result.ok)).toBe(true)
  })

  it("ignores a second answer to one call", () => {
    for (const name of ["a", "b", "c", "d"]) call(name)
    answer("a")
    answer("a")
    expect(made).toEqual(["a", "b", "c"])
  })
})

describe("a call that the operating system does not answer", () => {
  it("lends its turn on after 5 s", () => {
    for (const name of ["dead", "a", "b", "c"]) call(name)
    answer("a")
    expect(made).toEqual(["dead", "a", "b"])
    clock.advance(4_999)
    expect(made).toEqual(["dead", "a", "b"])
    clock.advance(1)
    expect(made).toEqual(["dead", "a", "b", "c"])
  })

  it("leaves two turns when it is alone, and one beside another dead one", () => {
    call("dead1")
    clock.advance(5_000)
    for (const name of ["a", "b", "c"]) call(name)
    expect(made).toEqual(["dead1", "a", "b"])
    answer("a")
    answer("b")
    answer("c")
    call("dead2")
    clock.advance(5_000)
    for (const name of ["d", "e"]) call(name)
    expect(made.slice(4)).toEqual(["dead2", "d"])
    answer("d")
    expect(made.slice(4)).toEqual(["dead2", "d", "e"])
  })

  it("is an error for its caller after 30 s, and keeps its thread", async () => {
    const dead = call("dead")
    clock.advance(29_999)
    expect(await stateOf(dead)).toBe("pending")
    clock.advance(1)
    expect(await stateOf(dead)).toMatchObject({
      ok: false,
      error: { code: "unknown", path: "/dead", message: expect.stringContaining("has not answered for 30 s") },
    })
    for (const name of ["a", "b", "c"]) call(name)
    expect(made).toEqual(["dead", "a", "b"])
  })

  it("fails all that wait and all that come at once when three threads are held", async () => {
    const all = ["dead1", "dead2", "dead3", "d", "e"].map((name) => call(name))
    clock.advance(5_000)
    expect(made).toEqual(["dead1", "dead2", "dead3"])
    expect(await stateOf(Promise.race(all))).toBe("pending")
    clock.advance(5_000)
    const held = { ok: false, error: { code: "unknown", message: expect.stringContaining("3 earlier file calls") } }
    expect(await stateOf(Promise.all(all.slice(3)))).toMatchObject([held, held])
    expect(await stateOf(call("new"))).toMatchObject(held)
    expect(made).toHaveLength(3)
  })

  it("makes all well again when it comes back", async () => {
    for (const name of ["dead1", "dead2", "dead3"]) call(name)
    clock.advance(60_000)
    answer("dead2")
    const live = call("live")
    answer("live")
    expect(await live).toEqual({ ok: true, value: "value of live" })
    answer("dead1")
    answer("dead3")
    for (const name of ["a", "b", "c"]) call(name)
    expect(made.slice(4)).toEqual(["a", "b"])
  })

  it("is never made when it would be the fourth, however many are asked for", () => {
    for (let index = 0; index < 10; index++) call(`dead${index}`)
    for (let second = 0; second < 120; second++) {
      clock.advance(1_000)
      call(`later${second}`)
    }
    expect(made).toHaveLength(3)
  })

  it("is not made out of a main thread that was blocked", async () => {
    const slow = call("slow")
    call("b")
    call("c")
    clock.block(31_000)
    expect(made).toEqual(["slow", "b"])
    // The answer was there all along, and is delivered before the clock judges again.
    answer("slow")
    expect(await slow).toMatchObject({ ok: true })
    answer("b")
    answer("c")
    clock.advance(60_000)
    expect(clock.pendingTimers).toBe(0)
  })

  it("costs one timer, however many calls there are", () => {
    for (let index = 0; index < 1_000; index++) {
      call(`${index}`)
      expect(clock.pendingTimers).toBe(1)
      answer(`${index}`)
    }
    clock.advance(5_000)
    expect(clock.pendingTimers).toBe(0)
  })
})

describe("an aborted call", () => {
  it("is not made when it was aborted before", async () => {
    const { abort, context } = abortable()
    abort()
    expect(await call("a", { context })).toMatchObject({ ok: false, error: { code: "aborted", path: "/a" } })
    expect(made).toEqual([])
  })

  it("leaves the queue at once", async () => {
    call("a")
    call("b")
    const { abort, context } = abortable()
    const caller = {}
    const waiting = call("c", { context, caller })
    call("d", { caller })
    abort()
    expect(await stateOf(waiting)).toMatchObject({ ok: false, error: { code: "aborted" } })
    answer("a")
    expect(made).toEqual(["a", "b", "d"])
  })

  it("settles while it is under way, keeps its turn, and hands its late value over", async () => {
    const late: string[] = []
    const { abort, context } = abortable()
    const aborted = call("a", { context, whenLate: (value) => late.push(value) })
    call("b")
    call("c")
    abort()
    expect(await stateOf(aborted)).toMatchObject({ ok: false, error: { code: "aborted" } })
    expect([made, late]).toEqual([["a", "b"], []])
    answer("a")
    expect([made, late]).toEqual([["a", "b", "c"], ["value of a"]])
  })

  it("hands over no failure, and nothing that came in time", async () => {
    const late: string[] = []
    const whenLate = (value: string) => late.push(value)
    const { abort, context } = abortable()
    const failing = call("a", { context, whenLate })
    const inTime = call("b", { context, whenLate })
    answer("b")
    abort()
    answers.get("a")?.(new Error("late failure"), "")
    expect(await failing).toMatchObject({ ok: false, error: { code: "aborted" } })
    expect(await inTime).toMatchObject({ ok: true })
    expect(late).toEqual([])
  })

  it("hands over a value that came after 30 s", () => {
    const late: string[] = []
    call("a", { whenLate: (value) => late.push(value) })
    clock.advance(30_000)
    answer("a")
    expect(late).toEqual(["value of a"])
  })

  it("leaves no listener on the signal", async () => {
    const controller = new AbortController()
    let listeners = 0
    const signal = new Proxy(controller.signal, {
      get(target, name) {
        if (name === "addEventListener") listeners++
        if (name === "removeEventListener") listeners--
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === "function" ? member.bind(target) : member
      },
    })
    for (let index = 0; index < 10; index++) {
      const result = call("a", { context: withAbortSignal(signal, BACKGROUND_CONTEXT) })
      answer("a")
      await result
    }
    expect(listeners).toBe(0)
  })
})

describe("a call that must run", () => {
  it("is made though it was aborted, before or while it waits", async () => {
    call("a")
    call("b")
    const before = abortable()
    before.abort()
    const while_ = abortable()
    const results = [
      call("close1", { context: before.context, mustRun: true }),
      call("close2", { context: while_.context, mustRun: true }),
    ]
    while_.abort()
    expect(await stateOf(Promise.all(results))).toMatchObject([{ ok: false }, { ok: false }])
    answer("a")
    answer("b")
    expect(made).toEqual(["a", "b", "close1", "close2"])
  })

  it("answers its caller when all threads are held, and is made when one comes back", async () => {
    for (const name of ["dead1", "dead2", "dead3"]) call(name)
    const early = call("early", { mustRun: true })
    clock.advance(10_000)
    expect(await stateOf(early)).toMatchObject({ ok: false })
    expect(await stateOf(call("close", { mustRun: true }))).toMatchObject({ ok: false })
    expect(made).toHaveLength(3)
    answer("dead1")
    answer("early")
    expect(made.slice(3)).toEqual(["early", "close"])
  })
})
