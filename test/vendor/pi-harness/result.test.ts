import { describe, expect, it } from "vitest"
import type { ShellOutputUpdate, ShellOutputView } from "../../../vendor/pi-harness/index.ts"
import {
  applyShellOutputUpdate,
  ExecutionError,
  err,
  FileError,
  getOrThrow,
  ok,
  toError,
  truncateHead,
} from "../../../vendor/pi-harness/index.ts"

describe("a result", () => {
  it("is a value or an error, and getOrThrow makes it one or the other", () => {
    expect(getOrThrow(ok(1))).toBe(1)
    const error = new Error("no")
    expect(() => getOrThrow(err(error))).toThrow(error)
  })

  it.each<[unknown, string]>([
    ["text", "text"],
    [5, "5"],
    [null, "null"],
    [undefined, "undefined"],
    [{ a: 1 }, '{"a":1}'],
    [10n, "10"],
    [Symbol("s"), "Symbol(s)"],
  ])("holds %s, once thrown, as an Error", (thrown, message) => {
    expect(toError(thrown)).toBeInstanceOf(Error)
    expect(toError(thrown).message).toBe(message)
  })

  it("holds what no string can be made of as an Error too", () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const thrown of [circular, Object.create(null), new Proxy({}, { get: () => thrower() })]) {
      expect(toError(thrown)).toBeInstanceOf(Error)
    }
    const error = new Error("x")
    expect(toError(error)).toBe(error)
  })
})

function thrower(): never {
  throw new Error("hostile")
}

describe("the errors of the port", () => {
  it("carry code, path and cause where there are any", () => {
    const cause = new Error("cause")
    const error = new FileError("invalid", "message", "/path", cause)
    expect([error.name, error.code, error.message, error.path, error.cause]).toEqual([
      "FileError",
      "invalid",
      "message",
      "/path",
      cause,
    ])
    expect("cause" in new FileError("invalid", "message")).toBe(false)
    expect(new ExecutionError("timeout", "message")).toMatchObject({ name: "ExecutionError", code: "timeout" })
  })
})

describe("an output update", () => {
  const { content: _, ...truncation } = truncateHead("")
  const metadata = { truncation }
  const view: ShellOutputView = { truncation, spillPath: "/spill", text: "é😀ab" }

  it.each<[ShellOutputUpdate, ShellOutputView]>([
    [
      { kind: "replace", output: { ...metadata, text: "new" } },
      { truncation, text: "new" },
    ],
    [
      { kind: "append", text: "c", metadata },
      { truncation, text: "é😀abc" },
    ],
    // UTF-16 code units are dropped.
    [
      { kind: "slide", drop: 3, text: "c", metadata },
      { truncation, text: "abc" },
    ],
    [
      { kind: "metadata", metadata: { truncation, lastLineBytes: 5 } },
      { truncation, lastLineBytes: 5, text: "é😀ab" },
    ],
  ])("changes the view as its kind says (%#)", (update, expected) => {
    expect(applyShellOutputUpdate(view, update)).toEqual(expected)
  })

  it("begins with an empty view", () => {
    expect(applyShellOutputUpdate(undefined, { kind: "append", text: "a", metadata })).toEqual({
      truncation,
      text: "a",
    })
  })
})
