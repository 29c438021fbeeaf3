import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createNodeDocumentExtractor, type NodeDocumentExtractorOptions } from "../../../src/main/node.ts"
import type { ReadToolInput } from "../../../src/main/tools/parameters.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import type { ReadResult } from "../../../src/main/tools/read-result.ts"
import type { ReadToolOptions } from "../../../src/main/tools/read-tool-options.ts"
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import { buildJpeg } from "../../support/build-jpeg.ts"
import {
  buildNotebook,
  codeCell,
  displayOutput,
  errorOutput,
  markdownCell,
  pictureForm,
  resultOutput,
  streamOutput,
} from "../../support/build-notebook.ts"
import { buildPng } from "../../support/build-png.ts"
import { decodeImage } from "../../support/decode-image.ts"
import { DOCUMENT_PROCESS_ENTRY } from "../../support/document-extraction.ts"
import { callRead, ToolFolder, textOf } from "../../support/tool-calls.ts"

const documentExtractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  maxSpares: 0,
  limits: { documentDeadlineMs: 60_000 },
})
let folder: ToolFolder

beforeAll(async () => {
  folder = await ToolFolder.make()
})
afterAll(async () => {
  await documentExtractor.close()
  await folder.remove()
})

async function read(
  content: string | Uint8Array,
  input: Partial<ReadToolInput> = {},
  options: ReadToolOptions = {},
): Promise<ReadResult> {
  const path = input.path ?? "a.ipynb"
  await folder.write(path, content)
  return callRead(createReadTool({ documentExtractor, ...options }), folder.env, { ...input, path })
}

const png = (width: number, height: number) =>
  buildPng({ width, height, sample: (x, y, channel) => (x * 7 + y * 3 + channel * 40) & 255 })

describe("A notebook", () => {
  const cells = [
    markdownCell("# Sales\n\nBy *month*."),
    codeCell(
      "import sales\nsales.load()\n",
      streamOutput("stdout", "10 rows\n"),
      resultOutput({ "text/plain": ["   month  total\n", "0      1     42"], "text/html": "<table>...</table>" }),
    ),
    codeCell("sales.nope()", errorOutput("AttributeError", "no nope", ["\u001b[0;31mTraceback\u001b[0m", "line 1"])),
  ]

  it("is read as cells, each under its number and type, with what it put out", async () => {
    const notebook = buildNotebook(cells)
    const result = await read(notebook)
    expect(textOf(result)).toBe(
      `# cell 1 [markdown]
# Sales

By *month*.

# cell 2 [code]
import sales
sales.load()
# cell 2 output 1 [stdout]
10 rows
# cell 2 output 2 [result]
   month  total
0      1     42

# cell 3 [code]
sales.nope()
# cell 3 output 1 [error]
AttributeError: no nope
Traceback
line 1

[Notebook (${(notebook.length / 1024).toFixed(1)}KB, 3 cells), shown as cells. Use encoding="utf-8" to read its JSON.]`,
    )
    const facts = { cells: 3, cellsRead: "1-3" }
    expect(result.details).toEqual({ notebook: facts })
    expect(result.receipt).toEqual({
      kind: "notebook",
      path: expect.stringMatching(/a\.ipynb$/),
      bytes: notebook.length,
      mimeType: "application/x-ipynb+json",
      lines: "1-20",
      totalLines: 20,
      notebook: facts,
    })
  })

  it("is told by its JSON and its name together", async () => {
    const notebook = buildNotebook(cells)
    expect((await read(notebook, { path: "b.IPYNB" })).receipt.kind).toBe("notebook")
    expect((await read(`\ufeff\n ${notebook}`)).receipt.kind).toBe("notebook")
    const elsewhere = await read(notebook, { path: "b.json" })
    expect(elsewhere.receipt.kind).toBe("text")
    expect(textOf(elsewhere)).toBe(notebook)
  })

  it("is read as its JSON where an encoding is asked for, and without an extractor that reads notebooks", async () => {
    const notebook = buildNotebook(cells)
    for (const result of [
      await read(notebook, { encoding: "utf-8" }),
      await read(notebook, {}, { documentExtractor: { extract: documentExtractor.extract } }),
    ]) {
      expect(textOf(result)).toBe(notebook)
      expect(result.details).toBeUndefined()
      expect(result.receipt.kind).toBe("text")
    }
  })

  it("is read on by offset and column until its end, and the parts are its text", async () => {
    const long = "x = 'ü€'; ".repeat(9_000)
    const many = Array.from({ length: 700 }, (_, i) =>
      codeCell(`line ${i}\nsecond\n`, streamOutput("stdout", `${i}\n`)),
    )
    const notebook = buildNotebook([...many.slice(0, 300), codeCell(`${long}\nafter`), ...many.slice(300)])
    const cell = (n: number, source: string, output?: string) => [
      `# cell ${n} [code]`,
      source,
      ...(output === undefined ? [] : [`# cell ${n} output 1 [stdout]`, output]),
      "",
    ]
    const lines = [...many.keys()].flatMap((i) => [
      ...(i === 300 ? cell(301, `${long}\nafter`) : []),
      ...cell(i < 300 ? i + 1 : i + 2, `line ${i}\nsecond`, `${i}`),
    ])
    const whole = lines.join("\n").slice(0, -1)
    let [text, calls, offset, column]: [string, number, number | undefined, number | undefined] = ["", 0, 1, undefined]
    while (offset !== undefined && calls < 30) {
      const input: Partial<ReadToolInput> = { offset, ...(column === undefined ? {} : { column }) }
      const result = await read(notebook, input)
      const { receipt } = result
      expect(receipt.totalLines).toBe(whole.split("\n").length)
      const [content = ""] = textOf(result).split("\n\n[")
      text += receipt.lines === undefined ? "" : content
      if (receipt.lines !== undefined && receipt.nextColumn === undefined) text += "\n"
      ;[offset, column] = [receipt.nextOffset, receipt.nextColumn]
      calls += 1
    }
    expect(offset).toBeUndefined()
    expect(text).toBe(`${whole}\n`)
  })

  it("says which cells and lines a window shows", async () => {
    const notebook = buildNotebook(cells)
    const window = await read(notebook, { offset: 6, limit: 5 })
    expect(textOf(window)).toContain("[10 more lines in file. Use offset=11 to continue.]")
    expect(window.receipt).toMatchObject({
      lines: "6-10",
      totalLines: 20,
      nextOffset: 11,
      notebook: { cellsRead: "2" },
    })
    expect((await read(notebook, { offset: 5, limit: 2 })).receipt.notebook).toEqual({ cells: 3, cellsRead: "1-2" })
    expect((await read(notebook, { limit: 0 })).receipt.notebook).toEqual({ cells: 3 })
    await expect(read(notebook, { offset: 21 })).rejects.toThrow("Offset 21 is beyond end of file (20 lines total)")
    await expect(read(notebook, { column: 99 })).rejects.toThrow("Column 99 is beyond the end of line 1 (19 bytes)")
    expect(textOf(await read(notebook, { offset: 2, column: 3 }))).toMatch(/^Sales\n\n\[Showing line 2 from byte 3/)
  })

  it("is cut in the details as a text is", async () => {
    const notebook = buildNotebook([codeCell("x\n".repeat(5_000))])
    const { details, receipt } = await read(notebook)
    expect(details?.truncation).toMatchObject({ truncated: true, truncatedBy: "lines", outputLines: 2_000 })
    expect(details?.truncation).toMatchObject({ totalLines: 5_001, totalBytes: "# cell 1 [code]\n".length + 9_999 })
    expect(receipt).toMatchObject({ nextOffset: 2_001, totalLines: 5_001 })
  })

  it("has a line that no call can hold cut, with the way to read it", async () => {
    const notebook = buildNotebook([codeCell("y".repeat(310_000))])
    const result = await read(notebook, { offset: 2, column: 299_990 })
    expect(textOf(result)).toMatch(/^y{11}\n/)
    expect(textOf(result)).toContain('[Line 2 is cut at 300000 characters. Use encoding="utf-8" to read the JSON')
  })

  it("has each output cut to a bound, and says how much of it is missing", async () => {
    const notebook = buildNotebook([
      codeCell("spam()", streamOutput("stderr", "é".repeat(50_000)), streamOutput("stdout", "ok")),
    ])
    const text = textOf(await read(notebook))
    expect(text).toContain(
      `[stderr]\n${"é".repeat(2_000)}\n[Output cut: 2000 of 50000 characters shown.]\n# cell 1 output 2`,
    )
    expect(text).toContain("# cell 1 output 2 [stdout]\nok\n")
  })

  it("without cells says so", async () => {
    expect(textOf(await read(buildNotebook([])))).toMatch(/^\[Notebook \(\d+B, 0 cells\), shown as cells\. /)
    await expect(read(buildNotebook([]), { offset: 2 })).rejects.toThrow(
      "Offset 2 is beyond end of file (0 lines total)",
    )
  })

  it("says that it was changed while it was read", async () => {
    await folder.write("a.ipynb", buildNotebook(cells))
    const changing = {
      extract: documentExtractor.extract,
      readNotebook: async (...call: Parameters<typeof documentExtractor.readNotebook>) => {
        const result = await documentExtractor.readNotebook(...call)
        await folder.write("a.ipynb", "{ other")
        return result
      },
    }
    const result = await callRead(createReadTool({ documentExtractor: changing }), folder.env, { path: "a.ipynb" })
    expect(textOf(result)).toContain("[File changed while it was read.]")
    expect(result.receipt.changed).toBe(true)
  })

  it("settles at once on an abort", async () => {
    const stop = new AbortController()
    await folder.write("a.ipynb", buildNotebook(cells))
    const tool = createReadTool({ documentExtractor })
    const call = callRead(tool, folder.env, { path: "a.ipynb" }, withAbortSignal(stop.signal, BACKGROUND_CONTEXT))
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: "aborted" })
  })
})

describe("The pictures of a notebook", () => {
  const shownBy = (result: ReadResult) =>
    Promise.all(
      result.content.flatMap((block) =>
        block.type === "image" ? [decodeImage(Buffer.from(block.data, "base64"), block.mimeType)] : [],
      ),
    )

  it("follow the text as images, each where it stands named by its number, type and pixels", async () => {
    const jpeg = buildJpeg({ width: 30, height: 20, colour: () => [200, 40, 40] })
    const notebook = buildNotebook([
      codeCell("plot()", displayOutput({ "text/plain": "<Figure>", "image/png": pictureForm(png(64, 48)) })),
      codeCell(
        "photo()",
        resultOutput({ "image/jpeg": [pictureForm(jpeg).slice(0, 100), pictureForm(jpeg).slice(100)] }),
      ),
    ])
    const result = await read(notebook)
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "image"])
    const text = textOf(result)
    expect(text).toContain("# cell 1 output 1 [display]\n<Figure>\n[image 1: PNG, 64 x 48 pixels]\n")
    expect(text).toContain("# cell 2 output 1 [result]\n[image 2: JPEG, 30 x 20 pixels]\n")
    expect(text).toContain("[Images 1-2 follow, in this order.]")
    expect((await shownBy(result)).map(({ width, height }) => [width, height])).toEqual([
      [64, 48],
      [30, 20],
    ])
  })

  it("are named alone where the model takes no images, and in windows that they do not stand in", async () => {
    const notebook = buildNotebook([
      codeCell("plot()", displayOutput({ "image/png": pictureForm(png(64, 48)) })),
      codeCell("x"),
    ])
    const told = await read(notebook, {}, { acceptsImages: false })
    expect(told.content).toHaveLength(1)
    expect(textOf(told)).toContain("[image 1: PNG, 64 x 48 pixels]")
    expect(textOf(told)).toContain("[Image 1 is not shown: this model takes no images.]")
    for (const input of [{ offset: 5 }, { limit: 3 }, { offset: 4, column: 1 }]) {
      const window = await read(notebook, input)
      expect(window.content).toHaveLength(1)
      expect(textOf(window)).not.toMatch(/follows|not shown/)
    }
    expect((await read(notebook, { offset: 4, limit: 1 })).content).toHaveLength(2)
  })

  it("that are broken become a note, and stop no other", async () => {
    const good = png(20, 10)
    const notebook = buildNotebook([
      codeCell(
        "plot()",
        displayOutput({ "image/png": Buffer.from("not an image at all").toString("base64") }),
        displayOutput({ "image/png": "%%% no base64 %%%" }),
        displayOutput({ "image/png": pictureForm(good.subarray(0, good.length - 30)) }),
        displayOutput({ "image/png": 7 }),
        displayOutput({ "image/png": pictureForm(good) }),
      ),
    ])
    const result = await read(notebook)
    expect(await shownBy(result)).toMatchObject([{ width: 20, height: 10 }])
    const text = textOf(result)
    expect(text).toContain("[image 1: no known format]")
    expect(text).toContain("[Not shown: image/png]")
    expect(text).toContain("[Image 4 follows.]")
    expect(text).toContain("[Images 1-3 are not shown: damaged, or of a kind that is not shown.]")
  })

  it("are decoded whatever they are called, and never handed on as they stand in the file", async () => {
    const notebook = buildNotebook([
      codeCell(
        "x",
        displayOutput({ "image/png": pictureForm(buildJpeg({ width: 9, height: 9, colour: () => [1, 2, 3] })) }),
      ),
    ])
    const [, image] = (await read(notebook)).content
    expect(image).toMatchObject({ type: "image", mimeType: "image/jpeg" })
  })

  it("are eight in one call, which share its pixels, and the next ones are read by offset", async () => {
    const plot = displayOutput({ "image/png": pictureForm(png(1_400, 900)) })
    const notebook = buildNotebook(Array.from({ length: 10 }, () => codeCell("plot()", plot)))
    const first = await read(notebook)
    const images = await shownBy(first)
    expect(images).toHaveLength(8)
    expect(images.reduce((sum, { width, height }) => sum + width * height, 0)).toBeLessThanOrEqual(4_000_000)
    expect(images.every(({ width, height }) => width * height > 400_000)).toBe(true)
    expect(textOf(first)).toContain("[Images 1-8 follow, in this order.]")
    const [, offset] =
      /\[Images 9-10 are not shown: one call shows 8\. Use offset=(\d+) to see more\.\]/.exec(textOf(first)) ?? []
    const rest = await read(notebook, { offset: offset ?? "" })
    expect(await shownBy(rest)).toHaveLength(2)
    expect(textOf(rest)).toContain("[image 9: PNG, 1400 x 900 pixels]")
    expect(textOf(rest)).toContain("[Images 9-10 follow, in this order.]")
  })
})

describe("What is called a notebook and is none", () => {
  const padded = (start: string, unit: string, end: string, bytes: number) =>
    `${start}${unit.repeat(Math.floor(bytes / unit.length))}${end}`

  it.each<[string, string | Uint8Array]>([
    ["JSON that is cut", buildNotebook([codeCell("x")]).slice(0, -20)],
    ["a merge conflict", `{\n<<<<<<< HEAD\n "cells": []\n}\n`],
    ["JSON of another kind", '{"name": "x", "cells": 3}\n'],
    ["a format of tomorrow", '{"nbformat": 5, "cells": []}\n'],
    ["numbers for cells", '{"nbformat": 4, "cells": 12}\n'],
    ["a format that is a string", '{"nbformat": "4", "cells": []}\n'],
    ["cells in a prototype", '{"__proto__": {"nbformat": 4, "cells": []}}\n'],
    ["a list", "[1, 2]\n"],
    ["words", "no JSON at all\n"],
    ["a brace", "{"],
  ])("is text: %s", async (_title, content) => {
    const result = await read(content)
    expect(textOf(result)).toBe(content)
    expect(result.receipt.kind).toBe("text")
    expect(result.content).toHaveLength(1)
  })

  it("is text with its damage counted where it is not UTF-8", async () => {
    const result = await read(Buffer.from('{"nbformat": 4, "cells": [{"source": "caf\xe9"}]}', "latin1"))
    expect(result.receipt.kind).toBe("text")
    expect(textOf(result)).toContain("1 character is not valid UTF-8")
  })

  it("is whatever else its bytes are", async () => {
    expect((await read(png(4, 4))).receipt.kind).toBe("image")
    expect((await read("")).receipt.kind).toBe("empty")
    expect((await read(Buffer.from("{\0\0"))).receipt.kind).toBe("binary")
  })

  it.each<[string, string]>([
    ["lists nested 30,000,000 deep", `{"nbformat": 4, "cells": ${"[".repeat(30_000_000)}`],
    ["60 MB of empty lists", padded('{"nbformat": 4, "cells": [', "[],", "0]}", 60_000_000)],
    [
      "objects nested 1,000,000 deep in a cell",
      `{"nbformat": 4, "cells": [${'{"a":'.repeat(1_000_000)}0${"}".repeat(1_000_000)}]}`,
    ],
    ["a file over the size of documents", padded('{"nbformat": 4, "cells": [', "[],", "0]}", 65 * 1024 * 1024)],
  ])("is shown bounded, one way or the other: %s", async (_title, content) => {
    const result = await read(content)
    expect(result.receipt.kind).toMatch(/^(text|notebook)$/)
    expect(result.content).toHaveLength(1)
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(60_000)
  })

  it("is read in windows where it has a million cells", async () => {
    const notebook = padded('{"nbformat": 4, "cells": [', '{"cell_type":"code","source":"x"},', "1]}", 34_000_000)
    const { receipt } = await read(notebook, { offset: 2_999_999 })
    expect(receipt).toMatchObject({ kind: "notebook", totalLines: 3_000_001 })
    expect(receipt.notebook).toEqual({ cells: 1_000_001, cellsRead: "1000000-1000001" })
  })

  it.each<[string, NodeDocumentExtractorOptions]>([
    ["has no time", { limits: { documentDeadlineMs: 1 } }],
    ["has no entry", { entry: `${DOCUMENT_PROCESS_ENTRY}.missing.js` }],
    [
      "cannot start a process",
      {
        fork: () => {
          throw new Error("EAGAIN")
        },
      },
    ],
  ])("and what is one is text where the extractor %s", async (_title, options) => {
    const notebook = buildNotebook([codeCell("x")])
    const failing = createNodeDocumentExtractor({ entry: DOCUMENT_PROCESS_ENTRY, maxSpares: 0, ...options })
    const result = await read(notebook, {}, { documentExtractor: failing })
    await failing.close()
    expect(textOf(result)).toBe(notebook)
    expect(result.receipt.kind).toBe("text")
    expect(textOf(await read(notebook, {}, { documentExtractor: failing }))).toBe(notebook)
  })
})
