import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { fileSystemConformance, specialFilesOnDisk } from "../../../src/testing/file-system-conformance.ts"
import type { FileSystem } from "../../../vendor/pi-harness/index.ts"

/** The port as the upstream harness has it: everything but `openFileReader`. */
type UpstreamFileSystem = Omit<FileSystem, "openFileReader">

/** What a host does that has an upstream object. */
function withFileReader(upstream: UpstreamFileSystem): FileSystem {
  return new Proxy(upstream as FileSystem, {
    get(target, key) {
      if (key === "openFileReader") {
        const open: FileSystem["openFileReader"] = async (path, context) => {
          const absolute = await upstream.absolutePath(path, context)
          return absolute.ok ? openFileReader(absolute.value, context) : absolute
        }
        return open
      }
      const member: unknown = Reflect.get(target, key)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}

function onDisk(makeFileSystem: (root: string) => FileSystem) {
  return async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "conformance-")))
    return {
      fileSystem: makeFileSystem(root),
      root,
      ...specialFilesOnDisk,
      dispose: async () => rmSync(root, { recursive: true, force: true }),
    }
  }
}

const suites = [
  fileSystemConformance({ name: "NodeExecutionEnv", create: onDisk((cwd) => new NodeExecutionEnv({ cwd })) }),
  fileSystemConformance({
    name: "An upstream object with openFileReader added",
    create: onDisk((cwd) => withFileReader(new NodeExecutionEnv({ cwd }) satisfies UpstreamFileSystem)),
  }),
]

describe("the conformance suite", () => {
  it.each(suites.flat().map((one) => [one.title, one] as const))("%s", async (_, one) => {
    await expect(one.run()).resolves.toBeUndefined()
  })

  it("leaves out what a file system declares not to have, and nothing by a name that is none", () => {
    const create = onDisk((cwd) => new NodeExecutionEnv({ cwd }))
    const some = fileSystemConformance({ name: "x", create, skip: ["remove", "joins parts without looking at files"] })
    expect(some.some((one) => one.methods.includes("remove"))).toBe(false)
    expect(some.map((one) => one.title)).not.toContain("x joins parts without looking at files")
    expect(() => fileSystemConformance({ name: "x", create, skip: ["removes"] })).toThrow("removes")
  })

  it("covers every method of the port", () => {
    const covered = new Set(suites[0]?.flatMap((one) => one.methods))
    const methods: Record<keyof Omit<FileSystem, "cwd">, true> = {
      absolutePath: true,
      joinPath: true,
      readTextFile: true,
      openTextLineReader: true,
      readTextLines: true,
      readBinaryFile: true,
      openFileReader: true,
      writeFile: true,
      appendFile: true,
      renameFile: true,
      fileInfo: true,
      listDir: true,
      canonicalPath: true,
      exists: true,
      createDir: true,
      remove: true,
      createTempDir: true,
      createTempFile: true,
      cleanup: true,
    }
    expect([...covered].sort()).toEqual(Object.keys(methods).sort())
  })
})
