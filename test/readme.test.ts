import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, test } from "vitest"
import { DEFAULT_LIMITS } from "../src/main/limits.ts"

const root = join(import.meta.dirname, "..")
let readme: string

beforeAll(async () => {
  readme = await readFile(join(root, "README.md"), "utf8")
})

function block(language: string, from = 0): string {
  const start = readme.indexOf(`\`\`\`${language}\n`, from)
  return readme.slice(start + language.length + 4, readme.indexOf("\n```", start))
}

test("the two commands for a fresh clone are the ones that are checked", () => {
  expect(block("sh")).toBe("npm ci && npm run read -- README.md\nnpm ci && npm test")
})

test("the first example prints what the README says", async () => {
  const example = block("js", readme.indexOf("## Use it"))
  const promised = block("text", readme.indexOf("\nprints\n"))
  // The package's own name resolves to what was built.
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", example], { cwd: root })
  expect(stdout).toBe(`${promised}\n`)
})

test("the table of limits is that of the code", () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| ([\d,]+) \|$/gm)].map(([, name = "", value = ""]) => [
    name,
    Number(value.replaceAll(",", "")),
  ])
  expect(Object.fromEntries(rows)).toEqual({ ...DEFAULT_LIMITS })
})
