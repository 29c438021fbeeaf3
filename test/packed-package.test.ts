import { execFile } from "node:child_process"
import { access, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { buildDocx, heading, paragraph } from "./support/build-docx.ts"

// Runs by `npm run test:packed`, which builds first: it needs a registry or a filled npm cache, and a while.
const root = join(import.meta.dirname, "..")
const shell = process.platform === "win32"

let folder: string
let installed: string

async function run(command: string, args: string[], cwd = folder): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, shell, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-packed-")))
  installed = join(folder, "node_modules", "bounded-read")
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], root)
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }')
  const tarball = join(folder, `bounded-read-${version}.tgz`)
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball])
  await writeFile(join(folder, "three.txt"), "one\ntwo\nthree\n")
  await writeFile(join(folder, "not.pdf"), "%PDF-1.4 not really")
  await writeFile(join(folder, "word.docx"), buildDocx({ body: heading(1, "Packed") + paragraph("Words.") }))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe("the package, installed from its tarball", () => {
  test("reads a file for a script, and a document in its process", async () => {
    await writeFile(
      join(folder, "read.js"),
      `import { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv } from "bounded-read"
       import { createNodeDocumentExtractor } from "bounded-read/node"
       const documentExtractor = createNodeDocumentExtractor()
       const tool = createReadTool({ documentExtractor })
       const env = new NodeExecutionEnv({ cwd: process.cwd() })
       const read = (path) => tool.execute("1", { path, limit: 1 }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
       const text = await read("three.txt")
       const { receipt } = await read("not.pdf")
       const word = await read("word.docx")
       await documentExtractor.close()
       console.log(JSON.stringify([text.content[0].text, receipt.document.notRead, word.content[0].text]))`,
    )
    expect(JSON.parse(await run(process.execPath, ["read.js"]))).toEqual([
      "one\n\n[3 more lines in file. Use offset=2 to continue.]",
      "unsupported",
      "# Packed\n\n[2 more lines in file. Use offset=2 to continue.]",
    ])
  })

  test("reads a file on the command line", async () => {
    const program = join(folder, "node_modules", ".bin", "bounded-read")
    expect(await run(program, ["three.txt"])).toBe("one\ntwo\nthree\n")
    expect(await run(program, ["mcp", "--help"])).toContain("bounded-read mcp --root DIR")
    // Loads what asks the model, which is built in.
    expect(await run(program, ["pdf", "--help"])).toContain("bounded-read pdf [options] FILE...")
  })

  test("has every file that its exports name, and can load each", async () => {
    const facts = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as {
      exports: Record<string, string | { types: string; default: string }>
      pi: { extensions: string[] }
    }
    for (const file of facts.pi.extensions) await access(join(installed, file))
    const entries = Object.entries(facts.exports)
    expect(entries.length).toBeGreaterThan(3)
    for (const [entry, target] of entries) {
      const files = typeof target === "string" ? [target] : [target.types, target.default]
      for (const file of files) await access(join(installed, file))
      if (typeof target === "string") continue
      await run(process.execPath, [
        "--input-type=module",
        "-e",
        `await import("${entry.replace(".", "bounded-read")}")`,
      ])
    }
  })

  test.each([
    { resolution: "nodenext", module: "nodenext" },
    { resolution: "bundler", module: "esnext" },
  ])("has types under $resolution", async ({ resolution, module }) => {
    await writeFile(
      join(folder, "consumer.ts"),
      `import { createReadTool, DEFAULT_LIMITS, type Limits, NodeExecutionEnv, type ReadReceipt } from "bounded-read"
       import { createNodeDocumentExtractor } from "bounded-read/node"
       export const limits: Limits = DEFAULT_LIMITS
       export const tool = createReadTool({ documentExtractor: createNodeDocumentExtractor(), limits: { maxLines: 10 } })
       export const env = new NodeExecutionEnv({ cwd: "." })
       export const kind = (receipt: ReadReceipt): string => receipt.kind
       // @ts-expect-error the types are there: a word is no number
       export const wrong: Limits = { ...DEFAULT_LIMITS, maxLines: "many" }
       // @ts-expect-error and so is the list of options
       createReadTool({ nonsense: true })`,
    )
    const options = ["--noEmit", "--strict", "--target", "es2023", "--module", module, "--moduleResolution", resolution]
    const types = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"]
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc")
    expect(await run(process.execPath, [compiler, ...options, ...types, "consumer.ts"])).toBe("")
  })
})
