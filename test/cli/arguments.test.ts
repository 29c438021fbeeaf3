import { describe, expect, test } from "vitest"
import { readArguments } from "../../src/cli/arguments.ts"

describe("a command line that asks for a read", () => {
  const plain = { kind: "read", json: false, shell: true }

  test.each([
    { args: ["a.txt"], read: { ...plain, asked: { path: "a.txt" } } },
    {
      args: ["--offset", "3", "--limit=5", "--column", "7", "a.txt"],
      read: { ...plain, asked: { path: "a.txt", offset: "3", limit: "5", column: "7" } },
    },
    { args: ["a.txt", "--offset=-1"], read: { ...plain, asked: { path: "a.txt", offset: "-1" } } },
    { args: ["--limit", "1.5", "a.txt"], read: { ...plain, asked: { path: "a.txt", limit: "1.5" } } },
    {
      args: ["--encoding", "gbk", "--pages", "1-3,7", "--password", "p w", "a.pdf"],
      read: { ...plain, asked: { path: "a.pdf", encoding: "gbk", pages: "1-3,7", password: "p w" } },
    },
    {
      args: ["--region", "0,120,800x600", "a.png"],
      read: { ...plain, asked: { path: "a.png", region: { x: "0", y: "120", width: "800", height: "600" } } },
    },
    {
      args: ["--json", "--no-shell", "a.txt"],
      read: { kind: "read", json: true, shell: false, asked: { path: "a.txt" } },
    },
    { args: ["--", "--json"], read: { ...plain, asked: { path: "--json" } } },
    { args: ["./mcp"], read: { ...plain, asked: { path: "./mcp" } } },
    { args: [" "], read: { ...plain, asked: { path: " " } } },
  ])("$args", ({ args, read }) => {
    expect(readArguments(args)).toEqual(read)
  })
})

test.each([
  { args: ["--help"], kind: "help" },
  { args: ["-h", "--offset", "x"], kind: "help" },
  { args: ["--version"], kind: "version" },
  { args: ["-V"], kind: "version" },
])("$args asks for $kind", ({ args, kind }) => {
  expect(readArguments(args)).toEqual({ kind })
})

describe("a wrong command line says what is wrong", () => {
  test.each([
    { args: [], says: /path is needed/ },
    { args: [""], says: /path is needed/ },
    { args: ["a", "b"], says: /one path at a time: "b"/i },
    { args: ["--offset", "ten", "a"], says: /"offset" must be a line number.*"ten"/ },
    { args: ["--limit", "", "a"], says: /"limit" must be/ },
    { args: ["--limit", "  ", "a"], says: /"limit" must be/ },
    { args: ["--column", "Infinity", "a"], says: /"column" must be/ },
    { args: ["--offset", "NaN", "a"], says: /"offset" must be/ },
    { args: ["--encoding", "klingon", "a"], says: /"encoding" must be/ },
    { args: ["--pages", "0", "a"], says: /"pages" must be/ },
    ...["", "all", "1,2,3,4", "1,2,3x", "1,2,0x4", "-1,2,3x4", "1.5,2,3x4", "1,2,3x4x5", "1,2,9999999999x4"].map(
      (region) => ({
        args: [`--region=${region}`, "a"],
        says: `--region must be X,Y,WxH in pixels: ${JSON.stringify(region)} is not.`,
      }),
    ),
    { args: ["a\0b"], says: /U\+0000/ },
    { args: ["--offset"], says: /--offset/ },
    { args: ["--json=yes", "a"], says: /--json/ },
    { args: ["--colour", "a"], says: /--colour/ },
  ])("$args", ({ args, says }) => {
    expect(readArguments(args)).toEqual({ kind: "wrong", message: expect.stringMatching(says) })
  })
})
