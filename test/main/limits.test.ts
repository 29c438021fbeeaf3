import { describe, expect, it } from "vitest"
import { DEFAULT_LIMITS, limitsFrom } from "../../src/main/limits.ts"
import { createNodeDocumentExtractor } from "../../src/main/node.ts"
import { createReadTool } from "../../src/main/tools/read.ts"

describe("The limits of a host", () => {
  it("stand in the place of the defaults, fractions cut", () => {
    expect(limitsFrom({ maxLines: 10.9, maxBytes: undefined as never })).toEqual({ ...DEFAULT_LIMITS, maxLines: 10 })
    expect(limitsFrom(undefined)).toEqual(DEFAULT_LIMITS)
    expect(limitsFrom(null)).toEqual(DEFAULT_LIMITS)
  })

  it.each([
    [{ maxBytes: Number.NaN }, "limits.maxBytes must be a number of 1 or more; got NaN"],
    [{ maxBytes: 0 }, "limits.maxBytes must be a number of 1 or more; got 0"],
    [{ maxBytes: -5 }, "limits.maxBytes must be a number of 1 or more; got -5"],
    [{ maxBytes: Number.POSITIVE_INFINITY }, "limits.maxBytes must be a number of 1 or more; got Infinity"],
    [{ maxLines: 0 }, "limits.maxLines must be a number of 1 or more; got 0"],
    [{ maxBytes: "10" }, "limits.maxBytes must be a number of 1 or more; got 10"],
    [{ countingDeadlineMs: Number.NaN }, "limits.countingDeadlineMs must be a number of 1 or more; got NaN"],
    [{ maxByte: 5 }, "limits.maxByte is no limit"],
    [{ toString: 5 }, "limits.toString is no limit"],
  ])("are refused where they bound nothing: %o", (limits, message) => {
    expect(() => createReadTool({ limits: limits as never })).toThrow(new RangeError(message))
    expect(() => createNodeDocumentExtractor({ limits: limits as never })).toThrow(new RangeError(message))
  })
})
