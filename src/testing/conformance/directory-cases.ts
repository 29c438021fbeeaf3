import assert from "node:assert/strict"
import type { ConformanceCase } from "./conformance-case.ts"
import { assertFails, context, expectValue } from "./conformance-case.ts"

export const directoryCases: readonly ConformanceCase[] = [
  {
    title: "describes a name without following it",
    methods: ["fileInfo"],
    needs: "special files",
    async run({ fileSystem, arrange, makeFifo, makeSymlink, root }) {
      expectValue(await arrange.writeFile("folder/file", "12345", context))
      await makeSymlink("folder/file", `${root}/link`)
      await makeSymlink("nowhere", `${root}/dangling`)
      await makeFifo(`${root}/fifo`)
      const file = expectValue(await fileSystem.fileInfo("folder/file", context))
      assert.ok(Math.abs(Date.now() - file.mtimeMs) < 86_400_000)
      assert.deepEqual(file, {
        name: "file",
        path: `${root}/folder/file`,
        kind: "file",
        size: 5,
        mtimeMs: file.mtimeMs,
      })
      assert.equal(expectValue(await fileSystem.fileInfo("folder", context)).kind, "directory")
      assert.equal(expectValue(await fileSystem.fileInfo("link", context)).kind, "symlink")
      assert.equal(expectValue(await fileSystem.fileInfo("dangling", context)).kind, "symlink")
      assertFails(await fileSystem.fileInfo("fifo", context), "invalid")
      assertFails(await fileSystem.fileInfo("missing", context), "not_found")
    },
  },
  {
    title: "lists what stands directly in a folder, special files left out",
    methods: ["listDir"],
    needs: "special files",
    async run({ fileSystem, arrange, makeFifo, makeSymlink, root }) {
      expectValue(await arrange.writeFile("folder/b", "12345", context))
      expectValue(await arrange.writeFile("folder/a/below", "x", context))
      await makeSymlink("nowhere", `${root}/folder/c`)
      await makeFifo(`${root}/folder/d`)
      await makeSymlink("folder", `${root}/link`)
      const infos = expectValue(await fileSystem.listDir("folder", context))
      const sorted = infos.map(({ name, path, kind }) => [name, path, kind]).sort()
      assert.deepEqual(sorted, [
        ["a", `${root}/folder/a`, "directory"],
        ["b", `${root}/folder/b`, "file"],
        ["c", `${root}/folder/c`, "symlink"],
      ])
      assert.equal(expectValue(await fileSystem.listDir("link", context)).length, 3)
    },
  },
  {
    title: "tells why it cannot list",
    methods: ["listDir"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "x", context))
      expectValue(await arrange.createDir("empty", undefined, context))
      assert.deepEqual(expectValue(await fileSystem.listDir("empty", context)), [])
      assertFails(await fileSystem.listDir("file", context), "not_directory")
      assertFails(await fileSystem.listDir("missing", context), "not_found")
    },
  },
  {
    title: "knows whether something stands there",
    methods: ["exists"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("folder/file", "x", context))
      assert.equal(expectValue(await fileSystem.exists("folder/file", context)), true)
      assert.equal(expectValue(await fileSystem.exists("folder", context)), true)
      assert.equal(expectValue(await fileSystem.exists("missing", context)), false)
      assert.equal(expectValue(await fileSystem.exists("missing/too", context)), false)
    },
  },
  {
    title: "says of a symlink that it is there, wherever it leads",
    methods: ["exists", "canonicalPath"],
    needs: "special files",
    async run({ fileSystem, makeSymlink, root }) {
      await makeSymlink("nowhere", `${root}/dangling`)
      assert.equal(expectValue(await fileSystem.exists("dangling", context)), true)
      assertFails(await fileSystem.canonicalPath("dangling", context), "not_found")
    },
  },
  {
    title: "makes folders, those above too unless it is told not to",
    methods: ["createDir"],
    async run({ fileSystem, arrange }) {
      expectValue(await fileSystem.createDir("a/b/c", undefined, context))
      expectValue(await fileSystem.createDir("a/b/c", { recursive: true }, context))
      expectValue(await fileSystem.createDir("a/d", { recursive: false }, context))
      assert.equal(expectValue(await arrange.fileInfo("a/b/c", context)).kind, "directory")
      assert.equal((await fileSystem.createDir("a/d", { recursive: false }, context)).ok, false)
      assertFails(await fileSystem.createDir("e/f", { recursive: false }, context), "not_found")
      expectValue(await arrange.writeFile("file", "x", context))
      assert.equal((await fileSystem.createDir("file", undefined, context)).ok, false)
      assertFails(await fileSystem.createDir("file/below", undefined, context), "not_directory", "unknown")
    },
  },
  {
    title: "removes a file, and a folder only if it is told to",
    methods: ["remove"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("tree/a/b", "x", context))
      expectValue(await arrange.writeFile("file", "x", context))
      expectValue(await fileSystem.remove("file", undefined, context))
      assertFails(await fileSystem.remove("file", undefined, context), "not_found")
      expectValue(await fileSystem.remove("file", { force: true }, context))
      assert.equal((await fileSystem.remove("tree", undefined, context)).ok, false)
      assert.equal((await fileSystem.remove("tree", { force: true }, context)).ok, false)
      assert.equal(expectValue(await arrange.readTextFile("tree/a/b", context)), "x")
      expectValue(await fileSystem.remove("tree", { recursive: true }, context))
      assert.equal(expectValue(await arrange.exists("tree", context)), false)
    },
  },
  {
    title: "removes a symlink and not what it leads to",
    methods: ["remove"],
    needs: "special files",
    async run({ fileSystem, arrange, makeSymlink, root }) {
      expectValue(await arrange.writeFile("kept/file", "kept", context))
      expectValue(await arrange.createDir("tree", undefined, context))
      await makeSymlink("../kept", `${root}/tree/link`)
      await makeSymlink("kept", `${root}/link`)
      expectValue(await fileSystem.remove("link", undefined, context))
      expectValue(await fileSystem.remove("tree", { recursive: true }, context))
      assert.equal(expectValue(await arrange.exists("link", context)), false)
      assert.equal(expectValue(await arrange.readTextFile("kept/file", context)), "kept")
    },
  },
  {
    title: "makes a new temporary folder or file for each call",
    methods: ["createTempDir", "createTempFile"],
    async run({ fileSystem }) {
      const folders = [expectValue(await fileSystem.createTempDir(undefined, context))]
      folders.push(expectValue(await fileSystem.createTempDir("mine-", context)))
      const file = expectValue(await fileSystem.createTempFile({ prefix: "a-", suffix: ".txt" }, context))
      const other = expectValue(await fileSystem.createTempFile(undefined, context))
      assert.match(file, /\/a-[^/]*\.txt$/)
      assert.match(folders.join(" "), /^\/\S*tmp-\S* \/\S*mine-\S*$/)
      assert.equal(new Set([...folders, file, other]).size, 4)
      assert.equal(expectValue(await fileSystem.readTextFile(file, context)), "")
      for (const folder of folders) assert.deepEqual(expectValue(await fileSystem.listDir(folder, context)), [])
      for (const path of [file, other]) {
        const above = path.slice(0, path.lastIndexOf("/"))
        // Of its own, so that it can go with the file.
        folders.push(above)
        assert.equal(expectValue(await fileSystem.listDir(above, context)).length, 1)
      }
      for (const folder of folders) expectValue(await fileSystem.remove(folder, { recursive: true }, context))
    },
  },
]
