import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EncodedImage } from "../../../../src/main/documents/engines/engine.ts"
import { createImageEngine } from "../../../../src/main/documents/engines/image.ts"
import { createNotebookEngine } from "../../../../src/main/documents/engines/notebook.ts"
import type { JobOutcome, NotebookJob, RenderedNotebook } from "../../../../src/main/documents/extractor-protocol.ts"
import {
  buildNotebook,
  codeCell,
  displayOutput,
  errorOutput,
  markdownCell,
  pictureForm,
  resultOutput,
  streamOutput,
} from "../../../support/build-notebook.ts"
import { buildPng } from "../../../support/build-png.ts"

const LIMITS: NotebookJob["limits"] = {
  maxCharacters: 300_000,
  maxImages: 8,
  maxSourceBytes: 1_000_000,
  maxSourcePixels: 1_000_000,
  maxSidePixels: 2_000,
  maxPixels: 4_000_000,
  maxImageBytes: 1_000_000,
}
const WINDOW = { fromLine: 1, maxLines: 2_000, maxBytes: 51_200 }

interface Read {
  notebook: RenderedNotebook | undefined
  images: [number, EncodedImage][]
  outcome: JobOutcome
}

interface Asked extends Partial<Omit<NotebookJob, "limits">> {
  limits?: Partial<NotebookJob["limits"]>
  remainingMs?: () => number
  engine?: ReturnType<typeof createNotebookEngine>
}

async function read(content: string | Uint8Array, asked: Asked = {}): Promise<Read> {
  const { limits, remainingMs = () => 60_000, engine = createNotebookEngine(), ...job } = asked
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  const session = engine.begin(
    { kind: "notebook", images: true, window: WINDOW, ...job, limits: { ...LIMITS, ...limits } },
    bytes.length,
  )
  session.write(bytes)
  const found: Omit<Read, "outcome"> = { notebook: undefined, images: [] }
  const outcome = await session.finish({
    opened: async () => undefined,
    page: async () => undefined,
    notebook: async (notebook) => {
      found.notebook = notebook
    },
    image: async (number, image) => {
      found.images.push([number, image])
    },
    remainingMs,
  })
  return { ...found, outcome }
}

const textOf = async (...cells: unknown[]) => (await read(buildNotebook(cells))).notebook?.text

describe("The cells of a notebook", () => {
  it("of format 3 read as those of format 4", async () => {
    const cells = [
      { cell_type: "heading", level: 2, source: ["Results"] },
      {
        cell_type: "code",
        input: ["plot()\n", "x"],
        language: "python",
        outputs: [
          { output_type: "stream", stream: "stderr", text: ["warn\n"] },
          { output_type: "pyout", prompt_number: 1, text: ["42"], html: ["<b>42</b>"] },
          { output_type: "display_data", html: "<i>only</i>" },
          { output_type: "pyerr", ename: "E", evalue: "why", traceback: ["T"] },
        ],
      },
    ]
    const v3 = JSON.stringify({
      metadata: {},
      nbformat: 3,
      nbformat_minor: 0,
      worksheets: [{ cells }, 5, { cells: [] }],
    })
    expect((await read(v3)).notebook?.text).toBe(
      [
        "# cell 1 [heading]\n## Results\n\n# cell 2 [code]\nplot()\nx",
        "# cell 2 output 1 [stderr]\nwarn",
        "# cell 2 output 2 [result]\n42",
        "# cell 2 output 3 [display text/html]\n<i>only</i>",
        "# cell 2 output 4 [error]\nE: why\nT",
      ].join("\n"),
    )
  })

  it.each<[string, unknown, string]>([
    ["raw", { cell_type: "raw", source: "as it is" }, "# cell 1 [raw]\nas it is"],
    ["without a source", { cell_type: "code" }, "# cell 1 [code]"],
    ["with an empty source", { cell_type: "code", source: [] }, "# cell 1 [code]"],
    ["with line ends of all kinds", markdownCell("a\r\nb\rc\n\n"), "# cell 1 [markdown]\na\nb\nc"],
    [
      "with a NUL, a bell and half a character",
      markdownCell("a\0b\u0007c\ud800d"),
      "# cell 1 [markdown]\na\u2400bc\ufffdd",
    ],
    ["with a source of numbers", { cell_type: "code", source: 5, outputs: 7 }, "# cell 1 [code]"],
    ["with a source of mixed lines", { cell_type: "code", source: ["a", 1, null, {}, "b"] }, "# cell 1 [code]\nab"],
    ["of a type that imitates a heading", { cell_type: "code]\n# cell 9 [x" }, "# cell 1 [unknown]"],
    ["without a type", { source: "x" }, "# cell 1 [unknown]\nx"],
    ["that is null", null, "# cell 1 [damaged]"],
    ["that is a number", 3, "# cell 1 [damaged]"],
    ["that is a list", [[]], "# cell 1 [damaged]"],
    ["with a prototype", JSON.parse('{"__proto__": {"cell_type": "code", "source": "x"}}'), "# cell 1 [unknown]"],
    ["with a constructor", { constructor: { name: "x" }, toString: 3, cell_type: "code" }, "# cell 1 [code]"],
  ])("are shown %s", async (_title, cell, text) => {
    expect(await textOf(cell)).toBe(text)
  })

  it("have the pictures that were pasted into them", async () => {
    const image = pictureForm(buildPng({ width: 6, height: 4, sample: () => 9 }))
    const attachments = { "image.png": { "image/png": image }, "a b": { "text/plain": "x" }, c: 4 }
    const pasted = { ...markdownCell("![x](attachment:image.png)"), attachments }
    const { notebook, images } = await read(buildNotebook([pasted]))
    expect(notebook?.text).toBe(
      [
        "# cell 1 [markdown]\n![x](attachment:image.png)",
        "# cell 1 attachment [image.png]\n[image 1: PNG, 6 x 4 pixels]",
        "# cell 1 attachment [unknown]\n# cell 1 attachment [c]",
      ].join("\n"),
    )
    expect(images.map(([number]) => number)).toEqual([1])
    expect(await textOf({ ...pasted, attachments: [1] })).toBe("# cell 1 [markdown]\n![x](attachment:image.png)")
  })

  it("change no prototype", async () => {
    await read(
      '{"nbformat": 4, "cells": [{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}]}',
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe("The outputs of a cell", () => {
  const output = async (...outputs: unknown[]) =>
    (await textOf(codeCell("x", ...outputs)))?.replace("# cell 1 [code]\nx\n", "")

  it.each<[string, unknown[], string]>([
    [
      "a stream in pieces is one",
      [streamOutput("stdout", "a\n"), streamOutput("stdout", "b\n")],
      "# cell 1 output 1 [stdout]\na\nb",
    ],
    [
      "streams that take turns are several",
      [streamOutput("stdout", "a"), streamOutput("stderr", "b"), streamOutput("stdout", "c")],
      "# cell 1 output 1 [stdout]\na\n# cell 1 output 2 [stderr]\nb\n# cell 1 output 3 [stdout]\nc",
    ],
    [
      "a progress bar is its last state",
      [streamOutput("stderr", "0%\r50%\r100%\r\nready\n")],
      "# cell 1 output 1 [stderr]\n100%\nready",
    ],
    [
      "a traceback has no colours",
      [
        errorOutput("ValueError", "bad", [
          "\u001b[1;31mValueError\u001b[0m: bad",
          "\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\",
        ]),
      ],
      "# cell 1 output 1 [error]\nValueError: bad\nValueError: bad\nlink",
    ],
    [
      "other escapes are gone, and what is none stays",
      [streamOutput("stdout", "a\u001b(Bb\u001b7c\u001b\nd\u001b[?25le\u001b[\nf\u001b]0;title\ng")],
      "# cell 1 output 1 [stdout]\nabc\nde[\nf",
    ],
    ["an error without a traceback is its message", [errorOutput("E", "", [])], "# cell 1 output 1 [error]\nE"],
    [
      "plain text comes before HTML",
      [resultOutput({ "text/html": "<b>1</b>", "text/plain": "1" })],
      "# cell 1 output 1 [result]\n1",
    ],
    [
      "HTML alone is named",
      [displayOutput({ "text/html": ["<b>", "1</b>"] })],
      "# cell 1 output 1 [display text/html]\n<b>1</b>",
    ],
    [
      "forms that are no text are named",
      [displayOutput({ "application/vnd.plotly.v1+json": { deep: [] }, "bad\nname": 1 })],
      "# cell 1 output 1 [display]\n[Not shown: application/vnd.plotly.v1+json, unknown]",
    ],
    ["nothing is nothing", [displayOutput({})], "# cell 1 output 1 [display]"],
    [
      "what is no output is damaged",
      [null, 4, "x", []],
      [1, 2, 3, 4].map((n) => `# cell 1 output ${n} [damaged]`).join("\n"),
    ],
    ["numbers for text are no text", [{ output_type: "stream", name: 4, text: 5 }], "# cell 1 output 1 [unknown]"],
    [
      "an unknown type is told",
      [{ output_type: "hologram", data: { "text/plain": "x" } }],
      "# cell 1 output 1 [hologram]\nx",
    ],
    ["a type that has no text is none", [{ output_type: { toString: false } }], "# cell 1 output 1 [unknown]"],
    ["a type that all objects have is itself", [{ output_type: "constructor" }], "# cell 1 output 1 [constructor]"],
    ["a type that is a list is none", [{ output_type: ["stream"], data: 5 }], "# cell 1 output 1 [unknown]"],
  ])("%s", async (_title, outputs, text) => {
    expect(await output(...outputs)).toBe(text)
  })

  it("are cut between characters", async () => {
    expect(await output(streamOutput("stdout", `x${"😀".repeat(1_000)}`))).toBe(
      `# cell 1 output 1 [stdout]\nx${"😀".repeat(999)}\n[Output cut: 2000 of 2001 characters shown.]`,
    )
    expect(await output(streamOutput("stdout", "y".repeat(2_000)))).toBe(
      `# cell 1 output 1 [stdout]\n${"y".repeat(2_000)}`,
    )
  })

  it("of a long error show its message before the traceback", async () => {
    expect(await output(errorOutput("E", "the reason", ["x".repeat(5_000)]))).toMatch(/\[error\]\nE: the reason\nx/)
  })
})

describe("A window of a notebook", () => {
  const picture = displayOutput({ "image/png": pictureForm(buildPng({ width: 6, height: 4, sample: () => 9 })) })
  const notebook = buildNotebook([codeCell("a", picture), codeCell("b\nb"), codeCell("c", picture, picture)])
  const lines = [
    ["# cell 1 [code]", "a", "# cell 1 output 1 [display]", "[image 1: PNG, 6 x 4 pixels]", ""],
    ["# cell 2 [code]", "b", "b", ""],
    ["# cell 3 [code]", "c", "# cell 3 output 1 [display]", "[image 2: PNG, 6 x 4 pixels]"],
    ["# cell 3 output 2 [display]", "[image 3: PNG, 6 x 4 pixels]"],
  ].flat()

  it("holds the lines asked for and one more, and says where they stand", async () => {
    for (let from = 1; from <= lines.length + 2; from++) {
      for (let most = 0; most <= lines.length; most++) {
        const window = { fromLine: from, maxLines: most, maxBytes: 10_000 }
        const { notebook: read3, images } = await read(notebook, { window })
        const shown = lines.slice(from - 1, from + most)
        expect(read3).toMatchObject({ cells: 3, totalLines: lines.length, text: shown.join("\n"), lineCut: false })
        const behind = lines.slice(from + most).map((line) => `\n${line}`)
        expect(read3?.bytesAfter).toBe(shown.length === 0 ? 0 : Buffer.byteLength(behind.join("")))
        const at = (pattern: RegExp) => lines.flatMap((line, i) => (pattern.test(line) ? [i + 1] : []))
        const isIn = (line: number) => line >= from && line <= from + most
        expect(read3?.cellLines).toEqual(at(/ \[code\]/).filter(isIn))
        expect(read3?.firstCell).toBe(at(/ \[code\]/).filter((line) => line < from).length)
        expect(read3?.imageLines).toEqual(at(/^\[image/).filter(isIn))
        expect(read3?.imagesBefore).toBe(at(/^\[image/).filter((line) => line < from).length)
        const decoded = at(/^\[image/).flatMap((line, i) => (line >= from && line < from + most ? [i + 1] : []))
        expect(images.map(([number]) => number)).toEqual(decoded)
      }
    }
  }, 60_000)

  it("ends with its bytes, and always holds a line", async () => {
    const window = { fromLine: 1, maxLines: 100, maxBytes: Buffer.byteLength(lines.slice(0, 3).join("\n")) }
    const { notebook: byBytes, images } = await read(notebook, { window })
    expect(byBytes?.text).toBe(lines.slice(0, 4).join("\n"))
    expect(byBytes?.imageLines).toEqual([4])
    expect(images).toEqual([])
    expect((await read(notebook, { window: { ...window, maxBytes: 1 } })).notebook?.text).toBe(lines[0])
  })

  it("is cut within a line only where that line alone is more than a call may hold", async () => {
    const long = buildNotebook([codeCell(`${"é".repeat(500)}\nz`)])
    const asked = { window: { fromLine: 2, maxLines: 9, maxBytes: 9 }, limits: { maxCharacters: 100 } }
    expect((await read(long, asked)).notebook).toMatchObject({
      text: "é".repeat(100),
      lineCut: true,
      bytesAfter: 802,
      totalLines: 3,
    })
    const second = { window: { fromLine: 1, maxLines: 9, maxBytes: 900 }, limits: { maxCharacters: 100 } }
    expect((await read(long, second)).notebook).toMatchObject({
      text: "# cell 1 [code]",
      lineCut: false,
      bytesAfter: 1_003,
    })
  })
})

describe("The pictures in a window", () => {
  const png = (width: number, height: number) =>
    pictureForm(buildPng({ width, height, sample: (x, y) => (x * y) & 255 }))
  const plots = buildNotebook([codeCell("x", ...[1, 2, 3, 4].map(() => displayOutput({ "image/png": png(100, 80) })))])

  it("share the pixels of a call, and what one leaves the next ones have", async () => {
    const notebook = buildNotebook([
      codeCell("x", displayOutput({ "image/png": png(10, 10) }), displayOutput({ "image/png": png(100, 80) })),
    ])
    const { images } = await read(notebook, { limits: { maxPixels: 2_100 } })
    expect(images.map(([, { width, height }]) => [width, height])).toEqual([
      [10, 10],
      [50, 40],
    ])
  })

  it("share its bytes", async () => {
    const { images } = await read(plots, { limits: { maxImageBytes: 9_000 } })
    expect(images.reduce((sum, [, { data }]) => sum + data.byteLength, 0)).toBeLessThanOrEqual(9_000)
    expect(images).not.toEqual([])
  })

  it("are as many as a call shows, and none where none were asked for", async () => {
    expect((await read(plots, { limits: { maxImages: 3 } })).images.map(([number]) => number)).toEqual([1, 2, 3])
    expect((await read(plots, { images: false })).images).toEqual([])
  })

  it("larger than an image file may be, or than may be decoded, are left out", async () => {
    expect((await read(plots, { limits: { maxSourceBytes: 100 } })).images).toEqual([])
    expect((await read(plots, { limits: { maxSourcePixels: 100 } })).images).toEqual([])
  })

  it("end where the time does, with the text whole", async () => {
    const times = [60_000, 60_000]
    const { images, outcome, notebook } = await read(plots, {
      remainingMs: () => times.shift() ?? 10,
      limits: { maxImages: 4 },
    })
    expect(images.length).toBeLessThan(4)
    expect(outcome.notRead).toBe("timeout")
    expect(notebook?.imageLines).toHaveLength(4)
  })

  it("are not there without a decoder, and that is told", async () => {
    const without = createNotebookEngine(() => createImageEngine(() => Promise.reject(new Error("no sharp here"))))
    const { images, outcome, notebook } = await read(plots, { engine: without })
    expect(images).toEqual([])
    expect(outcome).toMatchObject({ notRead: "unavailable", message: "sharp could not be loaded: no sharp here" })
    expect(notebook?.cells).toBe(1)
  })

  it("load no decoder where there are none", async () => {
    const engine = createNotebookEngine(() => Promise.reject(new Error("loaded")))
    expect((await read(buildNotebook([codeCell("x")]), { engine })).outcome).toEqual({ textTruncated: false })
  })
})

describe("Any JSON", () => {
  it("is a notebook of bounded text without control characters, or unsupported", async () => {
    const anything = fc.jsonValue({ maxDepth: 4, noUnicodeString: false })
    const cell = fc.oneof(
      anything,
      fc.record({ cell_type: anything, source: anything, input: anything, outputs: fc.array(anything) }),
      fc.record({
        cell_type: fc.constantFrom("code", "heading"),
        outputs: fc.array(
          fc.record({
            output_type: fc.oneof(anything, fc.constantFrom("stream", "error", "display_data")),
            data: fc.oneof(anything, fc.dictionary(fc.constantFrom("text/plain", "image/png", "x"), anything)),
            text: anything,
            traceback: anything,
            name: anything,
          }),
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(cell), fc.integer({ min: 1, max: 20 }), async (cells, fromLine) => {
        const { notebook, outcome } = await read(buildNotebook(cells), { window: { ...WINDOW, fromLine } })
        expect(outcome.notRead).toBeUndefined()
        expect(notebook?.cells).toBe(cells.length)
        expect(notebook?.text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]|\p{Cs}/u)
      }),
      { numRuns: 300 },
    )
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        expect((await read(JSON.stringify(value))).outcome.notRead).toBe("unsupported")
      }),
      { numRuns: 100 },
    )
  })
})
