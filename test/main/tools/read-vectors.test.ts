import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createReadTool, type ReadTool } from "../../../src/main/tools/read.ts"
import { FakeFileByteReader } from "../../../src/testing/fake-file-byte-reader.ts"
import type { ExecutionEnv } from "../../../vendor/pi-harness/index.ts"
import { loadVectorFiles, loadVectors, type ReadVector, sha256Of } from "../../support/read-vectors.ts"
import { callRead, envWithReader, ToolFolder, textOf } from "../../support/tool-calls.ts"

let folder: ToolFolder
let vectors: ReadVector[]
let files: Map<string, Uint8Array>

beforeAll(async () => {
  folder = await ToolFolder.make()
  vectors = await loadVectors()
  files = await loadVectorFiles()
  for (const [name, bytes] of files) await writeFile(join(folder.path, name), bytes)
})

afterAll(() => folder.remove())

/** What the tool answers to a vector, in the vector's own terms. */
async function answerTo(vector: ReadVector, tool: ReadTool, env: ExecutionEnv): Promise<ReadVector> {
  const { content: path, offset, limit } = vector
  const asked = {
    content: path,
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined ? {} : { limit }),
  }
  try {
    const result = await callRead(tool, env, { path, offset: offset ?? null, limit: limit ?? null })
    const text = textOf(result)
    if (text === `[Empty file: ${path}]`) return { ...asked, emptyNotice: true }
    const bytes = Buffer.from(text)
    const { content: _, ...truncation } = result.details?.truncation ?? {}
    return {
      ...asked,
      textSha256: sha256Of(bytes),
      textBytes: bytes.length,
      ...(result.details?.truncation === undefined ? {} : { truncation }),
    }
  } catch (error) {
    return { ...asked, error: error instanceof Error ? error.message : String(error) }
  }
}

function withoutEnd({ textEnd: _, ...vector }: ReadVector): ReadVector {
  return vector
}

describe("the 1,728 golden vectors of upstream's whole-file tool", () => {
  it("are all there", () => {
    expect(vectors).toHaveLength(1_728)
    expect(files.size).toBe(24)
  })

  it.each([
    ["with a line index that all calls share", {}],
    ["with none", { lineIndex: false as const }],
    ["without a shell, where no line is over the limit", { shell: false }],
  ])("hold on the real file system, %s", async (_, options) => {
    const tool = createReadTool(options)
    const asked = vectors.filter(({ textEnd = "" }) => !("shell" in options) || !textEnd.includes("exceeds 50.0KB"))
    expect(asked.length).toBeGreaterThan(1_000)
    for (const vector of asked) expect(await answerTo(vector, tool, folder.env)).toEqual(withoutEnd(vector))
  })

  it("hold over a reader that answers any number of bytes at a time", async () => {
    const tool = createReadTool({ lineIndex: false })
    for (const [nth, vector] of vectors.entries()) {
      const content = files.get(vector.content) ?? new Uint8Array()
      const reader = new FakeFileByteReader({ path: vector.content, content, shortReads: nth + 1 })
      expect(await answerTo(vector, tool, envWithReader(folder.env, reader))).toEqual(withoutEnd(vector))
    }
  })
})
