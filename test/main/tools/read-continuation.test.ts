import { execFile } from "node:child_process"
import { promisify } from "node:util"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createReadTool, type ReadTool } from "../../../src/main/tools/read.ts"
import { FakeFileByteReader } from "../../../src/testing/fake-file-byte-reader.ts"
import type { ExecutionEnv } from "../../../vendor/pi-harness/index.ts"
import { callRead, envWithReader, ToolFolder, textOf } from "../../support/tool-calls.ts"

const run = promisify(execFile)
let folder: ToolFolder
beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(() => folder.remove())

interface Reading {
  /** Lines as they were shown, long ones joined from their parts or printed by the command. */
  lines: string[]
  calls: number
}

/** Reads on as a model would: by what the notices say and by nothing else. */
async function readToTheEnd(tool: ReadTool, env: ExecutionEnv, path: string): Promise<Reading> {
  const lines: string[] = []
  let part = ""
  let input: { offset?: number; column?: number } = {}
  for (let calls = 1; calls <= 1_000; calls++) {
    const text = textOf(await callRead(tool, env, { path, ...input }))
    const at = input.offset ?? 1
    const long = /^\[Line (\d+) is .*limit\. (Use bash: (.*)|Use column=1 to read it in parts\.)\]$/s.exec(text)
    const cut = /\n\n\[Showing .*?\. Use offset=(\d+)(?: column=(\d+))? to continue\.\]$/s.exec(text)
    const end = /\n\n\[Showing line \d+ from byte \d+ to its end\.\]$/.exec(text)
    const shown = text.slice(0, (cut ?? end)?.index ?? text.length)
    const next = cut === null ? undefined : { offset: Number(cut[1]), ...(cut[2] ? { column: Number(cut[2]) } : {}) }
    if (long?.[3] !== undefined) {
      const command = long[3].replace(/ \| head -c \d+$/, "")
      const { stdout } = await run("sh", ["-c", command], { cwd: folder.path, maxBuffer: 2 ** 28 })
      lines.push(stdout.replace(/\n$/, ""))
      input = { offset: at + 1 }
    } else if (long !== null) {
      input = { offset: Number(long[1]), column: 1 }
    } else if (input.column !== undefined) {
      part += shown
      if (next?.column !== undefined) {
        expect(next.offset).toBe(at)
        expect(next.column).toBeGreaterThan(input.column)
      } else {
        lines.push(part)
        part = ""
      }
      if (next === undefined) return { lines, calls }
      input = next
    } else {
      lines.push(...shown.split("\n"))
      if (next === undefined) return { lines, calls }
      expect(next.offset).toBeGreaterThan(at)
      input = next
    }
  }
  throw new Error("The notices do not end")
}

const LONG_LINES: [string, string][] = [
  ["only line of 52,004 bytes", "x".repeat(52_004)],
  ["line of 2 MB in the middle", `before\n${"0123456789".repeat(200_000)}\nafter\n`],
  ["line of 71,177 bytes at the end", `a\nb\n${"y".repeat(71_177)}`],
  ["line of characters of 4 bytes", `${"😀".repeat(20_000)}\nend`],
  ["line of characters of 1 to 4 bytes", `a\n${"aé程😀".repeat(10_000)}\nb`],
  ["line of just over the window", `${"z".repeat(51_201)}\n`],
  ["lines that are long one after the other", `${"p".repeat(60_000)}\n${"q".repeat(60_000)}\n${"r".repeat(60_000)}\nz`],
]

describe("A model that follows the notices", () => {
  it.each(LONG_LINES)("without a shell reads all of a file with a %s", async (name, content) => {
    const file = `${name.replaceAll(/\W+/g, "-")}.txt`
    await folder.write(file, content)
    const { lines } = await readToTheEnd(createReadTool({ shell: false }), folder.env, file)
    expect(lines.join("\n") === content).toBe(true)
  })

  it.each(LONG_LINES.filter(([, content]) => /\n[^\n]{0,50000}$/.test(content)))(
    "with a shell reads all of a file with a %s",
    async (name, content) => {
      const file = `it's ${name}.txt`
      await folder.write(file, content)
      const { lines } = await readToTheEnd(createReadTool(), folder.env, file)
      expect(lines.join("\n") === content).toBe(true)
    },
  )

  it("reads 6,000 lines in four calls", async () => {
    const content = Array.from({ length: 6_000 }, (_, i) => `${i + 1}`).join("\n")
    await folder.write("lines.txt", content)
    const { lines, calls } = await readToTheEnd(createReadTool(), folder.env, "lines.txt")
    expect(lines.join("\n") === content).toBe(true)
    expect(calls).toBe(3)
  })

  it("reads any text to its end, each line once", async () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.integer({ min: 0, max: 700 }).map((length) => "w".repeat(length)),
      fc.integer({ min: 0, max: 200 }).map((length) => "é😀".repeat(length)),
    )
    // The text is to be told from the notices, and not to be taken for another kind.
    const clean = (text: string) => text.replaceAll(/[p{Cs}\0\n\ufeff\ufffd[\]]/g, "")
    const tool = createReadTool({ shell: false, limits: { maxBytes: 300, maxLines: 7 } })
    await fc.assert(
      fc.asyncProperty(fc.array(line.map(clean), { minLength: 1, maxLength: 30 }), async (lines) => {
        const content = `# ${lines.join("\n")}`
        const reader = () => new FakeFileByteReader({ content, shortReads: 7 })
        const env = envWithReader(folder.env, reader())
        const fresh = new Proxy(env, {
          get: (target, name) =>
            name === "openFileReader" ? async () => ({ ok: true, value: reader() }) : Reflect.get(target, name),
        })
        const reading = await readToTheEnd(tool, fresh, "any.txt")
        expect(reading.lines.join("\n")).toBe(content)
      }),
      { numRuns: 150 },
    )
  })
})

describe("A bound smaller than a character", () => {
  const japanese = Buffer.from('h\u001b$B$"$$\u001b(Bx\u001b$B$"\u001b(B', "latin1")
  it.each<[string, Buffer]>([
    ["utf-8", Buffer.from("h\u00e9\u20ac\u{1f600}\u{1f600}")],
    ["utf-16le", Buffer.from("h\u00e9\u20ac\u{1f600}\u{1f600}", "utf16le")],
    ["gb18030", Buffer.from([0x68, 0xa8, 0xa6, 0x94, 0x39, 0xfc, 0x36, 0x94, 0x39, 0xfc, 0x36])],
    ["iso-2022-jp", japanese],
  ])("in %s ends, and the parts join to the line", async (encoding, bytes) => {
    await folder.write("tiny.txt", bytes)
    for (const maxBytes of [1, 2, 3, 4, 5]) {
      const tool = createReadTool({ shell: false, limits: { maxBytes } })
      const parts: string[] = []
      for (let column: number | undefined = 1; column !== undefined; ) {
        const result = await callRead(tool, folder.env, { path: "tiny.txt", encoding, offset: 1, column })
        parts.push(textOf(result).split("\n\n[")[0] ?? "")
        const next: number | undefined = result.receipt.nextColumn
        expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(column)
        column = next
      }
      expect(parts.join("")).toBe(new TextDecoder(encoding).decode(bytes))
    }
  })
})

describe("Without a shell", () => {
  it.each([
    ["a long line", "x".repeat(60_000)],
    ["a binary file", Buffer.from("\u007fELF\0\0")],
    ["UTF-16 text", Buffer.from([0xff, 0xfe, 0x41, 0])],
    ["UTF-16 text without a BOM", Buffer.from("hello\nworld", "utf16le")],
    ["UTF-32 text", Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])],
    ["a PDF", "%PDF-1.7\n"],
    ["a broken image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])],
    ["an empty file", ""],
  ])("no hint names a command: %s", async (_, content) => {
    await folder.write("any.bin", content)
    const text = textOf(await callRead(createReadTool({ shell: false }), folder.env, { path: "any.bin" }))
    expect(text).not.toMatch(/bash|\bsh\b|\bsed\b|head -c|xxd|iconv|\bfile any|\|/)
  })

  it("the receipt says where to go on as the notices do", async () => {
    await folder.write("long.txt", `${"x".repeat(60_000)}\nend`)
    const tool = createReadTool({ shell: false })
    const named = await callRead(tool, folder.env, { path: "long.txt" })
    expect(textOf(named)).toBe("[Line 1 is 58.6KB, exceeds 50.0KB limit. Use column=1 to read it in parts.]")
    expect(named.details?.truncation).toMatchObject({ truncated: true, firstLineExceedsLimit: true })
    expect(named.receipt).toMatchObject({ nextOffset: 1, nextColumn: 1, totalLines: 2 })
    const first = await callRead(tool, folder.env, { path: "long.txt", column: 1 })
    expect(textOf(first)).toMatch(
      /^x{51200}\n\n\[Showing bytes 1-51200 of line 1 \(50\.0KB limit\)\. Use offset=1 column=51201 to continue\.\]$/,
    )
    expect(first.receipt).toMatchObject({ lines: "1-1", nextOffset: 1, nextColumn: 51_201 })
    const second = await callRead(tool, folder.env, { path: "long.txt", offset: 1, column: 51_201 })
    expect(textOf(second)).toMatch(
      /^x{8800}\n\n\[Showing line 1 from byte 51201 to its end\. Use offset=2 to continue\.\]$/,
    )
    expect(second.receipt.nextOffset).toBe(2)
    expect(second.receipt.nextColumn).toBeUndefined()
  })

  it("a column behind the line is an error that says how long it is", async () => {
    await folder.write("short.txt", "abc\ndef")
    const call = callRead(createReadTool(), folder.env, { path: "short.txt", column: 9 })
    await expect(call).rejects.toThrow("Column 9 is beyond the end of line 1 (3 bytes)")
  })
})
