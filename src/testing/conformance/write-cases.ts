import assert from "node:assert/strict"
import type { ConformanceCase } from "./conformance-case.ts"
import { assertFails, context, expectValue } from "./conformance-case.ts"

export const writeCases: readonly ConformanceCase[] = [
  {
    title: "writes text as UTF-8 and bytes as they are, and makes the folders above",
    methods: ["writeFile"],
    async run({ fileSystem, arrange }) {
      for (const content of [
        "",
        "héllo 😀\r\n",
        "x".repeat(600_000),
        Uint8Array.of(0, 255, 10),
        new Uint8Array(600_000),
      ]) {
        expectValue(await fileSystem.writeFile("new/deep/file", content, context))
        const bytes = expectValue(await arrange.readBinaryFile("new/deep/file", context))
        assert.ok(Buffer.from(content).equals(bytes))
      }
      expectValue(await fileSystem.writeFile("new/deep/file", "a\ud800b", context))
      assert.equal(expectValue(await arrange.readTextFile("new/deep/file", context)), "a\ufffdb")
    },
  },
  {
    title: "appends, and makes the file and the folders above",
    methods: ["appendFile"],
    async run({ fileSystem, arrange }) {
      expectValue(await fileSystem.appendFile("new/file", "x", context))
      expectValue(await fileSystem.appendFile("new/file", Uint8Array.of(0x79), context))
      expectValue(await fileSystem.appendFile("new/file", "", context))
      assert.equal(expectValue(await arrange.readTextFile("new/file", context)), "xy")
    },
  },
  {
    title: "tells why it cannot write",
    methods: ["writeFile", "appendFile"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("folder/file", "x", context))
      assertFails(await fileSystem.writeFile("folder", "x", context), "is_directory")
      assertFails(await fileSystem.appendFile("folder", "x", context), "is_directory")
      assertFails(await fileSystem.writeFile("folder/file/below", "x", context), "not_directory", "unknown")
      assertFails(await fileSystem.appendFile("folder/file/below", "x", context), "not_directory", "unknown")
    },
  },
  {
    title: "writes through a symlink and not to a FIFO",
    methods: ["writeFile", "appendFile"],
    needs: "special files",
    async run({ fileSystem, arrange, makeFifo, makeSymlink, root }) {
      expectValue(await arrange.writeFile("file", "old", context))
      await makeSymlink("file", `${root}/link`)
      expectValue(await fileSystem.writeFile("link", "new", context))
      assert.equal(expectValue(await arrange.readTextFile("file", context)), "new")
      await makeFifo(`${root}/fifo`)
      assertFails(await fileSystem.writeFile("fifo", "x", context), "invalid")
      assertFails(await fileSystem.appendFile("fifo", "x", context), "invalid")
    },
  },
  {
    title: "renames, and replaces what stands there",
    methods: ["renameFile"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("one", "1", context))
      expectValue(await arrange.writeFile("two", "2", context))
      expectValue(await fileSystem.renameFile("one", "two", context))
      assert.equal(expectValue(await arrange.readTextFile("two", context)), "1")
      assert.equal(expectValue(await arrange.exists("one", context)), false)
      assertFails(await fileSystem.renameFile("one", "three", context), "not_found")
      assertFails(await fileSystem.renameFile("two", "missing/three", context), "not_found")
      assertFails(await fileSystem.renameFile("two", "a\0b", context), "invalid")
      assert.equal((await fileSystem.renameFile("two", undefined as unknown as string, context)).ok, false)
      assert.equal(expectValue(await arrange.readTextFile("two", context)), "1")
    },
  },
]
