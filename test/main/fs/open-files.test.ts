import { beforeEach, describe, expect, it } from "vitest"
import type { OpenFiles } from "../../../src/main/fs/open-files.ts"
import { createOpenFiles } from "../../../src/main/fs/open-files.ts"
import { MAX_OPEN_FILES } from "../../../src/main/limits.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import type { Context } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

let clock: FakeClock
let places: OpenFiles
/** Who got a place after waiting, and who did not, in order. */
let answered: string[]

beforeEach(() => {
  clock = new FakeClock()
  places = createOpenFiles({ clock })
  answered = []
  for (let taken = 0; taken < MAX_OPEN_FILES; taken++) {
    if (!places.tryEnter()) throw new Error(`place ${taken} was not free`)
  }
})

function enter(name: string, context: Context = BACKGROUND_CONTEXT): void {
  void places.enter(`/${name}`, context).then((result) => {
    answered.push(result.ok ? name : `${name}: ${result.error.code}: ${result.error.message}`)
  })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe("places for open files", () => {
  it("are given in the order they were asked for, one for each that is left", async () => {
    for (const name of ["a", "b", "c"]) enter(name)
    await settled()
    expect(answered).toEqual([])
    places.leave()
    places.leave()
    await settled()
    expect(answered).toEqual(["a", "b"])
  })

  it("are not taken past those who wait", async () => {
    enter("a")
    expect(places.tryEnter()).toBe(false)
    places.leave()
    await settled()
    expect(answered).toEqual(["a"])
    expect(places.tryEnter()).toBe(false)
    places.leave()
    expect(places.tryEnter()).toBe(true)
    expect(places.tryEnter()).toBe(false)
  })

  it("are free again after all have left", () => {
    for (let taken = 0; taken < MAX_OPEN_FILES; taken++) places.leave()
    let free = 0
    while (places.tryEnter()) free++
    expect(free).toBe(MAX_OPEN_FILES)
  })

  it("are not given to whom aborts, before or while waiting", async () => {
    const before = new AbortController()
    before.abort()
    enter("a", withAbortSignal(before.signal, BACKGROUND_CONTEXT))
    const meanwhile = new AbortController()
    enter("b", withAbortSignal(meanwhile.signal, BACKGROUND_CONTEXT))
    enter("c")
    meanwhile.abort()
    await settled()
    expect(answered).toEqual(["a: aborted: Aborted: /a", "b: aborted: Aborted: /b"])
    places.leave()
    await settled()
    expect(answered.at(-1)).toBe("c")
  })

  it("are an error once none has come free for 30 s", async () => {
    enter("a")
    clock.advance(20_000)
    enter("b")
    clock.advance(10_000)
    await settled()
    expect(answered).toEqual([
      `a: unknown: Not opened: /a: ${MAX_OPEN_FILES} files are open already and none was closed for 30 s. Try again later.`,
    ])
    clock.advance(20_000)
    await settled()
    expect(answered).toHaveLength(2)
    expect(clock.pendingTimers).toBe(0)
  })

  it("are waited for as long as others come free meanwhile", async () => {
    for (let index = 0; index < 10; index++) enter(`${index}`)
    for (let index = 0; index < 10; index++) {
      clock.advance(29_000)
      places.leave()
    }
    await settled()
    expect(answered).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
  })
})
