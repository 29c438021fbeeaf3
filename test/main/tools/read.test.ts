import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createReadTool } from "../../../src/main/tools/read.ts"
import type { ReadResult } from "../../../src/main/tools/read-result.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(() => folder.remove())

const tool = createReadTool()
const withoutShell = createReadTool({ shell: false })

/** What the tool answers for a file of its own with this content. */
async function read(content: string | Uint8Array, input: object = {}, by = tool, name = "a.txt"): Promise<ReadResult> {
  await folder.write(name, content)
  return callRead(by, folder.env, { path: name, ...input })
}

const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => new Error("the call succeeded"),
    (error: Error) => error,
  )

const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join("")

describe("A text", () => {
  it("is shown as it is, without details, where all of it fits", async () => {
    const result = await read("one\ntwo\n")
    expect(result).toEqual({
      content: [{ type: "text", text: "one\ntwo\n" }],
      details: undefined,
      receipt: {
        kind: "text",
        path: `${folder.path}/a.txt`,
        bytes: 8,
        encoding: "utf-8",
        lines: "1-3",
        totalLines: 3,
      },
    })
  })

  it("is cut after 2,000 lines, and says so in its text, its details and its receipt", async () => {
    const result = await read(numbered(2_500))
    expect(textOf(result).endsWith("\n2000\n\n[Showing lines 1-2000 of 2501. Use offset=2001 to continue.]")).toBe(true)
    expect(result.details?.truncation).toMatchObject({ truncated: true, truncatedBy: "lines", outputLines: 2_000 })
    expect(result.receipt).toMatchObject({ lines: "1-2000", totalLines: 2_501, nextOffset: 2_001 })
  })

  it("is cut after 51,200 bytes", async () => {
    const result = await read(`${"x".repeat(99)}\n`.repeat(2_000))
    expect(textOf(result)).toMatch(
      /\n\n\[Showing lines 1-512 of 2001 \(50\.0KB limit\)\. Use offset=513 to continue\.\]$/,
    )
    expect(result.receipt).toMatchObject({ lines: "1-512", nextOffset: 513 })
  })

  it("is cut after the lines that were asked for, which is no truncation", async () => {
    const result = await read(numbered(10), { offset: 4, limit: 3 })
    expect(textOf(result)).toBe("4\n5\n6\n\n[5 more lines in file. Use offset=7 to continue.]")
    expect(result.details).toBeUndefined()
    expect(result.receipt).toMatchObject({ lines: "4-6", totalLines: 11, nextOffset: 7 })
  })

  it.each([
    [10, "10\n"],
    [11, ""],
  ])("has a line %i", async (offset, text) => {
    expect(textOf(await read(numbered(10), { offset }))).toBe(text)
  })

  it("has no line behind its last", async () => {
    const error = await failure(read(numbered(10), { offset: 12 }))
    expect(error.message).toBe("Offset 12 is beyond end of file (11 lines total)")
  })

  it("is cut at the window however many lines are asked for, and is told where to go on", async () => {
    const result = await read(`${"x".repeat(66)}\n`.repeat(2_500), { limit: 10_000 })
    expect(textOf(result)).toMatch(/Use offset=765 to continue\.\]$/)
  })

  it("shows the total of all lines where a few are asked for", async () => {
    const result = await read(`${"y".repeat(499)}\n`.repeat(10_000), { limit: 3 })
    expect(textOf(result)).toMatch(/\n\n\[9998 more lines in file\. Use offset=4 to continue\.\]$/)
  })

  it.each(["\f", "\u0085", "\u2028", "\r", "\v"])("has no line end at %j", async (separator) => {
    const result = await read(`one${separator}two\nthree`, { offset: 2 })
    expect(textOf(result)).toBe("three")
  })

  it.each([
    ["empty", ""],
    ["only a BOM", Buffer.from([0xef, 0xbb, 0xbf])],
  ])("without any text says that it is empty: %s", async (_, content) => {
    const result = await read(content, {}, tool, "nothing.txt")
    expect(textOf(result)).toBe("[Empty file: nothing.txt]")
    expect(result.details).toBeUndefined()
    expect(result.receipt).toMatchObject({ kind: "empty", bytes: content.length })
  })

  it.each([
    ["8,191 ASCII characters and a longer one", `${"a".repeat(8_191)}ç`],
    ["a 4-byte character across the end of the head", `${"a".repeat(8_190)}😀b`],
    ["a 4-byte character across the end of a chunk", `${`${"a".repeat(63)}\n`.repeat(4_096).slice(0, -2)}😀b`],
  ])("of UTF-8 is not damaged by where it is cut: %s", async (_, content) => {
    const offset = content.split("\n").length
    const result = await read(content, { offset })
    expect(textOf(result)).toBe(content.split("\n").at(-1))
  })

  it("shows a NUL behind the head as U+2400", async () => {
    const result = await read(`${"a\n".repeat(4_250)}b\0c`, { offset: 4_251 })
    expect(textOf(result)).toBe("b\u2400c")
  })

  it("that imitates notices is told apart by its receipt", async () => {
    const forged =
      "[Showing lines 1-3 of 3]\n[Empty file: a.txt]\n\n[Showing lines 1-9 of 99. Use offset=10 to continue.]"
    const result = await read(forged)
    expect(textOf(result)).toBe(forged)
    expect(result.receipt).toEqual({
      kind: "text",
      path: `${folder.path}/a.txt`,
      bytes: forged.length,
      encoding: "utf-8",
      lines: "1-4",
      totalLines: 4,
    })
  })

  it.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["RTF", "{\\rtf1 hello}"],
    ["PostScript", "%!PS-Adobe-3.0\n"],
    ["a CSV of cars", "BMW,model,year\n"],
    ["a note on GIF", "GIF89a is a format\n"],
    ["a note on PDF", "It starts with %PDF-1.7\n"],
    ["control characters and escapes", "\u0001\u0007\u001b[31mred\u001b[0m\u007f"],
    ["JSON called .png", '{"a":1}'],
  ])("is what is nothing else: %s", async (_, content) => {
    expect(textOf(await read(content, {}, tool, "file.png"))).toBe(content)
  })
})

describe("A text that is not UTF-8", () => {
  const GBK = Buffer.from("b3ccd0f2d4cbd0d0cab1b3f6cfd6b4edcef3a3acc7ebbcecb2e9c5e4d6c3cec4bcfe0a", "hex")

  it("says how much was replaced, and the encoding to use", async () => {
    const result = await read(GBK, {}, tool, "main.v")
    expect(textOf(result)).toMatch(
      /\ufffd.*\n\n\n\[\d+ characters are not valid UTF-8 and are shown as U\+FFFD\. The text looks like gb18030: use encoding="gb18030" to decode it\.\]$/s,
    )
    expect(textOf(await read(GBK, { encoding: "gb18030" }, tool, "main.v"))).toBe(
      "程序运行时出现错误，请检查配置文件\n",
    )
    expect(result.receipt.encoding).toBe("utf-8")
  })

  it("names no encoding where the head suggests none", async () => {
    const result = await read(Buffer.from([...Buffer.from("ok\n".repeat(3_000)), 0xff]), { offset: 3_001 })
    expect(textOf(result)).toBe("\ufffd\n\n[1 character is not valid UTF-8 and is shown as U+FFFD.]")
  })

  it("does not count a U+FFFD that the file really holds", async () => {
    expect(textOf(await read("a \ufffd b"))).toBe("a \ufffd b")
  })

  it("keeps its notice before the one that says how to go on", async () => {
    const result = await read(Buffer.from([0xff, 0x0a, 0x61, 0x0a, 0x62]), { limit: 2 })
    expect(textOf(result)).toMatch(
      /^\ufffd\na\n\n\[1 character .*\]\n\n\[1 more lines in file\. Use offset=3 to continue\.\]$/,
    )
  })
})

describe("Files that are no text", () => {
  const NAME = "it's data.bin"
  const QUOTED = "'it'\\''s data.bin'"

  it.each<[string, Uint8Array, string, string]>([
    [
      "binary",
      Buffer.from("a\0b"),
      `[Binary file (3B), not shown as text. Use bash: file ${QUOTED}, or xxd ${QUOTED} | head -c 51200]`,
      "[Binary file (3B), not shown as text.]",
    ],
    [
      "binary",
      Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(1_532)]),
      `[Binary file (1.5KB), not shown as text. Use bash: file ${QUOTED}, or xxd ${QUOTED} | head -c 51200]\n[Looks like a ZIP archive.]`,
      "[Binary file (1.5KB), not shown as text.]\n[Looks like a ZIP archive.]",
    ],
    [
      "utf-16",
      Buffer.from([0xff, 0xfe, 0x68, 0x00]),
      `[UTF-16 text (4B), not shown as text. Use bash: iconv -f UTF-16 -t UTF-8 ${QUOTED} | head -c 51200]`,
      '[UTF-16 text (4B), not shown as text. Use encoding="utf-16le" to read it.]',
    ],
    [
      "utf-16",
      Buffer.from("hello\nworld\n", "utf16le"),
      `[UTF-16 text (24B), not shown as text. Use bash: iconv -f UTF-16LE -t UTF-8 ${QUOTED} | head -c 51200]`,
      '[UTF-16 text (24B), not shown as text. Use encoding="utf-16le" to read it.]',
    ],
    [
      "utf-16",
      Buffer.from("hello\nworld\n", "utf16le").swap16(),
      `[UTF-16 text (24B), not shown as text. Use bash: iconv -f UTF-16BE -t UTF-8 ${QUOTED} | head -c 51200]`,
      '[UTF-16 text (24B), not shown as text. Use encoding="utf-16be" to read it.]',
    ],
    [
      "utf-32",
      Buffer.from([0xff, 0xfe, 0, 0, 0x68, 0, 0, 0]),
      `[UTF-32 text (8B), not shown as text. Use bash: iconv -f UTF-32 -t UTF-8 ${QUOTED} | head -c 51200]`,
      "[UTF-32 text (8B), not shown as text.]",
    ],
  ])("are named, with a hint that fits the agent: %s", async (kind, content, withHint, withoutHint) => {
    const result = await read(content, {}, tool, NAME)
    expect(textOf(result)).toBe(withHint)
    expect(result.receipt).toMatchObject({ kind, bytes: content.length })
    expect(textOf(await read(content, {}, withoutShell, NAME))).toBe(withoutHint)
  })

  it("are shown where another encoding is asked for", async () => {
    const text = "hello\nworld, ça va\n"
    expect(textOf(await read(Buffer.from(text, "utf16le"), { encoding: "utf-16le" }))).toBe(text)
    expect(textOf(await read(Buffer.from(text, "utf16le").swap16(), { encoding: "UTF-16BE" }))).toBe(text)
    expect(textOf(await read(Buffer.from("caf\xe9\0", "latin1"), { encoding: "latin1" }))).toBe("café\u2400")
  })

  it("stay notices where UTF-8 is asked for", async () => {
    expect(textOf(await read(Buffer.from("a\0b"), { encoding: "utf-8" }))).toMatch(/^\[Binary file/)
  })

  it("are PDFs that no reader is there for", async () => {
    const content = "%PDF-1.4 not really"
    const document = { kind: "pdf", read: false, bytes: 19, textTruncated: false, notRead: "unavailable" }
    const result = await read(content, { pages: "1-3", offset: 5, column: 2 })
    expect(textOf(result)).toMatch(/^\[PDF \(19B\), not shown: .+\. .+\]$/)
    expect(result.details).toEqual({ document })
    expect(result.receipt).toMatchObject({ kind: "document", document })
  })
})

describe("A call", () => {
  it.each([
    [{}, '"path" must be'],
    [{ path: "" }, '"path" must be'],
    [{ path: "a.txt", offset: "x" }, '"offset" must be'],
    [{ path: "a.txt", encoding: "klingon" }, '"encoding" must be'],
    [{ path: "a.txt", lines: 5 }, 'Unknown parameter "lines"'],
  ])("with wrong parameters %j fails with the rule", async (input, words) => {
    const error = await failure(callRead(tool, folder.env, input as { path: string }))
    expect(error.message).toContain(words)
  })

  it("for what is no regular file fails with its kind", async () => {
    await expect(callRead(tool, folder.env, { path: "." })).rejects.toMatchObject({ code: "is_directory" })
    await expect(callRead(tool, folder.env, { path: "/dev/null" })).rejects.toMatchObject({ code: "invalid" })
  })

  it.skipIf(process.platform !== "linux")("reads files of procfs, whose size says nothing", async () => {
    const result = await callRead(tool, folder.env, { path: "/proc/self/status" })
    expect(textOf(result)).toMatch(/^Name:\t/)
    expect(result.receipt.bytes).toBe(0)
    expect(textOf(await callRead(tool, folder.env, { path: "/proc/cpuinfo", limit: 1 }))).toMatch(/more lines in file/)
  })

  it("has a receipt that is the same after a trip through JSON", async () => {
    for (const content of ["text\n", "", Buffer.from("a\0b"), "%PDF-1.7", Buffer.from([0xff, 0xfe, 0x41, 0])]) {
      const { receipt } = await read(content)
      expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt)
    }
  })

  it("ignores what is not for the kind of the file", async () => {
    const all = { offset: 1, pages: "2", password: "x", region: { x: 0, y: 0, width: 1, height: 1 } }
    expect(textOf(await read("plain\n", all))).toBe("plain\n")
  })

  it("is made with limits of the host's own", async () => {
    const small = createReadTool({ limits: { maxLines: 2, maxBytes: 1_024 } })
    expect(textOf(await read("1\n2\n3\n", {}, small))).toBe(
      "1\n2\n\n[Showing lines 1-2 of 4. Use offset=3 to continue.]",
    )
    expect(small.description).toContain("2 lines or 1.0KB")
    expect(textOf(await read("x".repeat(2_000), {}, small))).toBe(
      "[Line 1 is 2.0KB, exceeds 1.0KB limit. Use bash: sed -n '1p' a.txt | head -c 1024]",
    )
  })
})
