import assert from "node:assert/strict"
import type { ConformanceCase } from "./conformance-case.ts"
import { abortedContext, assertFails, context, expectValue } from "./conformance-case.ts"

export const readerCases: readonly ConformanceCase[] = [
  {
    title: "opens a reader that knows the file",
    methods: ["openFileReader"],
    async run({ fileSystem, arrange, root }) {
      expectValue(await arrange.writeFile("one", "12345", context))
      expectValue(await arrange.writeFile("two", "12345", context))
      const one = expectValue(await fileSystem.openFileReader("one", context))
      const again = expectValue(await fileSystem.openFileReader("./one", context))
      const two = expectValue(await fileSystem.openFileReader("two", context))
      assert.equal(one.info.path, `${root}/one`)
      assert.equal(one.info.size, 5)
      assert.ok(one.info.mtimeMs > 0)
      assert.match(one.info.identity, /^\d+:\d+$/)
      assert.equal(one.info.identity, again.info.identity)
      assert.notEqual(one.info.identity, two.info.identity)
      for (const reader of [one, again, two]) await reader.close(context)
    },
  },
  {
    title: "reads by position, into the caller's memory where it is given, and nothing at the end",
    methods: ["openFileReader"],
    async run({ fileSystem, arrange }) {
      const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251)
      expectValue(await arrange.writeFile("file", bytes, context))
      const reader = expectValue(await fileSystem.openFileReader("file", context))
      for (const [position, length] of [
        [0, 1000],
        [990, 100],
        [500, 1],
        [0, 10],
      ] as const) {
        const read = expectValue(await reader.read(position, length, context))
        assert.ok(read.byteLength > 0 && read.byteLength <= length)
        assert.deepEqual([...read], [...bytes.subarray(position, position + read.byteLength)])
      }
      assert.equal(expectValue(await reader.read(1000, 10, context)).byteLength, 0)
      assert.equal(expectValue(await reader.read(2000, 10, context)).byteLength, 0)
      assert.equal(expectValue(await reader.read(0, 0, context)).byteLength, 0)
      const memory = new Uint8Array(64).fill(255)
      const filled = expectValue(await reader.read(8, 16, context, memory.subarray(16)))
      assert.equal(filled.buffer, memory.buffer)
      assert.equal(filled.byteOffset, 16)
      assert.deepEqual([...filled], [...bytes.subarray(8, 8 + filled.byteLength)])
      assert.deepEqual([...memory.subarray(0, 16)], new Array(16).fill(255))
      assert.deepEqual([...memory.subarray(32)], new Array(32).fill(255))
      await reader.close(context)
    },
  },
  {
    title: "answers a read that is not possible with an error",
    methods: ["openFileReader"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "12345", context))
      const reader = expectValue(await fileSystem.openFileReader("file", context))
      for (const position of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        assertFails(await reader.read(position, 1, context), "invalid")
      }
      for (const length of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assertFails(await reader.read(0, length, context), "invalid")
      }
      assertFails(await reader.read(0, 3, context, new Uint8Array(2)), "invalid")
      assertFails(await reader.read(0, 1, abortedContext()), "aborted")
      assert.equal(expectValue(await reader.read(0, 5, context)).byteLength > 0, true)
      await reader.close(context)
    },
  },
  {
    title: "closes a reader twice and reads nothing after that",
    methods: ["openFileReader"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "12345", context))
      const reader = expectValue(await fileSystem.openFileReader("file", context))
      assert.equal(await reader.close(context), undefined)
      assert.equal(await reader.close(abortedContext()), undefined)
      assert.equal((await reader.read(0, 1, context)).ok, false)
    },
  },
  {
    title: "keeps the file that was opened, whatever its name means later",
    methods: ["openFileReader"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "first", context))
      const reader = expectValue(await fileSystem.openFileReader("file", context))
      expectValue(await arrange.renameFile("file", "moved", context))
      expectValue(await arrange.writeFile("file", "other", context))
      assert.equal(Buffer.from(expectValue(await reader.read(0, 5, context))).toString(), "first")
      expectValue(await arrange.appendFile("moved", " and more", context))
      const refreshed = await reader.refresh?.(context)
      if (refreshed !== undefined) {
        assert.equal(expectValue(refreshed).size, 14)
        assert.equal(expectValue(refreshed).identity, reader.info.identity)
      }
      await reader.close(context)
    },
  },
  {
    title: "follows a symlink to the file that it reads",
    methods: ["openFileReader", "readTextFile"],
    needs: "special files",
    async run({ fileSystem, arrange, makeSymlink, root }) {
      expectValue(await arrange.writeFile("file", "text", context))
      await makeSymlink("file", `${root}/link`)
      assert.equal(expectValue(await fileSystem.readTextFile("link", context)), "text")
      const reader = expectValue(await fileSystem.openFileReader("link", context))
      assert.equal(reader.info.size, 4)
      await reader.close(context)
    },
  },
]
