import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { NodeFileSystem } from "../../../src/main/fs/node-file-system.ts"
import { createOpenFiles } from "../../../src/main/fs/open-files.ts"
import { createReadTurns } from "../../../src/main/fs/read-turns.ts"
import { nodeWritableFileSystemModule } from "../../../src/main/fs/writable-file-system-module.ts"
import { MAX_OPEN_FILES, READ_CHUNK_BYTES } from "../../../src/main/limits.ts"
import type { FakeFileSystemHooks } from "../../../src/testing/fake-file-system-module.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, getOrThrow, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { until } from "../../support/document-extraction.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"

let root: string

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), "node-file-system-"))
  fs.mkdirSync(join(root, "folder/below"), { recursive: true })
  fs.writeFileSync(join(root, "file"), "text\n".repeat(READ_CHUNK_BYTES / 4))
  fs.writeFileSync(join(root, "folder/below/file"), "text")
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

function fakeFileSystem(hooks: FakeFileSystemHooks) {
  const { module, calls } = fakeFileSystemModule(hooks)
  const openFiles = createOpenFiles()
  const fileSystem = new NodeFileSystem(root, { fs: module, turns: createReadTurns(), openFiles })
  return { fileSystem, calls, openFiles }
}

type Method = (fileSystem: NodeFileSystem, context: Context) => Promise<Result<unknown, unknown>>

const METHODS: Readonly<Record<string, Method>> = {
  readTextFile: (files, c) => files.readTextFile("file", c),
  readTextLines: (files, c) => files.readTextLines("file", undefined, c),
  readBinaryFile: (files, c) => files.readBinaryFile("file", c),
  openFileReader: (files, c) => files.openFileReader("file", c),
  openTextLineReader: (files, c) => files.openTextLineReader("file", c),
  writeFile: (files, c) => files.writeFile("new/file", "x".repeat(2 * READ_CHUNK_BYTES), c),
  appendFile: (files, c) => files.appendFile("new/file", "x", c),
  renameFile: (files, c) => files.renameFile("file", "renamed", c),
  fileInfo: (files, c) => files.fileInfo("file", c),
  listDir: (files, c) => files.listDir("folder", c),
  canonicalPath: (files, c) => files.canonicalPath("file", c),
  exists: (files, c) => files.exists("file", c),
  createDir: (files, c) => files.createDir("made", undefined, c),
  remove: (files, c) => files.remove("folder", { recursive: true }, c),
  createTempDir: (files, c) => files.createTempDir("node-file-system-", c),
}

describe("an abort", () => {
  it.each(Object.entries(METHODS))("while any one call of %s is never answered settles it", async (name, method) => {
    // How many calls it takes, without an abort.
    const whole = fakeFileSystem({})
    const opened = getOrThrow(await method(whole.fileSystem, BACKGROUND_CONTEXT))
    if (isClosable(opened)) await opened.close(BACKGROUND_CONTEXT)
    if (name === "createTempDir") fs.rmdirSync(String(opened))
    const count = whole.calls.filter((call) => call.name !== "close").length
    expect(count).toBeGreaterThan(0)

    for (let hung = 1; hung <= count; hung++) {
      fs.rmSync(join(root, "new"), { recursive: true, force: true })
      fs.rmSync(join(root, "renamed"), { force: true })
      fs.writeFileSync(join(root, "file"), "text\n".repeat(READ_CHUNK_BYTES / 4))
      fs.mkdirSync(join(root, "folder/below"), { recursive: true })
      fs.writeFileSync(join(root, "folder/below/file"), "text")
      fs.rmSync(join(root, "made"), { recursive: true, force: true })
      let nth = 0
      let late: (() => void) | undefined
      const controller = new AbortController()
      const { fileSystem, calls, openFiles } = fakeFileSystem({
        beforeAnswer(call, deliver) {
          if (call.name === "close" || ++nth !== hung) return deliver()
          late = deliver
          controller.abort()
        },
      })
      const result = await method(fileSystem, withAbortSignal(controller.signal, BACKGROUND_CONTEXT))
      expect(result).toMatchObject({ ok: false, error: { code: "aborted" } })
      late?.()
      await whenQuiet(calls)
      // Every descriptor that came is closed again, and every place is free, however slowly the threads answer.
      await until(() => openDescriptors().every((one) => !one.includes(root)))
      for (let place = 0; place < MAX_OPEN_FILES; place++) await until(() => openFiles.tryEnter())
      if (name === "createTempDir") await until(() => calls.at(-1)?.name === "rmdir")
    }
  })
})

function isClosable(value: unknown): value is { close(context: Context): Promise<void> } {
  return typeof value === "object" && value !== null && "close" in value
}

/** Settles once several turns of the event loop have brought no further call. */
async function whenQuiet(calls: readonly unknown[]): Promise<void> {
  for (let seen = -1; seen !== calls.length; ) {
    seen = calls.length
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await fs.promises.stat(root)
  }
}

describe("a write", () => {
  it("goes on where the operating system took only a part", async () => {
    const module = { ...nodeWritableFileSystemModule }
    const { write } = nodeWritableFileSystemModule
    module.write = (fd, buffer, offset, length, position, done) =>
      write(fd, buffer, offset, Math.min(length, 1000), position, done)
    const fileSystem = new NodeFileSystem(root, { fs: module, turns: createReadTurns(), openFiles: createOpenFiles() })
    const text = "0123456789ç".repeat(1000)
    getOrThrow(await fileSystem.writeFile("new", text, BACKGROUND_CONTEXT))
    getOrThrow(await fileSystem.appendFile("new", "end", BACKGROUND_CONTEXT))
    expect(fs.readFileSync(join(root, "new"), "utf8")).toBe(`${text}end`)
  })

  it.each(["write", "close"] as const)("that fails at %s is an error", async (name) => {
    const failure = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
    const module = { ...nodeWritableFileSystemModule }
    if (name === "write") module.write = (_fd, _buffer, _offset, _length, _position, done) => done(failure, 0)
    else module.close = (fd, done) => nodeWritableFileSystemModule.close(fd, () => done(failure))
    const fileSystem = new NodeFileSystem(root, { fs: module, turns: createReadTurns(), openFiles: createOpenFiles() })
    const result = await fileSystem.writeFile("new", "text", BACKGROUND_CONTEXT)
    expect(result).toMatchObject({ ok: false, error: { code: "unknown", path: join(root, "new") } })
  })

  it.each([0, -1, 5, 0.5, Number.NaN])(
    "of which the operating system says that it took %d of 4 bytes is an error",
    async (count) => {
      const module = { ...nodeWritableFileSystemModule }
      module.write = (_fd, _buffer, _offset, _length, _position, done) => done(null, count)
      const fileSystem = new NodeFileSystem(root, {
        fs: module,
        turns: createReadTurns(),
        openFiles: createOpenFiles(),
      })
      expect(await fileSystem.writeFile("new", "text", BACKGROUND_CONTEXT)).toMatchObject({ ok: false })
    },
  )
})

describe("a temporary file", () => {
  it.each(["a/b", "../up", "a\0b", "/"])("is not made with %j in its name", async (part) => {
    const { fileSystem, calls } = fakeFileSystem({})
    for (const result of [
      await fileSystem.createTempDir(part, BACKGROUND_CONTEXT),
      await fileSystem.createTempFile({ prefix: part }, BACKGROUND_CONTEXT),
      await fileSystem.createTempFile({ suffix: part }, BACKGROUND_CONTEXT),
    ]) {
      expect(result).toMatchObject({ ok: false, error: { code: "invalid" } })
    }
    expect(calls).toEqual([])
  })

  it("stands in a folder that only this user may look into", async () => {
    const { fileSystem } = fakeFileSystem({})
    const path = getOrThrow(await fileSystem.createTempFile(undefined, BACKGROUND_CONTEXT))
    expect(fs.statSync(dirname(path)).mode & 0o777).toBe(0o700)
    fs.rmSync(dirname(path), { recursive: true })
  })
})

describe("a file that grows while it is read as a whole", () => {
  it("is read to the size it had when it was opened", async () => {
    const { fileSystem } = fakeFileSystem({
      beforeAnswer(call, deliver) {
        if (call.name === "read") fs.appendFileSync(join(root, "grows"), "more")
        deliver()
      },
    })
    fs.writeFileSync(join(root, "grows"), "first")
    expect(getOrThrow(await fileSystem.readTextFile("grows", BACKGROUND_CONTEXT))).toBe("first")
    fs.writeFileSync(join(root, "grows"), "first")
    expect(getOrThrow(await fileSystem.readTextLines("grows", undefined, BACKGROUND_CONTEXT))).toEqual(["first"])
    fs.writeFileSync(join(root, "grows"), "first")
    expect(Buffer.from(getOrThrow(await fileSystem.readBinaryFile("grows", BACKGROUND_CONTEXT))).toString()).toBe(
      "first",
    )
  })
})
