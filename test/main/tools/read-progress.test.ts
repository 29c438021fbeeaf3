import { describe, expect, it } from "vitest"
import { startProgress } from "../../../src/main/tools/read-progress.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"

function started(throws = false) {
  const clock = new FakeClock()
  const told: string[] = []
  const report = (text: string) => {
    told.push(`${clock.now()} ${text}`)
    if (throws) throw new Error("a spectator failed")
  }
  return { clock, told, progress: startProgress(report, clock) }
}

describe("Progress", () => {
  it("is told after 250 ms and then at most every 250 ms, the latest words first", () => {
    const { clock, told, progress } = started()
    for (let ms = 0; ms <= 1_000; ms += 10) {
      progress.say(() => `at ${ms}`)
      clock.advance(10)
    }
    expect(told).toEqual(["250 at 240", "500 at 490", "750 at 740", "1000 at 990"])
  })

  it("is not told of a call that is over before", () => {
    const { clock, told, progress } = started()
    progress.say(() => "quick")
    clock.advance(249)
    progress.stop()
    clock.advance(10_000)
    expect(told).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })

  it("is not told twice in the same words, and comes back with new ones", () => {
    const { clock, told, progress } = started()
    progress.say(() => "opening")
    clock.advance(2_000)
    progress.say(() => "reading")
    clock.advance(2_000)
    expect(told).toEqual(["250 opening", "2250 reading"])
  })

  it("goes on where the one who listens throws", () => {
    const { clock, told, progress } = started(true)
    progress.say(() => "a")
    clock.advance(300)
    progress.say(() => "b")
    clock.advance(300)
    expect(told).toEqual(["250 a", "500 b"])
  })

  it("starts no timer where nobody listens", () => {
    const clock = new FakeClock()
    const progress = startProgress(undefined, clock)
    progress.say(() => "a")
    progress.stop()
    expect(clock.pendingTimers).toBe(0)
  })

  it("makes up for a blocked main thread with one word, not with all that were due", () => {
    const { clock, told, progress } = started()
    progress.say(() => "a")
    clock.block(2_000)
    progress.say(() => "b")
    clock.advance(249)
    expect(told).toEqual(["2000 a"])
  })
})
