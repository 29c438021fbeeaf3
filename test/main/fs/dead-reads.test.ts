import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { runInChild } from "../../support/run-in-child.ts"

const CHILD = join(import.meta.dirname, "dead-reads.child.ts")
const HELD = expect.stringContaining("3 earlier file calls are still unanswered by the operating system")
const UNANSWERED = expect.stringContaining("the operating system has not answered for 30 s")

const onPosix = process.platform === "win32" ? describe.skip : describe

onPosix("files that never answer", () => {
  it.each([
    { dies: "read", count: 1, live: "alive\n", asked: 1 },
    { dies: "read", count: 2, live: "alive\n", asked: 2 },
    { dies: "read", count: 3, live: HELD, asked: 3 },
    { dies: "read", count: 10, live: HELD, asked: 3 },
    { dies: "open", count: 1, live: "alive\n", asked: 1 },
    { dies: "open", count: 2, live: "alive\n", asked: 2 },
    { dies: "open", count: 3, live: HELD, asked: 3 },
    { dies: "open", count: 10, live: HELD, asked: 3 },
  ])("leave threads for everyone else: $count of them at their $dies", async ({ dies, count, live, asked }) => {
    expect(await runInChild(CHILD, [dies, String(count)])).toEqual({
      askedOfKernel: asked,
      elsewhereAnswers: true,
      live,
      dead: Array.from({ length: count }, (_, index) => (index < asked ? UNANSWERED : HELD)),
      liveAfterwards: "alive\n",
      descriptorsLeft: 0,
    })
  })
})
