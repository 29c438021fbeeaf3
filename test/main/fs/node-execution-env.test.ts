import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { MAX_WHOLE_FILE_BYTES, MAX_WHOLE_TEXT_BYTES, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../../vendor/pi-harness/index.ts"

let root: string
let env: NodeExecutionEnv

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "node-execution-env-"))
  env = new NodeExecutionEnv({ cwd: root })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe("text", () => {
  it("keeps a character that a chunk border cuts", async () => {
    const text = `${"a".repeat(READ_CHUNK_BYTES - 1)}😀${"b".repeat(READ_CHUNK_BYTES - 2)}ç\nlast`
    writeFileSync(join(root, "border"), text)
    expect(getOrThrow(await env.readTextFile("border", context))).toBe(text)
    expect(getOrThrow(await env.readTextLines("border", undefined, context))).toEqual(text.split("\n"))
  })

  it("writes a pair of surrogates whole, wherever the chunks of a long string are cut", async () => {
    for (const shift of ["", "a", "ab"]) {
      const text = shift + "😀".repeat(READ_CHUNK_BYTES / 2)
      getOrThrow(await env.writeFile("pairs", text, context))
      expect(readFileSync(join(root, "pairs"), "utf8") === text).toBe(true)
    }
  })

  it("refuses what no string can hold by its size, and reads nothing of it", async () => {
    writeFileSync(join(root, "huge"), "")
    truncateSync(join(root, "huge"), MAX_WHOLE_TEXT_BYTES + 1)
    expect(await env.readTextFile("huge", context)).toMatchObject({ ok: false, error: { code: "invalid" } })
    truncateSync(join(root, "huge"), MAX_WHOLE_FILE_BYTES + 1)
    expect(await env.readBinaryFile("huge", context)).toMatchObject({ ok: false, error: { code: "invalid" } })
    expect(getOrThrow(await env.fileInfo("huge", context)).size).toBe(MAX_WHOLE_FILE_BYTES + 1)
  })

  it("reads to its end a file whose size says nothing", async ({ skip }) => {
    if (process.platform !== "linux") skip("procfs is Linux's")
    const text = getOrThrow(await env.readTextFile("/proc/self/status", context))
    expect(text).toContain(`Pid:\t${process.pid}\n`)
    expect(getOrThrow(await env.readBinaryFile("/proc/self/status", context)).byteLength).toBeGreaterThan(100)
    expect(getOrThrow(await env.readTextLines("/proc/self/status", { maxLines: 1 }, context))).toHaveLength(1)
  })
})

describe("removal", () => {
  it("takes a link away and leaves what it leads to", async () => {
    getOrThrow(await env.writeFile("outside/kept", "kept", context))
    getOrThrow(await env.writeFile("tree/a/b/c", "gone", context))
    symlinkSync(join(root, "outside"), join(root, "tree/a/link"))
    getOrThrow(await env.remove("tree", { recursive: true }, context))
    expect(readdirSync(root)).toEqual(["outside"])
    expect(readFileSync(join(root, "outside/kept"), "utf8")).toBe("kept")
  })

  it("refuses the root of the file system", async () => {
    expect(await env.remove("/", { recursive: true, force: true }, context)).toMatchObject({
      ok: false,
      error: { code: "invalid" },
    })
  })
})

describe("descriptors", () => {
  it("are all closed again, whether a call succeeds or fails", async ({ skip }) => {
    if (process.platform !== "linux") skip("counts /proc/self/fd")
    execFileSync("mkfifo", [join(root, "fifo")])
    getOrThrow(await env.writeFile("file", "one\ntwo\n", context))
    const before = readdirSync("/proc/self/fd").length
    for (const path of ["file", "fifo", ".", "missing"]) {
      await env.readTextFile(path, context)
      await env.readTextLines(path, { maxLines: 1 }, context)
      await env.readBinaryFile(path, context)
      await env.appendFile(path === "missing" ? "." : path, "x", context)
    }
    expect(readdirSync("/proc/self/fd").length).toBe(before)
  })
})
