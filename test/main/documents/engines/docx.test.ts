import { describe, expect, it } from "vitest"
import { createDocxEngine } from "../../../../src/main/documents/engines/docx.ts"
import type { JobOutcome } from "../../../../src/main/documents/extractor-protocol.ts"
import {
  buildDocx,
  heading,
  item,
  paragraph,
  picture,
  run,
  table,
  tableCell,
  type WordParts,
} from "../../../support/build-docx.ts"

interface Extracted extends JobOutcome {
  text: string | undefined
}

async function extract(bytes: Uint8Array, maxCharacters = 300_000): Promise<Extracted> {
  const session = createDocxEngine().begin({ kind: "docx", limits: { maxCharacters } }, bytes.length)
  session.write(bytes)
  let text: string | undefined
  const outcome = await session.finish({
    opened: async () => undefined,
    page: async (_page, said) => {
      text = said
    },
    image: async () => undefined,
    remainingMs: () => 60_000,
  })
  return { text, ...outcome }
}

const CASES: { title: string; parts: WordParts; text: string; notes?: string[] }[] = [
  {
    title: "headings by their level, a title among them",
    parts: {
      body:
        paragraph("A report", '<w:pStyle w:val="Title"/>') +
        heading(1, "One") +
        paragraph("Words.") +
        heading(3, "Three") +
        heading(7, "Seven"),
    },
    text: "# A report\n\n# One\n\nWords.\n\n### Three\n\n###### Seven",
  },
  {
    title: "nested lists",
    parts: {
      body:
        item(1, 0, "a") +
        item(1, 1, "b") +
        item(2, 2, "first") +
        item(2, 2, "second") +
        item(1, 0, "c") +
        paragraph("Between.") +
        item(2, 0, "one") +
        item(2, 1, "inner") +
        item(2, 0, "two"),
    },
    text: "- a\n    - b\n        1. first\n        2. second\n- c\n\nBetween.\n\n1. one\n    1. inner\n2. two",
  },
  {
    title: "lists that go on after other text, and others of the same look that begin anew",
    parts: {
      body:
        item(2, 0, "one") +
        heading(1, "Between") +
        item(2, 0, "two") +
        item(2, 1, "inner") +
        paragraph("Another:") +
        item(3, 0, "first") +
        item(3, 0, "second") +
        item(2, 0, "three"),
    },
    text: "1. one\n\n# Between\n\n2. two\n    1. inner\n\nAnother:\n\n1. first\n2. second\n3. three",
  },
  {
    title: "tables, with cells that cover others and bars in them",
    parts: {
      body:
        table(["Name", "Value"], ["a|b", paragraph("x") + paragraph("y")]) +
        `<w:tbl><w:tr>${tableCell("wide", '<w:gridSpan w:val="2"/>')}${tableCell("end")}</w:tr><w:tr>${tableCell(
          "tall",
          '<w:vMerge w:val="restart"/>',
        )}${tableCell("p")}${tableCell("q")}</w:tr><w:tr>${tableCell("", "<w:vMerge/>")}${tableCell("r")}${tableCell(
          "s",
        )}</w:tr></w:tbl>`,
    },
    text: [
      "| Name | Value |\n| --- | --- |\n| a\\|b | x<br>y |",
      "| wide |  | end |\n| --- | --- | --- |\n| tall | p | q |\n|  | r | s |",
    ].join("\n\n"),
  },
  {
    title: "a table of one cell as the text in its frame",
    parts: { body: table([heading(1, "In a frame") + paragraph("Words")]) },
    text: "In a frame\nWords",
  },
  {
    title: "links, one for all of its runs, and none for what leads into the document itself",
    parts: {
      body: paragraph(
        `${run("See ")}<w:hyperlink r:id="l1">${run("the ")}${run("manual")}</w:hyperlink>${run(", ")}<w:hyperlink w:anchor="x">${run(
          "below",
        )}</w:hyperlink>${run(" and ")}<w:hyperlink r:id="l2">${run("https://b.example/")}</w:hyperlink>`,
      ),
      targets: { l1: "https://a.example/a (1)", l2: "https://b.example/" },
    },
    text: "See [the manual](https://a.example/a%20%281%29), below and https://b.example/",
  },
  {
    title: "footnotes and comments after the block that refers to them",
    parts: {
      body:
        paragraph(`${run("Claim")}<w:r><w:footnoteReference w:id="2"/></w:r>`) +
        item(1, 0, `${run("item")}<w:r><w:commentReference w:id="0"/></w:r>`) +
        item(1, 0, "last") +
        paragraph("Done."),
      footnotes: `<w:footnote w:id="2">${paragraph("The source.")}</w:footnote>`,
      comments: `<w:comment w:id="0" w:author="Ada">${paragraph("Really?")}</w:comment>`,
    },
    text: "Claim[^1]\n\n[^1]: The source.\n\n- item[^2]\n- last\n\n[^2]: Comment of Ada: Really?\n\nDone.",
  },
  {
    title: "tracked changes as accepted: what was inserted or moved here, and not what was deleted",
    parts: {
      body: paragraph(
        `${run("Pay ")}<w:del w:id="1"><w:r><w:delText>ten</w:delText></w:r></w:del><w:ins w:id="2">${run(
          "twelve",
        )}</w:ins><w:moveFrom w:id="3">${run(" away")}</w:moveFrom><w:moveTo w:id="4">${run(" here")}</w:moveTo>${run(
          " old",
          "<w:strike/>",
        )}${run("er", "<w:strike/>")}`,
      ),
    },
    text: "Pay twelve here ~~older~~",
  },
  {
    title: "text from right to left in its order",
    parts: { body: paragraph(run("שלום ", "<w:rtl/>") + run("עולם 123", "<w:rtl/>"), "<w:bidi/>") },
    text: "שלום עולם 123",
  },
  {
    title: "images whose files are nowhere named, counted with the others",
    parts: {
      body: `${paragraph(run("Look: ") + picture("gone"))}${paragraph(picture("i1"))}${paragraph(
        `<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="gone"/></v:shape></w:pict></w:r>`,
      )}${paragraph(run("after"))}`,
      targets: { i1: "media/1.png" },
    },
    text: "Look:\n\nafter",
    notes: ["3 images left out."],
  },
  {
    title: "images as marks with their words, and counts them",
    parts: {
      body: paragraph(run("Look: ") + picture("i1", "A cat")) + paragraph(picture("i1")),
      targets: { i1: "media/1.png" },
    },
    text: "Look: [image: A cat]\n\n[image]",
    notes: ["2 images left out."],
  },
  {
    title: "line breaks, tabs and blanks of the file's own lines",
    parts: {
      body: paragraph(`${run("a")}<w:r><w:br/></w:r>${run("b\nc")}<w:r><w:tab/></w:r>${run("d")}`),
    },
    text: "a\nb c\td",
  },
  {
    title: "equations not at all, and says so",
    parts: { body: paragraph(`${run("E = ")}<m:oMath><m:r><m:t>mc</m:t></m:r></m:oMath>`) },
    text: "E =",
    notes: ["Equations are left out."],
  },
]

describe("A Word document becomes text", () => {
  it.each(CASES)("$title", async ({ parts, text, notes }) => {
    expect(await extract(buildDocx(parts))).toEqual({ text, textTruncated: false, ...(notes ? { notes } : {}) })
  })
})
