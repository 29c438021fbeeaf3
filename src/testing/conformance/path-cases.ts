import assert from "node:assert/strict"
import type { ConformanceCase } from "./conformance-case.ts"
import { context, expectValue } from "./conformance-case.ts"

export const pathCases: readonly ConformanceCase[] = [
  {
    title: "makes paths absolute and tidy, whether or not they exist",
    methods: ["absolutePath"],
    async run({ fileSystem, root }) {
      const table = [
        ["a", `${root}/a`],
        ["./x/../a/", `${root}/a`],
        ["", root],
        [`${root}/b//c/.`, `${root}/b/c`],
        ["@a", `${root}/@a`],
        ["a\u00a0b", `${root}/a\u00a0b`],
      ] as const
      for (const [path, expected] of table)
        assert.equal(expectValue(await fileSystem.absolutePath(path, context)), expected)
    },
  },
  {
    title: "leaves symlinks in absolute paths and resolves them in canonical ones",
    methods: ["absolutePath", "canonicalPath"],
    needs: "special files",
    async run({ fileSystem, arrange, makeSymlink, root }) {
      expectValue(await arrange.writeFile("real/file", "x", context))
      await makeSymlink("real", `${root}/link`)
      assert.equal(expectValue(await fileSystem.absolutePath("link/file", context)), `${root}/link/file`)
      assert.equal(expectValue(await fileSystem.canonicalPath("link/file", context)), `${root}/real/file`)
      assert.equal(expectValue(await fileSystem.canonicalPath("real/../link", context)), `${root}/real`)
    },
  },
  {
    title: "joins parts without looking at files",
    methods: ["joinPath"],
    async run({ fileSystem }) {
      assert.equal(expectValue(await fileSystem.joinPath(["a", "../b", "c"], context)), "b/c")
      assert.equal(expectValue(await fileSystem.joinPath(["/x", "y/"], context)), "/x/y/")
      assert.equal(expectValue(await fileSystem.joinPath([], context)), ".")
    },
  },
  {
    title: "answers parts that are no strings with an error",
    methods: ["joinPath"],
    async run({ fileSystem }) {
      for (const parts of [undefined, null, 5, [5], [undefined]]) {
        assert.equal((await fileSystem.joinPath(parts as unknown as string[], context)).ok, false)
      }
    },
  },
  {
    title: "answers an absolute path that is no string with an error",
    methods: ["absolutePath"],
    async run({ fileSystem }) {
      for (const path of [undefined, null, 5, {}]) {
        assert.equal((await fileSystem.absolutePath(path as unknown as string, context)).ok, false)
      }
    },
  },
]
