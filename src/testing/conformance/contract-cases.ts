import assert from "node:assert/strict"
import type { Context, FileSystem, Result } from "../../../vendor/pi-harness/index.ts"
import type { ConformanceCase } from "./conformance-case.ts"
import { abortedContext, assertFails, context, expectValue } from "./conformance-case.ts"

type Call = (fileSystem: FileSystem, path: string, context: Context) => Promise<Result<unknown, unknown>>

/** Every method that takes a path, with the path and the context open. */
const CALLS: Readonly<Record<string, Call>> = {
  readTextFile: (fs, path, c) => fs.readTextFile(path, c),
  openTextLineReader: (fs, path, c) => fs.openTextLineReader(path, c),
  readTextLines: (fs, path, c) => fs.readTextLines(path, undefined, c),
  readBinaryFile: (fs, path, c) => fs.readBinaryFile(path, c),
  openFileReader: (fs, path, c) => fs.openFileReader(path, c),
  writeFile: (fs, path, c) => fs.writeFile(path, "new", c),
  appendFile: (fs, path, c) => fs.appendFile(path, "new", c),
  renameFile: (fs, path, c) => fs.renameFile(path, "renamed", c),
  fileInfo: (fs, path, c) => fs.fileInfo(path, c),
  listDir: (fs, path, c) => fs.listDir(path, c),
  canonicalPath: (fs, path, c) => fs.canonicalPath(path, c),
  exists: (fs, path, c) => fs.exists(path, c),
  createDir: (fs, path, c) => fs.createDir(path, undefined, c),
  remove: (fs, path, c) => fs.remove(path, undefined, c),
}

/** What no type allows, and what callers hand over all the same. */
const NO_PATHS: readonly unknown[] = [undefined, null, 5, Number.NaN, true, {}, [], ["a"], Symbol("a"), () => "a"]

export const contractCases: readonly ConformanceCase[] = [
  ...Object.entries(CALLS).map(
    ([method, call]): ConformanceCase => ({
      title: `answers ${method} with an error, and never throws, where the path is none`,
      methods: [method],
      async run({ fileSystem }) {
        for (const path of NO_PATHS) {
          const result = await call(fileSystem, path as string, context)
          assert.equal(result.ok, false, `${method} of ${String(path)} succeeded`)
        }
        assertFails(await call(fileSystem, "a\0b", context), "invalid")
      },
    }),
  ),
  ...Object.entries(CALLS).map(
    ([method, call]): ConformanceCase => ({
      title: `does nothing in ${method} once the context is aborted`,
      methods: [method],
      async run({ fileSystem, arrange }) {
        expectValue(await arrange.writeFile("kept", "kept", context))
        assertFails(await call(fileSystem, "kept", abortedContext()), "aborted")
        assertFails(await call(fileSystem, "other", abortedContext()), "aborted")
        assert.equal(expectValue(await arrange.readTextFile("kept", context)), "kept")
        assert.equal(expectValue(await arrange.exists("other", context)), false)
        assert.equal(expectValue(await arrange.exists("renamed", context)), false)
      },
    }),
  ),
  ...Object.entries(CALLS).map(
    ([method, call]): ConformanceCase => ({
      title: `takes a relative path of ${method} as one of its cwd`,
      methods: [method],
      async run({ fileSystem, arrange, root }) {
        const folder = method === "listDir"
        for (const [name, path] of [
          ["first", "sub/first"],
          ["second", `${root}/sub/second`],
          ["third", "./sub/../sub/third"],
        ] as const) {
          const at = `${root}/sub/${name}`
          if (folder) expectValue(await arrange.createDir(at, undefined, context))
          else if (method !== "createDir") expectValue(await arrange.writeFile(at, "old", context))
          const result = await call(fileSystem, path, context)
          expectValue(result)
          if (method === "openFileReader" || method === "openTextLineReader") {
            await (expectValue(result) as { close(c: Context): Promise<void> }).close(context)
          }
        }
      },
    }),
  ),
  {
    title: "makes no temporary file or folder once the context is aborted",
    methods: ["createTempDir", "createTempFile"],
    async run({ fileSystem }) {
      assertFails(await fileSystem.createTempDir(undefined, abortedContext()), "aborted")
      assertFails(await fileSystem.createTempFile(undefined, abortedContext()), "aborted")
    },
  },
  {
    title: "answers content that is neither text nor bytes with an error",
    methods: ["writeFile", "appendFile"],
    async run({ fileSystem }) {
      for (const content of [undefined, null, 5, {}, ["a"]]) {
        assert.equal((await fileSystem.writeFile("a", content as unknown as string, context)).ok, false)
        assert.equal((await fileSystem.appendFile("a", content as unknown as string, context)).ok, false)
      }
    },
  },
  {
    title: "cleans up without a failure, twice and aborted too",
    methods: ["cleanup"],
    async run({ fileSystem }) {
      assert.equal(await fileSystem.cleanup(context), undefined)
      assert.equal(await fileSystem.cleanup(abortedContext()), undefined)
    },
  },
]
