import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { buildPng } from "../support/build-png.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../support/document-extraction.ts"

const root = join(import.meta.dirname, "..", "..")

/** An app whose packer left sharp, or its native part, behind: the built package in a folder where nothing else is. */
let app: string
beforeAll(async () => {
  app = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-no-sharp-")))
  const installed = join(app, "node_modules", "bounded-read")
  await mkdir(installed, { recursive: true })
  await cp(dirname(DOCUMENT_PROCESS_ENTRY), join(installed, "out", "main"), { recursive: true })
  await cp(join(root, "package.json"), join(installed, "package.json"))
  await writeFile(join(app, "wide.png"), buildPng({ width: 2_400, height: 30, sample: (x, y) => (x ^ y) & 255 }))
  await writeFile(join(app, "three.txt"), "one\ntwo\nthree\n")
  await writeFile(
    join(app, "read.mjs"),
    `import { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv } from "bounded-read"
     import { createNodeDocumentExtractor } from "bounded-read/node"
     const documentExtractor = createNodeDocumentExtractor({ limits: { documentDeadlineMs: 60_000 } })
     const tool = createReadTool({ documentExtractor })
     const env = new NodeExecutionEnv({ cwd: import.meta.dirname })
     const read = (path) => tool.execute("1", { path }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
     const contents = []
     for (const path of process.argv.slice(2)) contents.push((await read(path)).content)
     await documentExtractor.close()
     console.log(JSON.stringify(contents))`,
  )
})
afterAll(() => rm(app, { recursive: true, force: true }))

async function readInApp(...paths: string[]): Promise<{ type: string; text?: string }[][]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["read.mjs", ...paths], { cwd: app })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const NOTICE = /^\[PNG image \(\d.*KB, 2400 x 30 pixels\), not shown: sharp could not be loaded: (.*)\]$/

describe("an app that was packed without sharp", () => {
  test("says exactly that of every image that is to be decoded, and reads everything else", async () => {
    const [first = [], second = [], third = []] = await readInApp("wide.png", "wide.png", "three.txt")
    for (const content of [first, second]) {
      expect(content).toHaveLength(1)
      expect(content[0]?.text).toMatch(NOTICE)
      expect(NOTICE.exec(content[0]?.text ?? "")?.[1]).toContain("Cannot find package 'sharp'")
    }
    expect(third).toEqual([{ type: "text", text: "one\ntwo\nthree\n" }])
  })

  test("says so of one that was packed without its native part", async () => {
    for (const name of ["sharp", "detect-libc", "semver", join("@img", "colour")]) {
      await cp(join(root, "node_modules", name), join(app, "node_modules", name), { recursive: true })
    }
    const [content = []] = await readInApp("wide.png")
    expect(content).toHaveLength(1)
    expect(NOTICE.exec(content[0]?.text ?? "")?.[1]).toContain('Could not load the "sharp" module')
  })
})
