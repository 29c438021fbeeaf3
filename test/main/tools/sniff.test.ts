import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sniff } from "../../../src/main/tools/sniff.ts"
import { buildZip } from "../../support/build-zip.ts"

const bytes = (...parts: (string | number | number[] | Uint8Array)[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === "string" ? Buffer.from(part) : Buffer.from(typeof part === "number" ? [part] : part),
    ),
  )

const utf16 = (text: string, order: "le" | "be"): Uint8Array => {
  const le = Buffer.from(text, "utf16le")
  return order === "le" ? le : Buffer.from(le).swap16()
}

/** Bytes that are the same in every run, by a linear congruential generator. */
function noise(length: number, seed = 1): Uint8Array {
  let state = seed
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

/** "程序运行时出现错误，请检查配置文件" in GBK. */
const GBK = [
  0xb3, 0xcc, 0xd0, 0xf2, 0xd4, 0xcb, 0xd0, 0xd0, 0xca, 0xb1, 0xb3, 0xf6, 0xcf, 0xd6, 0xb4, 0xed, 0xce, 0xf3, 0xa3,
  0xac, 0xc7, 0xeb, 0xbc, 0xec, 0xb2, 0xe9, 0xc5, 0xe4, 0xd6, 0xc3, 0xce, 0xc4, 0xbc, 0xfe,
]

describe("Text", () => {
  it.each<[string, Uint8Array]>([
    ["nothing", bytes()],
    ["a CSV that starts with BM", bytes("BMW,model,year\nX5,2019,petrol\n")],
    ["a note that starts with GIF89a", bytes("GIF89a is the name of a format from 1989.\n")],
    ["a note that starts with RIFF", bytes("RIFF, as in RIFF....WEBP, is a container\n")],
    ["a note that mentions %PDF-1.7", bytes("The header is %PDF-1.7 and then\n")],
    ["UTF-8 text that mentions %PDF-1.7", bytes("Die Kopfzeile heißt %PDF-1.7 – natürlich\n")],
    ["%PDF- without a digit", bytes("%PDF-x is no version\n")],
    ["%PDF-1.4 behind the first KiB of odd bytes", bytes("x".repeat(1_020), "%PDF-1.4", [0xff])],
    ["a character cut by the end of the head", bytes("a".repeat(8_191), "ç")],
    ["a 4-byte character cut by the end of the head", bytes("a".repeat(8_190), "😀 and so on")],
    ["a NUL behind the head", bytes("a".repeat(8_500), 0, "b")],
    ["Chinese in UTF-8", bytes("程序运行时出现错误")],
    ["Chinese in GBK", bytes(GBK)],
    ["control characters", bytes([1, 2, 3, 7, 8, 11, 12, 27, 31, 127])],
    ["terminal colours", bytes("\u001b[31mred\u001b[0m\n")],
    ["lone carriage returns", bytes("a\rb\rc")],
    ["SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["RTF", bytes("{\\rtf1\\ansi hello}")],
    ["PostScript", bytes("%!PS-Adobe-3.0\n%%Title: x\n")],
    ["a UTF-8 BOM", bytes([0xef, 0xbb, 0xbf], "hello")],
    ["bytes that are no encoding at all", bytes([0xff, 0xc0, 0x80, 0xf5])],
    ["PK at the start of a note", bytes("PK is a pair of initials\n")],
    ["HTML", bytes("<!doctype html><p>hello")],
    ["JSON", bytes('{"a": 1}')],
    ["a mail with a base64 PDF", bytes("Content-Type: application/pdf\n\nJVBERi0xLjQK\n")],
    ["ID3 at the start of a note", bytes("ID3 tags are metadata\n")],
  ])("is %s", (_, head) => {
    expect(sniff(head)).toEqual({ kind: "text" })
  })
})

describe("Documents", () => {
  it.each<[string, Uint8Array]>([
    ["at the start", bytes("%PDF-1.7\n%", [0xe2, 0xe3, 0xcf, 0xd3])],
    ["that are not really one", bytes("%PDF-1.4 not really")],
    ["behind a BOM", bytes([0xef, 0xbb, 0xbf], "%PDF-1.4\n")],
    ["behind white space", bytes("\r\n \t\f%PDF-2.0\n")],
    ["behind a BOM and white space", bytes([0xef, 0xbb, 0xbf], "\n%PDF-2.0\n")],
    ["behind other bytes, where the head is no text", bytes("junk\n%PDF-1.4\n%", [0xe2, 0xe3, 0xcf, 0xd3])],
    ["behind a binary wrapper with NULs", bytes(new Array(128).fill(0), "%PDF-1.4\n")],
  ])("are PDFs with their header %s", (_, head) => {
    expect(sniff(head)).toEqual({ kind: "document", document: "pdf" })
  })

  it("are not the NUL-laced files that mention a header behind the first KiB", () => {
    expect(sniff(bytes(new Array(1_024).fill(0), "%PDF-1.4\n"))).toEqual({ kind: "binary" })
  })

  it("are ZIP containers with the parts of a Word document", () => {
    const head = bytes(zipEntry("[Content_Types].xml"), zipEntry("_rels/.rels"), zipEntry("word/document.xml"))
    expect(sniff(head)).toEqual({ kind: "document", document: "docx" })
  })
})

describe("Unicode of other widths", () => {
  it.each<[string, Uint8Array, object]>([
    ["FF FE and text", bytes([0xff, 0xfe, 0x68, 0]), { kind: "utf-16", order: "le", bom: true }],
    ["FE FF and text", bytes([0xfe, 0xff, 0, 0x68]), { kind: "utf-16", order: "be", bom: true }],
    ["FF FE 00 00", bytes([0xff, 0xfe, 0, 0, 0x68, 0, 0, 0]), { kind: "utf-32", order: "le" }],
    ["00 00 FE FF", bytes([0, 0, 0xfe, 0xff, 0, 0, 0, 0x68]), { kind: "utf-32", order: "be" }],
    ["FF FE alone", bytes([0xff, 0xfe]), { kind: "utf-16", order: "le", bom: true }],
  ])("is told by its BOM: %s", (_, head, kind) => {
    expect(sniff(head)).toEqual(kind)
  })

  it.each([
    ["ASCII", "hello\nworld\n"],
    ["a few letters", "hi\n"],
    ["German", "Größe über alles, schöne Grüße\r\n"],
    ["Chinese with line ends", "程序运行时出现错误，请检查配置文件\n第二行写在这里\n"],
    ["Russian", "Привет, мир! Как дела?\nВсё хорошо, спасибо.\n"],
    ["Japanese with U+3000", "　昔々、ある所に 「猫」がいました。\n　とても白い猫でした。\n"],
    ["Arabic", "مرحبا بالعالم\nهذا نص قصير للتجربة\n"],
    ["source code", "int main(void) {\n\treturn 0; // ok\n}\n".repeat(300)],
    ["emoji among words", "so good \u{1f600} and more \u{1f680} of it\n"],
  ])("is told without a BOM by where its NULs fall: %s", (_, text) => {
    expect(sniff(utf16(text, "le"))).toEqual({ kind: "utf-16", order: "le", bom: false })
    expect(sniff(utf16(text, "be"))).toEqual({ kind: "utf-16", order: "be", bom: false })
  })

  it("is told where the head cuts a surrogate pair, or the file ends in half a unit", () => {
    const cut = utf16(`${"a".repeat(4_095)}\u{1f600}b`, "le")
    expect(sniff(cut)).toEqual({ kind: "utf-16", order: "le", bom: false })
    expect(sniff(bytes([...utf16("hello there", "be")], 0))).toEqual({ kind: "utf-16", order: "be", bom: false })
  })
})

describe("Binary files", () => {
  it.each<[string, Uint8Array]>([
    ["one NUL in text", bytes("hello", 0, "world")],
    ["a NUL at the last byte of the head", bytes("a".repeat(8_191), 0)],
    ["noise", noise(8_192)],
    ["nothing but NULs", new Uint8Array(512)],
    ["arguments of a process", bytes("node\0script.js\0--flag\0value\0")],
    ["variables of a process", bytes("HOME=/root\0PATH=/bin:/usr/bin\0LANG=C\0")],
    ["names with a NUL behind each, of one length", bytes("abc\0def\0ghi\0jkl\0".repeat(40))],
    ["small numbers of 16 bits", Uint8Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? (i / 2) % 32 : 0))],
    ["numbers of 32 bits", Uint8Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 65 + (i % 26) : 0))],
  ])("are those with a NUL in the head: %s", (_, head) => {
    expect(sniff(head)).toEqual({ kind: "binary" })
  })

  it.each<[string, Uint8Array]>([
    ["a ZIP archive", bytes("PK\u0003\u0004", [...noise(400)])],
    ["a ZIP archive", zipEntry("notes.txt")],
    ["an empty ZIP archive", bytes("PK\u0005\u0006", new Array(18).fill(0))],
    ["an Office document", zipEntry("[Content_Types].xml")],
    ["a ZIP archive", zipEntry("mimetype", "application/x-other")],
    ["a Java archive (JAR)", zipEntry("META-INF/MANIFEST.MF")],
    ["gzip-compressed data", bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ["bzip2-compressed data", bytes("BZh91AY&SY", 0)],
    ["bzip2-compressed data", bytes("BZh91AY&SY", [0xb3, 0x9f, 0x41, 0xe5])],
    ["a ZIP archive", bytes("PK\u0003\u0004", [0xb3, 0x9f, 0x41, 0xe5])],
    ["xz-compressed data", bytes([0xfd], "7zXZ", [0, 0, 4])],
    ["Zstandard-compressed data", bytes([0x28, 0xb5, 0x2f, 0xfd, 0])],
    ["Zstandard-compressed data", bytes([0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x06, 0x31])],
    ["a 7z archive", bytes("7z", [0xbc, 0xaf, 0x27, 0x1c, 0, 4])],
    ["a RAR archive", bytes("Rar!", [0x1a, 7, 0])],
    ["a tar archive", bytes("name", new Array(253).fill(0), "ustar", [0, 0x30, 0x30])],
    ["an ELF executable or library", bytes([0x7f], "ELF", [2, 1, 1, 0])],
    ["a Mach-O executable or library", bytes([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1])],
    ["a Mach-O executable or library", bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2])],
    ["a Java class file", bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x41])],
    ["a Windows or DOS executable", bytes("MZ", [0x90, 0, 3, 0, 0, 0])],
    ["an SQLite database", bytes("SQLite format 3\0")],
    ["a WebAssembly module", bytes("\0asm", [1, 0, 0, 0])],
    ["an MP3 audio file", bytes("ID3", [4, 0, 0, 0, 0, 0, 0])],
    ["an MP4 media file", bytes([0, 0, 0, 0x20], "ftypisom", [0, 0, 2, 0])],
    ["a QuickTime video file", bytes([0, 0, 0, 0x14], "ftypqt  ", [0, 0, 0, 0])],
    ["an Ogg media file", bytes("OggS", [0, 2, 0, 0])],
    ["a FLAC audio file", bytes("fLaC", [0, 0, 0, 0x22])],
    ["a WAV audio file", bytes("RIFF", [0x24, 0, 0, 0], "WAVEfmt ")],
    ["a WOFF2 font", bytes("wOF2", [0, 1, 0, 0])],
    ["a TrueType font", bytes([0, 1, 0, 0, 0, 0x12])],
    ["a legacy Office document (OLE)", bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])],
    ["a binary property list", bytes("bplist00", [0xd4, 0])],
  ])("are named where the signature is known: %s", (looksLike, head) => {
    expect(sniff(head)).toEqual({ kind: "binary", looksLike })
  })
})

describe("Archives of office programs", () => {
  const odf = "application/vnd.oasis.opendocument."
  const named = (...names: string[]) => buildZip(...names.map((name) => ({ name })))

  it.each<[string, string, Uint8Array]>([
    ["xlsx", "Excel's order", named("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml")],
    [
      "xlsx",
      "openpyxl's order, types last",
      named("docProps/app.xml", "docProps/core.xml", "xl/theme/theme1.xml", "[Content_Types].xml"),
    ],
    ["xlsx", "parts first", named("xl/worksheets/sheet1.xml", "xl/styles.xml", "[Content_Types].xml")],
    ["xlsx", "a part that no other writer has", named("_rels/.rels", "xl/metadata.xml")],
    ["xlsb", "binary parts", named("[Content_Types].xml", "_rels/.rels", "xl/workbook.bin")],
    ["pptx", "PowerPoint's order", named("[Content_Types].xml", "_rels/.rels", "ppt/presentation.xml")],
    [
      "pptx",
      "python-pptx's order",
      named("[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "ppt/slides/slide1.xml"),
    ],
    [
      "xlsx",
      "sizes behind the content",
      buildZip(
        { name: "[Content_Types].xml", content: "<Types/>".repeat(50), streamed: true },
        { name: "xl/workbook.xml", streamed: true },
      ),
    ],
    ["xlsx", "sizes that lie", buildZip({ name: "[Content_Types].xml", claimedSize: 3 }, { name: "xl/workbook.xml" })],
    [
      "xlsx",
      "sizes of ZIP64",
      buildZip({ name: "[Content_Types].xml", claimedSize: 0xffff_ffff }, { name: "xl/workbook.xml" }),
    ],
    [
      "odt",
      "its type",
      buildZip({ name: "mimetype", content: `${odf}text`, deflated: false }, { name: "content.xml" }),
    ],
    ["odt", "a template's type", buildZip({ name: "mimetype", content: `${odf}text-template`, deflated: false })],
    [
      "ods",
      "its type behind an extra field",
      buildZip({ name: "mimetype", content: `${odf}spreadsheet`, deflated: false, extra: Buffer.alloc(9) }),
    ],
    ["odp", "its type", buildZip({ name: "mimetype", content: `${odf}presentation`, deflated: false })],
    ["odg", "its type", buildZip({ name: "mimetype", content: `${odf}graphics`, deflated: false })],
    ["epub", "its type", buildZip({ name: "mimetype", content: "application/epub+zip", deflated: false })],
    [
      "epub",
      "its type not first",
      buildZip({ name: "OEBPS/a.xhtml" }, { name: "mimetype", content: "application/epub+zip", deflated: false }),
    ],
    ["epub", "its container alone", named("META-INF/container.xml", "OEBPS/content.opf")],
    ["iwork", "its index", named("Index/Document.iwa", "Index/Tables/DataList.iwa")],
  ])("are named with their kind: %s by %s", (office, _title, head) => {
    expect(sniff(head)).toMatchObject({ kind: "binary", office })
  })

  it.each<[string, Uint8Array]>([
    ["a folder that is called xl", named("xl/notes.txt", "xl/more.txt")],
    ["a folder that is called ppt", named("ppt/a.jpg")],
    [
      "an archive that holds a workbook",
      buildZip(
        { name: "report.xlsx", content: named("[Content_Types].xml", "xl/workbook.xml"), deflated: false },
        { name: "readme.txt" },
      ),
    ],
    [
      "an archive that holds a workbook larger than the head",
      buildZip({
        name: "report.xlsx",
        content: buildZip(
          { name: "[Content_Types].xml" },
          { name: "xl/workbook.xml" },
          { name: "z", content: noise(9_000), deflated: false },
        ),
        deflated: false,
      }),
    ],
    [
      "words in an entry that look like the header of one",
      buildZip({ name: "a.txt", content: "PK\u0003\u0004xl/workbook.xml", deflated: false }),
    ],
    ["another type", buildZip({ name: "mimetype", content: "application/x-krita", deflated: false }, { name: "xl/x" })],
  ])("are not %s", (_title, head) => {
    expect(sniff(head)).toEqual({ kind: "binary", looksLike: "a ZIP archive" })
  })

  it("are nothing else, wherever the head ends", () => {
    const zip = buildZip({ name: "[Content_Types].xml" }, { name: "_rels/.rels" }, { name: "xl/workbook.xml" })
    for (let length = 0; length <= zip.length; length++) {
      expect(["text", "binary", "utf-16"]).toContain(sniff(zip.subarray(0, length)).kind)
    }
  })
})

describe("Any bytes", () => {
  it("are some kind, and the bytes behind the head do not matter", () => {
    const starts = ["", "%PDF-", "PK\u0003\u0004", "GIF89a", "BM", "RIFF", "\u00ff\u00fe", "\0\0"].map((it) =>
      Buffer.from(it, "latin1"),
    )
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        expect(sniff(Buffer.concat([start, rest])).kind).toMatch(/^(text|image|document|binary|utf-16|utf-32)$/)
      }),
      { numRuns: 2_000 },
    )
    const head = bytes("a".repeat(8_192))
    expect(sniff(bytes([...head], 0, 0xff))).toEqual(sniff(head))
  })
})

/** One stored entry of a ZIP container, as its local header says it. */
function zipEntry(name: string, content = "x"): Uint8Array {
  const header = Buffer.alloc(30)
  header.write("PK\u0003\u0004", "latin1")
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), Buffer.from(content)])
}
