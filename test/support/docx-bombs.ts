import { constants, deflateRawSync } from "node:zlib"
import {
  buildDocx,
  documentXml,
  heading,
  item,
  paragraph,
  run,
  table,
  tableCell,
  type WordParts,
} from "./build-docx.ts"
import { buildZip, type ZipEntry } from "./build-zip.ts"

const MEBIBYTE = 1024 * 1024
const GIBIBYTE = 1024 * MEBIBYTE

export interface DocxBomb {
  build: () => Buffer
  /** Its text with no reason, or one of these. What ends in `timeout` alone does so within any time that is waited for it. */
  endsIn: readonly ("text" | "too-large" | "timeout" | "unsupported" | "no-text")[]
  /** What the text must hold. */
  holds?: string
}

/** Raw deflate data of `before`, then `piece` again and again up to `size` bytes, then `after`; made in no time. */
export function deflateRepeated(before: string, piece: string, size: number, after: string): Buffer {
  const flushed = (text: string): Buffer => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  const block = piece.repeat(Math.ceil(MEBIBYTE / piece.length))
  const packed = flushed(block)
  const blocks = Array.from({ length: Math.ceil(size / block.length) }, () => packed)
  return Buffer.concat([flushed(before), ...blocks, deflateRawSync(after)])
}

const [BEFORE = "", AFTER = ""] = documentXml("\0").split("\0")

/** A main part of `size` bytes in all. */
function vast(before: string, piece: string, size: number, after = ""): ZipEntry {
  return {
    name: "word/document.xml",
    content: "",
    packed: deflateRepeated(`${BEFORE}${before}`, piece, size, `${after}${AFTER}`),
    claimedContentSize: 1_000,
  }
}

const words = (parts: Partial<WordParts>): Buffer => buildDocx({ body: paragraph("Harmless words"), ...parts })
const main = (content: string): ZipEntry => ({ name: "word/document.xml", content })
const withType = (type: string, body = paragraph("&bomb;")): Buffer =>
  words({ entries: [main(documentXml(body).replace("<w:document", () => `${type}<w:document`))] })

/** Zip in zip, sixteen times in each: what a scanner that opens archives in archives would never end. */
function nestedZips(depth: number): Buffer {
  const inner = depth === 0 ? deflateRepeated("", "\0", 64 * MEBIBYTE, "") : nestedZips(depth - 1)
  return buildZip(...Array.from({ length: 16 }, (_, i) => ({ name: `${i}.zip`, content: inner })))
}

/** Every entry is the same compressed data, which is in the file once. */
function overlapping(names: readonly string[]): Buffer {
  const first = names[0] ?? ""
  const { packed } = vast("", paragraph("x"), GIBIBYTE)
  const zip = buildZip({ name: first, content: "", ...(packed ? { packed } : {}) })
  const directoryAt = zip.indexOf("PK\x01\x02", 0, "latin1")
  const end = Buffer.from(zip.subarray(-22))
  const entries = names.map((name) => {
    const entry = Buffer.from(zip.subarray(directoryAt, directoryAt + 46))
    entry.writeUInt16LE(name.length, 28)
    return Buffer.concat([entry, Buffer.from(name)])
  })
  const directory = Buffer.concat(entries)
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directory.length, 12)
  return Buffer.concat([zip.subarray(0, directoryAt), directory, end])
}

const ENTITIES = Array.from({ length: 10 }, (_, i) => {
  const value = i === 0 ? "ha" : `&e${i - 1};`.repeat(10)
  return `<!ENTITY e${i} "${value}">`
}).join("")
const PATHS = [
  "../../../../etc/passwd",
  "/etc/shadow",
  "C:\\Windows\\system.ini",
  "..\\..\\x",
  "word/../../y",
  "\0",
  "",
]

export const DOCX_BOMBS: Readonly<Record<string, DocxBomb>> = {
  "zips within zips beside the words": {
    build: () => words({ entries: [{ name: "word/media/1.zip", content: nestedZips(2) }] }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "a main part of 4 GB of paragraphs": {
    build: () => words({ entries: [vast("", paragraph("Words without end"), 4 * GIBIBYTE)] }),
    endsIn: ["text"],
    holds: "Words without end",
  },
  "a main part of 1 GB in one paragraph": {
    build: () => words({ entries: [vast("<w:p><w:r><w:t>", "words ", GIBIBYTE, "</w:t></w:r></w:p>")] }),
    endsIn: ["too-large"],
  },
  "a main part of 1 GB of blanks": {
    build: () => words({ entries: [vast(paragraph("Before"), " ", GIBIBYTE)] }),
    endsIn: ["text"],
    holds: "Before",
  },
  "styles of 1 GB": {
    build: () => words({ entries: [{ ...vast("", "<w:style/>", GIBIBYTE), name: "word/styles.xml" }] }),
    endsIn: ["too-large"],
  },
  "footnotes of 1 GB": {
    build: () => words({ entries: [{ ...vast("", paragraph("note"), GIBIBYTE), name: "word/footnotes.xml" }] }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "an image of 1 GB": {
    build: () => words({ entries: [{ ...vast("", "\0", GIBIBYTE), name: "word/media/1.png" }] }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "all parts the same 1 GB": {
    build: () => overlapping(["word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml"]),
    endsIn: ["text", "too-large", "timeout"],
  },
  "an entity of 1 GB": {
    build: () =>
      words({
        entries: [
          {
            name: "word/document.xml",
            content: "",
            packed: deflateRepeated(
              '<!DOCTYPE w [<!ENTITY bomb "',
              "bomb",
              GIBIBYTE,
              `">]>${documentXml(paragraph("x"))}`,
            ),
          },
        ],
      }),
    endsIn: ["unsupported"],
  },
  "a billion laughs": {
    build: () => withType(`<!DOCTYPE w [${ENTITIES}]>`, `<w:p><w:r><w:t>&e9;</w:t></w:r></w:p>`),
    endsIn: ["unsupported"],
  },
  "an entity that is a file": {
    build: () => withType('<!DOCTYPE w [<!ENTITY bomb SYSTEM "file:///etc/passwd">]>'),
    endsIn: ["unsupported"],
  },
  "an entity that nobody declared": {
    build: () => words({ entries: [main(documentXml("<w:p><w:r><w:t>&bomb;</w:t></w:r></w:p>"))] }),
    endsIn: ["unsupported"],
  },
  "100,000 entries": {
    build: () => words({ entries: Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}`, content: "" })) }),
    endsIn: ["too-large"],
  },
  "9,000 entries, 1 KB names": {
    build: () =>
      words({ entries: Array.from({ length: 9_000 }, (_, i) => ({ name: `${i}`.padStart(1_000, "n"), content: "" })) }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "entries with names of paths": {
    build: () => words({ entries: PATHS.map((name) => ({ name, content: "root:x:0:0" })) }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "a main part that is named by a path": {
    build: () =>
      words({
        entries: [
          {
            name: "_rels/.rels",
            content:
              '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="../../../../etc/passwd"/></Relationships>',
          },
        ],
      }),
    endsIn: ["text"],
    holds: "Harmless words",
  },
  "sizes that claim 4 GB": {
    build: () => words({ entries: [{ ...main(documentXml(paragraph("Honest"))), claimedContentSize: 0xffff_fff0 }] }),
    endsIn: ["text"],
    holds: "Honest",
  },
  "a main part that is no compressed data": {
    build: () => words({ entries: [{ ...main(""), packed: Buffer.alloc(10_000, 0xff) }] }),
    endsIn: ["unsupported"],
  },
  "tables within tables, 100,000 deep": {
    build: () => words({ body: `${"<w:tbl><w:tr><w:tc>".repeat(100_000)}` }),
    endsIn: ["unsupported"],
  },
  "tables within tables as deep as is allowed": {
    build: () => {
      const depth = 80
      return words({
        body: `${"<w:tbl><w:tr><w:tc>".repeat(depth)}${paragraph("Inmost")}${"</w:tc></w:tr></w:tbl>".repeat(depth)}`,
      })
    },
    endsIn: ["text"],
    holds: "Inmost",
  },
  "a cell that covers a milliard of columns": {
    build: () =>
      words({ body: `<w:tbl><w:tr>${tableCell("wide", '<w:gridSpan w:val="1000000000"/>')}</w:tr></w:tbl>` }),
    endsIn: ["text"],
    holds: "wide",
  },
  "a table of 40,000 rows": {
    build: () => words({ body: table(...Array.from({ length: 40_000 }, (_, i) => [`${i}`, "x"])) }),
    endsIn: ["text"],
    holds: "| 4000 | x |",
  },
  "a list at level a milliard": {
    build: () =>
      words({
        body: item(1, 1_000_000_000, "deep"),
        entries: [
          {
            name: "word/numbering.xml",
            content: documentXml("").replace(
              /<w:body>.*<\/w:body>/,
              '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="1000000000"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
            ),
          },
        ],
      }),
    endsIn: ["text"],
    holds: "deep",
  },
  "footnotes that refer to each other": {
    build: () =>
      words({
        body: paragraph(`${run("a")}<w:r><w:footnoteReference w:id="1"/></w:r>`),
        footnotes: [1, 2]
          .map(
            (id) =>
              `<w:footnote w:id="${id}">${paragraph(`${run(`note ${id}`)}<w:r><w:footnoteReference w:id="${3 - id}"/></w:r>`)}</w:footnote>`,
          )
          .join(""),
      }),
    endsIn: ["text"],
    holds: "[^1]: note 1[^2]",
  },
  "a line of 250,000 blanks and nothing else": {
    build: () => words({ body: paragraph(" ".repeat(250_000)) }),
    endsIn: ["no-text"],
  },
  "a link of 5 MB": {
    build: () =>
      words({
        body: `<w:p><w:hyperlink r:id="l">${run("here")}</w:hyperlink></w:p>`,
        targets: { l: `https://a.example/${"(".repeat(5_000_000)}` },
      }),
    endsIn: ["text"],
    holds: "[here](https://a.example/%28",
  },
  "half a million kinds of elements": {
    build: () => words({ body: Array.from({ length: 500_000 }, (_, i) => `<w:x${i}/>`).join("") + paragraph("End") }),
    endsIn: ["too-large"],
  },
  // mammoth compares each of its warnings with all that came before it.
  "140,000 kinds of elements": {
    build: () => words({ body: Array.from({ length: 140_000 }, (_, i) => `<w:x${i}/>`).join("") + paragraph("End") }),
    endsIn: ["timeout"],
  },
  "an element of 300,000 attributes": {
    build: () => words({ body: `<w:p ${Array.from({ length: 300_000 }, (_, i) => `a${i}="" `).join("")}/>` }),
    endsIn: ["too-large"],
  },
  "a field of 5 million blanks": {
    build: () =>
      words({
        body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${" ".repeat(5_000_000)}</w:instrText><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      }),
    endsIn: ["timeout"],
  },
  "2 million comments that never end": {
    build: () => words({ body: `${paragraph("Before")}${"<!--".repeat(2_000_000)}` }),
    endsIn: ["unsupported"],
  },
  "10,000 pages": {
    build: () =>
      words({
        entries: [vast(heading(1, "Start"), paragraph("Words as they stand on a page. ".repeat(10)), 10_000 * 3_500)],
      }),
    endsIn: ["text"],
    holds: "# Start",
  },
}
