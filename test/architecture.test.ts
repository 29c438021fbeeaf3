import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { IMPORT_RULES, REACH_RULES } from "./support/import-rules.ts"
import { cruiseFolder, loadPaths } from "./support/module-graph.ts"

const root = join(import.meta.dirname, "..")

const ruleSet: IFlattenedRuleSet = {
  forbidden: IMPORT_RULES.map(({ says, forbids }) => ({ ...forbids, name: says, severity: "error" })),
}

describe("who may import whom", () => {
  let graph: ICruiseResult

  beforeAll(async () => {
    graph = await cruiseFolder(root, ["src", "vendor"], ruleSet)
  })

  test("the sources are seen at all, with what they import", () => {
    const sources = graph.modules.filter((module) => /^(src|vendor)\//.test(module.source))
    expect(sources.length).toBeGreaterThan(15)
    expect(sources.flatMap((module) => module.dependencies).length).toBeGreaterThan(25)
    expect(sources.map((module) => module.source)).toContain("src/main/index.ts")
  })

  test.each(IMPORT_RULES)("$says", ({ says }) => {
    expect(violationsOf(says, graph)).toEqual([])
  })

  test.each(REACH_RULES)("$says", ({ from, neverLoads }) => {
    expect(loadPaths(graph.modules, from, neverLoads)).toEqual([])
  })
})

describe("a tree that breaks one rule is found guilty", () => {
  const folders: string[] = []

  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-rules-")))
    folders.push(folder)
    for (const [name, text] of Object.entries({ "package.json": '{ "name": "broken" }', ...files })) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    return folder
  }

  test.each(IMPORT_RULES)("$says", async ({ says, broken }) => {
    const graph = await cruiseFolder(await folderOf(broken), rootsOf(broken), ruleSet)
    expect(violationsOf(says, graph)).not.toEqual([])
  })

  test.each(REACH_RULES)("$says", async ({ from, neverLoads, broken }) => {
    const graph = await cruiseFolder(await folderOf(broken), rootsOf(broken))
    expect(loadPaths(graph.modules, from, neverLoads)).not.toEqual([])
  })
})

function violationsOf(rule: string, graph: ICruiseResult): string[] {
  const broken = graph.summary.violations.filter((violation) => violation.rule.name === rule)
  return broken.map(({ from, to }) => `${from} -> ${to}`)
}

function rootsOf(files: Readonly<Record<string, string>>): string[] {
  return [...new Set(Object.keys(files).map((name) => name.split("/")[0] ?? ""))].filter((name) =>
    ["src", "vendor"].includes(name),
  )
}
