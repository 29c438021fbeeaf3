import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { PAGE, startBodyServer } from "./support/body-server.ts"
import { textPdf } from "./support/build-pdf.ts"
import { blockOf, blocksOf, ROOT } from "./support/readme.ts"

const execute = promisify(execFile)

/** Of a model that stands in for one of a provider. */
const MODEL_ANSWER = `
  const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
  const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const answer = (content, unified) => ({ content, finishReason: { unified, raw: "" }, usage, warnings: [] })
`

/** A project that has this package, and what its examples read. */
let project: string
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-readme-")))
  project = join(folder, "project")
  const modules = join(project, "node_modules")
  await mkdir(join(modules, "original-fs"), { recursive: true })
  await symlink(ROOT, join(modules, "bounded-read"), "junction")
  await symlink(join(ROOT, "node_modules", "ai7"), join(modules, "ai"), "junction")
  await writeFile(join(project, "package.json"), '{ "type": "module" }')
  await writeFile(join(project, "LICENSE"), await readFile(join(ROOT, "LICENSE")))
  await writeFile(join(project, "paper.pdf"), textPdf(["Hello, world"]))
  await writeFile(join(project, ".env"), "TOKEN=marker-that-nobody-may-see")
  await writeFile(join(folder, "notes.txt"), "marker-that-nobody-may-see")
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** What an example prints that runs as a module of the project, after `before`, a module that stands in for a host. */
async function printedBy(example: string, before = "export {}", env: NodeJS.ProcessEnv = {}): Promise<string> {
  await writeFile(join(project, "example.js"), example)
  await writeFile(join(project, "before.js"), before)
  const args = ["--import", pathToFileURL(join(project, "before.js")).href, "example.js"]
  const { stdout } = await execute(process.execPath, args, { cwd: project, env: { ...process.env, ...env } })
  return stdout
}

describe("the README's example", () => {
  test("prints what it says", async () => {
    expect(await printedBy(blockOf("js", "Use it"))).toBe(`${blockOf("text", "Use it")}\n`)
  })

  test("with guards prints what it says, and nothing of what they refuse", async () => {
    const printed = await printedBy(blockOf("js", "Use it", 1))
    expect(printed.replaceAll(folder, "/home/me")).toBe(`${blockOf("text", "Use it", 1)}\n`)
  })

  test("for Electron reads a document in a utility process, on the fake", async () => {
    const modules = join(project, "node_modules")
    await mkdir(join(modules, "electron"), { recursive: true })
    await writeFile(join(modules, "original-fs", "package.json"), '{ "main": "index.cjs" }')
    await writeFile(join(modules, "original-fs", "index.cjs"), 'module.exports = require("node:fs")')
    await writeFile(join(modules, "electron", "package.json"), '{ "type": "module", "main": "index.js" }')
    const fake = JSON.stringify(pathToFileURL(join(ROOT, "test/electron/fake-electron.mjs")).href)
    await writeFile(
      join(modules, "electron", "index.js"),
      `import { createFakeElectron } from ${fake}
       export const { app, utilityProcess } = createFakeElectron()
       Object.assign(app, { whenReady: async () => {}, getPath: () => process.cwd() })
       process.on("SIGTERM", () => { app.emit("will-quit"); process.exit() })`,
    )
    await writeFile(join(project, "main.js"), blockOf("js", "Electron"))
    const child = spawn(process.execPath, ["main.js"], { cwd: project, stdio: ["ignore", "pipe", "inherit"] })
    const exited = once(child, "exit")
    let printed = ""
    // Electron runs until it quits: it is told to once it has printed the whole result.
    for await (const text of child.stdout.setEncoding("utf8")) {
      printed += text
      if (/^}$/m.test(printed)) child.kill()
    }
    await exited
    expect(printed).toContain("Hello, world")
    expect(printed).toMatch(/receipt: \{\s+kind: 'document'/)
  })

  test("for pi is an extension that registers `read`", async () => {
    const use = 'import extend from "./extension.js"\nextend({ registerTool: ({ name }) => console.log(name) })'
    await writeFile(join(project, "extension.js"), blockOf("js", "pi"))
    expect(await printedBy(use)).toBe("read\n")
  })

  test("for the AI SDK lets a model read a file", async () => {
    // The SDK takes a model's name to the provider that stands here; this one asks for the file and tells what it got.
    const provider = `
      import { MockLanguageModelV4 } from "ai/test"
      ${MODEL_ANSWER}
      const call = { type: "tool-call", toolCallId: "1", toolName: "read", input: '{"path":"LICENSE","limit":1}' }
      const doGenerate = async ({ prompt }) => {
        const told = prompt.find(({ role }) => role === "tool")?.content[0].output.value[0].text
        if (told === undefined) return answer([call], "tool-calls")
        return answer([{ type: "text", text: told }], "stop")
      }
      const languageModel = () => new MockLanguageModelV4({ doGenerate })
      globalThis.AI_SDK_DEFAULT_PROVIDER = { specificationVersion: "v4", languageModel }
    `
    expect(await printedBy(blockOf("js", "AI SDK"), provider)).toMatch(/^MIT License\n\n\[\d+ more lines in file\./)
  })

  test("for PDFs asks a model about one", async () => {
    const openai = join(project, "node_modules", "@ai-sdk", "openai")
    await mkdir(openai, { recursive: true })
    await writeFile(join(openai, "package.json"), '{ "type": "module", "main": "index.js" }')
    const model = `import { MockLanguageModelV4 } from "ai/test"
      ${MODEL_ANSWER}
      const doGenerate = async ({ prompt }) =>
        answer([{ type: "text", text: JSON.stringify(prompt).includes("Hello, world") ? "the world" : "nobody" }], "stop")
      export const openai = (modelId) => new MockLanguageModelV4({ modelId, doGenerate })`
    await writeFile(join(openai, "index.js"), model)
    expect(await printedBy(blockOf("js", "Ask about PDFs"))).toMatch(/text: '[^']*the world/)
  })

  test("for a web body reads the page", async () => {
    const server = await startBodyServer()
    const redirect = "const real = fetch\nglobalThis.fetch = () => real(process.env.PAGE_URL)"
    const printed = await printedBy(blockOf("js", "Web bodies"), redirect, { PAGE_URL: server.url("/page") })
    await server.close()
    expect(printed).toContain(`bytes: ${PAGE.length}`)
    expect(printed).toContain("<p>A line of the page.")
    expect(printed).not.toContain("changed: true")
  })
})

test("every example passes the strictest types, against the sources", async () => {
  const checked = join(folder, "checked")
  await mkdir(checked)
  await symlink(join(ROOT, "node_modules"), join(checked, "node_modules"), "junction")
  const examples = blocksOf("js")
  expect(examples.length).toBeGreaterThan(5)
  for (const [i, { section, text }] of examples.entries()) {
    // A module of its own each, whether or not it imports anything.
    await writeFile(join(checked, `${i}-${section.replaceAll(/\W+/g, "-")}.ts`), `${text}\nexport {}\n`)
  }
  const types = await typesOfEntries()
  types["@ai-sdk/openai"] = [join(checked, "openai.d.ts")]
  await writeFile(
    join(checked, "openai.d.ts"),
    'import type { LanguageModel } from "ai"\nexport declare function openai(id: string): LanguageModel\n',
  )
  types.ai = [join(ROOT, "node_modules/ai7/dist/index.d.ts")]
  const options = { paths: types, noEmit: true, rootDir: "/" }
  const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions: options, include: ["*.ts"], exclude: [] }
  await writeFile(join(checked, "tsconfig.json"), JSON.stringify(config))
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc")
  // One that is wrong, so that it is seen that this sees anything.
  await writeFile(
    join(checked, "wrong.ts"),
    'import { createReadTool } from "bounded-read"\ncreateReadTool({ shel: 1 })\n',
  )
  const { stdout } = await execute(process.execPath, [compiler, "-p", checked]).catch(
    (error: { stdout: string }) => error,
  )
  const [first = "", ...more] = stdout.split("\n").filter((line) => /^\S/.test(line))
  expect(more).toEqual([])
  expect(first).toMatch(/wrong\.ts\(2,18\): error TS2561/)
}, 240_000)

/** Each entry of package.json as `paths` of TypeScript, to the source that its types are made of. */
async function typesOfEntries(): Promise<Record<string, string[]>> {
  const facts = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string }>
  }
  const entries = Object.entries(facts.exports).flatMap(([entry, target]) => {
    if (typeof target === "string") return []
    const source = target.types.replace("./out/types/", "").replace(/\.d\.ts$/, ".ts")
    return [[entry.replace(".", "bounded-read"), [join(ROOT, source)]] as [string, string[]]]
  })
  return Object.fromEntries(entries)
}
