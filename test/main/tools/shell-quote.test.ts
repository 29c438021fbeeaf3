import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { quoteForShell } from "../../../src/main/tools/shell-quote.ts"

const run = promisify(execFile)

const PLAIN = ["a.txt", "/var/log/sys_log-1.2", "a@b%c+d=e:f,g", "../x/./y"]

const QUOTED: [string, string][] = [
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ["$(rm -rf ~)", "'$(rm -rf ~)'"],
  ["`id`", "'`id`'"],
  ["a;b", "'a;b'"],
  ["a\nb", "'a\nb'"],
  ['"', "'\"'"],
  ["*", "'*'"],
  ["~/x", "'~/x'"],
  ["été", "'été'"],
  ["", "''"],
]

describe("A path in a command hint", () => {
  it.each(PLAIN)("stays as it is where it is plain: %j", (path) => {
    expect(quoteForShell(path)).toBe(path)
  })

  it.each(QUOTED)("is quoted where it is not: %j", (path, quoted) => {
    expect(quoteForShell(path)).toBe(quoted)
  })

  it("is no option of a command", () => {
    expect(quoteForShell("-rf")).toBe("./-rf")
    expect(quoteForShell("-r f")).toBe("'./-r f'")
  })

  it.each([
    ...PLAIN,
    ...QUOTED.map(([path]) => path),
    "\\",
    "'",
    "''",
    "!!",
    "a\tb",
    "#x",
    "&",
    "|",
    "<>",
    "$HOME",
    "{a,b}",
    "\u202e",
  ])("is one word of a real shell: %j", async (path) => {
    const { stdout } = await run("sh", ["-c", `printf '%s|' ${quoteForShell(path)}`])
    expect(stdout).toBe(`${path}|`)
  })
})
