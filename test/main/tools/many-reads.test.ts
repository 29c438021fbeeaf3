import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { runInChild } from "../../support/run-in-child.ts"

const onPosix = process.platform === "win32" ? describe.skip : describe

onPosix("a process that may have 256 files open", () => {
  it("answers 2,000 tool calls at once: open files wait their turn", async () => {
    const outcomes = await runInChild(join(import.meta.dirname, "many-reads.child.ts"), ["2000"], "ulimit -n 256")
    expect(outcomes).toEqual({ "content\n": 2_000 })
  })
})
