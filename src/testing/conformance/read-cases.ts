import assert from "node:assert/strict"
import type { Context, FileSystem, Result, TextLine } from "../../../vendor/pi-harness/index.ts"
import type { ConformanceCase } from "./conformance-case.ts"
import { abortedContext, assertFails, context, expectValue } from "./conformance-case.ts"

type Read = (fileSystem: FileSystem, path: string, context: Context) => Promise<Result<unknown, unknown>>

const READS: Readonly<Record<string, Read>> = {
  readTextFile: (fs, path, c) => fs.readTextFile(path, c),
  readBinaryFile: (fs, path, c) => fs.readBinaryFile(path, c),
  readTextLines: (fs, path, c) => fs.readTextLines(path, { maxLines: 1 }, c),
  openTextLineReader: (fs, path, c) => fs.openTextLineReader(path, c),
  openFileReader: (fs, path, c) => fs.openFileReader(path, c),
}

/** Bytes of a file; its text, BOM kept; its lines, BOM dropped. */
const TEXTS: readonly (readonly [Uint8Array, string, readonly TextLine[]])[] = [
  [utf8(""), "", []],
  [utf8("\n"), "\n", [line("")]],
  [utf8("one\ntwo\r\nthree"), "one\ntwo\r\nthree", [line("one"), line("two\r"), line("three", false)]],
  [utf8("\ufeffone\n\ufefftwo\n"), "\ufeffone\n\ufefftwo\n", [line("one"), line("\ufefftwo")]],
  [Uint8Array.of(0x61, 0xff, 0x0a, 0xe2, 0x82, 0x0a), "a\ufffd\n\ufffd\n", [line("a\ufffd"), line("\ufffd")]],
  [utf8("a\u2028b\u0085c\fd\re"), "a\u2028b\u0085c\fd\re", [line("a\u2028b\u0085c\fd\re", false)]],
  [
    utf8(`${"x".repeat(300_000)}ç\n😀`),
    `${"x".repeat(300_000)}ç\n😀`,
    [line(`${"x".repeat(300_000)}ç`), line("😀", false)],
  ],
]

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function line(text: string, terminated = true): TextLine {
  return { text, terminated }
}

export const readCases: readonly ConformanceCase[] = [
  {
    title: "reads bytes, text and lines as they stand, lines ended by LF alone",
    methods: ["readBinaryFile", "readTextFile", "readTextLines"],
    async run({ fileSystem, arrange }) {
      for (const [bytes, text, lines] of TEXTS) {
        expectValue(await arrange.writeFile("file", bytes, context))
        assert.deepEqual(Buffer.from(expectValue(await fileSystem.readBinaryFile("file", context))), Buffer.from(bytes))
        assert.equal(expectValue(await fileSystem.readTextFile("file", context)), text)
        const read = expectValue(await fileSystem.readTextLines("file", undefined, context))
        assert.deepEqual(
          read,
          lines.map((one) => one.text),
        )
      }
    },
  },
  {
    title: "reads no more lines than were asked for",
    methods: ["readTextLines"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "one\ntwo\nthree", context))
      for (const [maxLines, expected] of [
        [0, []],
        [-1, []],
        [Number.NaN, []],
        [1, ["one"]],
        [2, ["one", "two"]],
        [Number.POSITIVE_INFINITY, ["one", "two", "three"]],
      ] as const) {
        assert.deepEqual(expectValue(await fileSystem.readTextLines("file", { maxLines }, context)), expected)
      }
    },
  },
  {
    title: "hands out lines one by one, says which was ended, and stays at the end",
    methods: ["openTextLineReader"],
    async run({ fileSystem, arrange }) {
      for (const [bytes, , lines] of TEXTS) {
        expectValue(await arrange.writeFile("file", bytes, context))
        const reader = expectValue(await fileSystem.openTextLineReader("file", context))
        for (const expected of [...lines, undefined, undefined]) {
          assert.deepEqual(expectValue(await reader.readLine(context)), expected)
        }
        await reader.close(context)
      }
    },
  },
  {
    title: "goes on after an aborted readLine, closes twice, and reads no line after that",
    methods: ["openTextLineReader"],
    async run({ fileSystem, arrange }) {
      expectValue(await arrange.writeFile("file", "one\ntwo\n", context))
      const reader = expectValue(await fileSystem.openTextLineReader("file", context))
      assert.deepEqual(expectValue(await reader.readLine(context)), line("one"))
      assertFails(await reader.readLine(abortedContext()), "aborted")
      assert.deepEqual(expectValue(await reader.readLine(context)), line("two"))
      await reader.close(context)
      await reader.close(context)
      assertFails(await reader.readLine(context), "invalid")
    },
  },
  ...Object.entries(READS).map(
    ([method, read]): ConformanceCase => ({
      title: `tells in ${method} why there is nothing to read`,
      methods: [method],
      async run({ fileSystem, arrange }) {
        expectValue(await arrange.writeFile("file", "x", context))
        expectValue(await arrange.createDir("folder", undefined, context))
        assertFails(await read(fileSystem, "missing", context), "not_found")
        assertFails(await read(fileSystem, "missing/too", context), "not_found")
        assertFails(await read(fileSystem, "file/below", context), "not_directory", "not_found")
        assertFails(await read(fileSystem, "folder", context), "is_directory")
      },
    }),
  ),
  ...Object.entries(READS).map(
    ([method, read]): ConformanceCase => ({
      title: `refuses in ${method} what is not a regular file, and does not wait for it`,
      methods: [method],
      needs: "special files",
      async run({ fileSystem, makeFifo, makeSymlink, root }) {
        await makeFifo(`${root}/fifo`)
        await makeSymlink("fifo", `${root}/link`)
        await makeSymlink("nowhere", `${root}/dangling`)
        for (const path of ["fifo", "link"]) {
          const result = await read(fileSystem, path, context)
          assertFails(result, "invalid")
          if (!result.ok) assert.match(String(result.error), /Not a regular file: .*FIFO/)
        }
        assertFails(await read(fileSystem, "dangling", context), "not_found")
      },
    }),
  ),
]
