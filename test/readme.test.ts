import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readArguments } from "../src/cli/arguments.ts"
import { readPdfArguments } from "../src/cli/pdf-arguments.ts"
import { DEFAULT_LIMITS } from "../src/main/limits.ts"
import { readArguments as readServerArguments } from "../src/mcp/arguments.ts"
import { BLOCKS, blockOf, blocksOf, README, ROOT, SECTIONS } from "./support/readme.ts"

test("the two commands for a fresh clone are the ones that are checked", () => {
  expect(blockOf("sh", "Try it")).toBe("npm ci && npm run read -- README.md\nnpm ci && npm test")
})

test("the table of limits is that of the code", () => {
  const rows = [...README.matchAll(/^\| `(\w+)` \| ([\d,]+) \|$/gm)].map(([, name = "", value = ""]) => [
    name,
    Number(value.replaceAll(",", "")),
  ])
  expect(Object.fromEntries(rows)).toEqual({ ...DEFAULT_LIMITS })
})

test("the table of entries is that of package.json", async () => {
  const facts = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { exports: object }
  const entries = Object.keys(facts.exports).filter((entry) => !entry.endsWith(".json"))
  const rows = [...README.matchAll(/^\| `(bounded-read(?:\/\w+)?)` \| /gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(entries.map((entry) => entry.replace(".", "bounded-read")).sort())
})

test("every command line of the program is one that it takes", () => {
  const lines = blocksOf("sh").flatMap(({ text }) =>
    text.split("\n").filter((line) => line.startsWith("bounded-read ")),
  )
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) {
    const [, ...args] = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    if (args[0] === "pdf") expect(readPdfArguments(args.slice(1)), line).toMatchObject({ kind: "analyze" })
    else expect(readArguments(args), line).toMatchObject({ kind: "read" })
  }
})

test.each(["MCP server", "Electron", "pi", "AI SDK", "Web bodies"])("the section %s has under 15 lines", (title) => {
  const section = SECTIONS.find((it) => it.title === title)
  expect(section?.lines.length).toBeGreaterThan(3)
  expect(section?.lines.length).toBeLessThan(15)
})

test("every block says its language, and all but output is checked here or run", () => {
  expect(README.match(/^```$/gm)?.length).toBe(BLOCKS.length)
  expect([...new Set(BLOCKS.map(({ language }) => language))].sort()).toEqual(["js", "json", "sh", "text"])
})

describe("the configuration of an MCP client", () => {
  interface Server {
    type?: string
    command: string
    args: string[]
  }
  const configurations = blocksOf("json").map(({ text }) => JSON.parse(text) as Record<string, { files: Server }>)

  test("is `mcpServers` for Claude Desktop and Cursor, and typed `servers` for VS Code", () => {
    expect(configurations.map((configuration) => Object.keys(configuration))).toEqual([["mcpServers"], ["servers"]])
    expect(configurations[1]?.servers?.files.type).toBe("stdio")
  })

  test("starts the program that the package has, with arguments that it takes", async () => {
    const facts = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { name: string; bin: object }
    for (const configuration of configurations) {
      const [server] = Object.values(configuration)
      const [yes, name, host, ...args] = server?.files.args ?? []
      expect([server?.files.command, yes, name, host]).toEqual(["npx", "-y", facts.name, "mcp"])
      expect(Object.keys(facts.bin)).toEqual([name])
      expect(readServerArguments(args)).toMatchObject({ kind: "serve", roots: [expect.any(String)] })
    }
  })
})
