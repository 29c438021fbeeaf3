import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseReadParameters, READ_PARAMETERS } from "../../../src/main/tools/parameters.ts"
import { getOrThrow } from "../../../vendor/pi-harness/index.ts"

const parse = (input: unknown) => getOrThrow(parseReadParameters(input))

function refusal(input: unknown): string {
  const parsed = parseReadParameters(input)
  return parsed.ok ? "" : parsed.error.message
}

describe("The numbers of a read", () => {
  it.each([
    [undefined, 1],
    [null, 1],
    [-1, 1],
    [0, 1],
    [0.5, 1],
    [1.5, 1],
    [2.999, 2],
    [1e9, 1e9],
    ["380", 380],
    [" 380 ", 380],
    ["-7", 1],
    ["1.5", 1],
    ["1e3", 1000],
    ["+4", 4],
    ["007", 7],
    [Number.MAX_VALUE, Number.MAX_SAFE_INTEGER],
    ["9".repeat(40), Number.MAX_SAFE_INTEGER],
    [-0, 1],
  ])("take offset %j as line %j", (offset, line) => {
    expect(parse({ path: "a", offset })).toEqual({ path: "a", offset: line })
  })

  it.each([
    [-1, 0],
    [0, 0],
    [0.5, 0],
    ["50", 50],
    [2000.9, 2000],
    [1e300, Number.MAX_SAFE_INTEGER],
  ])("take limit %j as %j lines", (limit, lines) => {
    expect(parse({ path: "a", limit })).toEqual({ path: "a", offset: 1, limit: lines })
  })

  it.each([
    [0, 1],
    ["51201", 51201],
    [3.7, 3],
  ])("take column %j as byte %j", (column, byte) => {
    expect(parse({ path: "a", column })).toEqual({ path: "a", offset: 1, column: byte })
  })

  const MALFORMED = [
    "",
    " ",
    "abc",
    "12abc",
    "0x10",
    "1,000",
    "Infinity",
    "NaN",
    "1".repeat(65),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    {},
    [],
    [5],
    5n,
    Symbol("x"),
    () => 5,
  ]

  it.each(["offset", "limit", "column"])("state the rule where %s is malformed", (name) => {
    for (const value of MALFORMED) {
      expect(refusal({ path: "a", [name]: value })).toMatch(new RegExp(`^"${name}" must be .*; got `))
    }
  })
})

describe("The other parameters of a read", () => {
  it.each([undefined, null, "", 5, {}, ["a"], true])("refuse %j as a path", (path) => {
    expect(refusal({ path })).toMatch(/^"path" must be the path of a file/)
  })

  it("refuse a path that holds U+0000", () => {
    expect(refusal({ path: "a\0b" })).toContain("U+0000")
  })

  it.each([undefined, null, "a", 5, [], ["a"]])("must be an object, not %j", (input) => {
    expect(refusal(input)).not.toBe("")
  })

  it("name the parameters there are where one is unknown", () => {
    expect(refusal({ path: "a", start_line: 5 })).toBe(
      'Unknown parameter "start_line". The parameters are: path, offset, limit, column, encoding, pages, password, region.',
    )
    expect(refusal({ file_path: "a" })).toContain("path, offset")
  })

  it("may be null where they are left out", () => {
    const nothing = Object.fromEntries(Object.keys(READ_PARAMETERS.properties as object).map((name) => [name, null]))
    expect(parse({ ...nothing, path: "a", other: null })).toEqual({ path: "a", offset: 1 })
  })

  it.each([
    ["utf-8", "utf-8"],
    ["UTF8", "utf-8"],
    ["latin1", "windows-1252"],
    ["GBK", "gbk"],
    ["GB18030", "gb18030"],
    ["Shift_JIS", "shift_jis"],
    ["utf-16", "utf-16le"],
    ["UTF-16BE", "utf-16be"],
    ["koi8-r", "koi8-r"],
  ])("take encoding %j as %j", (encoding, name) => {
    expect(parse({ path: "a", encoding })).toEqual({ path: "a", offset: 1, encoding: name })
  })

  it.each(["", "klingon", "utf-32", "utf-7", 8, {}, "x".repeat(100_000)])("refuse encoding %j", (encoding) => {
    const message = refusal({ path: "a", encoding })
    expect(message).toMatch(/^"encoding" must be a label of the WHATWG Encoding Standard/)
    expect(message.length).toBeLessThan(300)
  })

  it.each([
    ["1-3,7", "1-3,7"],
    [" 1 - 3 , 7 ", "1-3,7"],
    [4, "4"],
    ["5-5", "5-5"],
  ])("take pages %j as %j", (pages, text) => {
    expect(parse({ path: "a", pages })).toEqual({ path: "a", offset: 1, pages: text })
  })

  it.each(["", "0", "3-1", "1-", "-1", "a", "1,,2", 0, 1.5, -1, {}, [1], "1,".repeat(5000)])(
    "refuse pages %j",
    (pages) => {
      expect(refusal({ path: "a", pages })).toMatch(/^"pages" must be page numbers/)
    },
  )

  it("take a region in whole pixels", () => {
    const region = { x: "10", y: 0, width: 20.9, height: 30 }
    expect(parse({ path: "a", region }).region).toEqual({ x: 10, y: 0, width: 20, height: 30 })
  })

  it.each([5, "0,0,1,1", [], {}, { x: 0, y: 0, width: 0, height: 1 }, { x: -1, y: 0, width: 1, height: 1 }])(
    "refuse region %j",
    (region) => {
      expect(refusal({ path: "a", region })).toMatch(/^"region" must be/)
    },
  )

  it("never end in anything but parameters or a rule, whatever is sent", () => {
    const names = Object.keys(READ_PARAMETERS.properties as object)
    const value = fc.oneof(fc.anything(), fc.string(), fc.double(), fc.constant(null))
    const input = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...names), value))
    fc.assert(
      fc.property(input, (sent) => {
        const parsed = parseReadParameters(sent)
        if (!parsed.ok) {
          expect(parsed.error.message).toMatch(/^.{10,500}$/)
          return
        }
        const { offset, limit = 0, column = 1 } = parsed.value
        expect([offset, limit, column].every(Number.isSafeInteger)).toBe(true)
        expect([offset >= 1, limit >= 0, column >= 1]).toEqual([true, true, true])
      }),
    )
  })
})
