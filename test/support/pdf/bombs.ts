import { deflateSync } from "node:zlib"
import { buildPdf, HELVETICA, type PdfPage, type PdfPart, pageObjects, showLines, stream } from "../build-pdf.ts"
import { deflatedZeros, twiceDeflatedZeros } from "./zero-stream.ts"

const GIGABYTE = 1024 * 1024 * 1024
const FLATE = "/Filter /FlateDecode"
const FLATE_TWICE = "/Filter [/FlateDecode /FlateDecode]"

const deflate = (text: string) => deflateSync(Buffer.from(text, "latin1"), { level: 9 })

/** One page with this content, and further objects from 50 on. */
function onePage(content: PdfPart, filter = "", resources = HELVETICA, more: [number, PdfPart][] = [], entries = "") {
  const objects = pageObjects([{ content, filter, resources, entries }])
  for (const [number, body] of more) objects.set(number, body)
  return buildPdf(objects)
}

/** A Type0 font over object `number`, its descendant in `number + 1` and its ToUnicode map in `number + 2`. */
function type0Font(number: number, toUnicode: Buffer): [number, PdfPart][] {
  return [
    [
      number,
      `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [${number + 1} 0 R] /ToUnicode ${number + 2} 0 R >>`,
    ],
    [
      number + 1,
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
    ],
    [number + 2, toUnicode],
  ]
}

function toUnicodeMap(body: string): string {
  return `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n${body}\nendcmap end`
}

/** Ranges of 256 codes, the same over and over: so many codes in all. */
const listedCodes = (count: number) => {
  const ranges = Math.ceil(count / 256)
  const map = toUnicodeMap(`${ranges} beginbfrange\n${"<0000><00ff><4e00>\n".repeat(ranges)}endbfrange`)
  return stream(FLATE, deflate(map))
}

/** Form XObjects in a row: form `i` draws form `i + 1` so many times, the last one draws `end`. */
function nestedForms(levels: number, times: number, end: string, group = ""): [number, PdfPart][] {
  return Array.from({ length: levels }, (_, i) => {
    const last = i === levels - 1
    const resources = last ? "" : `/Resources << /XObject << /X ${51 + i} 0 R >> >>`
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 600 700] ${group} ${resources}`
    return [50 + i, stream(entries, last ? end : "/X Do ".repeat(times))]
  })
}

const image = (width: number, height: number, data: PdfPart, filter: string) =>
  stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 ${filter}`,
    data,
  )

function page(mediaBox: string, entries = ""): Buffer {
  return buildPdf(pageObjects([{ content: "0 0 100 100 re f", mediaBox, entries }]))
}

function deepPageTree(depth: number): Buffer {
  const objects = pageObjects([{ content: showLines("deep") }])
  const first = 100
  objects.set(2, `<< /Type /Pages /Count 1 /Kids [${first} 0 R] >>`)
  for (let i = 0; i < depth; i++) {
    const kid = i === depth - 1 ? 10 : first + i + 1
    objects.set(first + i, `<< /Type /Pages /Parent ${i === 0 ? 2 : first + i - 1} 0 R /Count 1 /Kids [${kid} 0 R] >>`)
  }
  return buildPdf(objects)
}

function manyPages(kids: number, count: number): Buffer {
  const objects = pageObjects([{ content: showLines("again") }])
  objects.set(2, `<< /Type /Pages /Count ${count} /Kids [${"10 0 R ".repeat(kids)}] >>`)
  return buildPdf(objects)
}

/** An object stream, found through a cross-reference stream, that holds the page tree and unpacks to over a gigabyte. */
function objectStreamBomb(): Buffer {
  const head = "%PDF-1.7\n"
  const catalog = "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
  const packed = stream(`/Type /ObjStm /N 1 /First 5 ${FLATE_TWICE}`, twiceDeflatedZeros(GIGABYTE))
  const objectStream = Buffer.concat([Buffer.from("3 0 obj\n"), packed, Buffer.from("\nendobj\n")])
  const at = [head.length, head.length + catalog.length, head.length + catalog.length + objectStream.length]
  const row = (type: number, second: number, third: number) => {
    const bytes = Buffer.alloc(6)
    bytes.writeUInt8(type)
    bytes.writeUInt32BE(second, 1)
    bytes.writeUInt8(third, 5)
    return bytes
  }
  const rows = Buffer.concat([
    row(0, 0, 255),
    row(1, at[0] ?? 0, 0),
    row(2, 3, 0),
    row(1, at[1] ?? 0, 0),
    row(1, at[2] ?? 0, 0),
  ])
  const xref = stream("/Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R", rows)
  return Buffer.concat([
    Buffer.from(`${head}${catalog}`),
    objectStream,
    Buffer.from("4 0 obj\n"),
    xref,
    Buffer.from(`\nendobj\nstartxref\n${at[2]}\n%%EOF\n`),
  ])
}

function crossReferenceOf(table: (start: number) => string): Buffer {
  const sound = buildPdf(pageObjects([{ content: showLines("found") }])).toString("latin1")
  const start = sound.indexOf("xref\n")
  return Buffer.from(sound.slice(0, start) + table(start), "latin1")
}

/** A document whose page takes longer than anyone waits: a tiling pattern with cells of a thousandth of a point. */
export function spinningPdf(): Buffer {
  const cell =
    "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>"
  return onePage("/Pattern cs /P1 scn 0 0 612 792 re f", "", "/Pattern << /P1 50 0 R >>", [
    [50, stream(cell, "1 0 0 rg 0 0 1 1 re f")],
  ])
}

/** A shading whose colour at each pixel is a program of so many steps: the language has no loops. */
function endlessFunctionPdf(steps: number): Buffer {
  const program = `{ ${"dup mul sqrt sin cos ".repeat(steps / 5)} 3 copy pop pop dup dup }`
  const shading =
    "<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Matrix [612 0 0 792 0 0] /Function 51 0 R >>"
  return onePage("/S sh", "", "/Shading << /S 50 0 R >>", [
    [50, shading],
    [51, stream(`/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] ${FLATE}`, deflate(program))],
  ])
}

const fonts = "/Font << /F1 50 0 R /F2 53 0 R /F3 56 0 R >>"
const threeFonts = "BT /F1 9 Tf 72 700 Td <0001> Tj /F2 9 Tf <0001> Tj /F3 9 Tf <0001> Tj ET"
const xobject = "/XObject << /X 50 0 R >>"

/** Each of them is small, and costs more than it may. */
export const BOMBS: Readonly<Record<string, () => Buffer>> = {
  "ASCII85 groups of zeros, 7.3 MB to 29 MB": () => onePage("z".repeat(7_300_000), "/Filter /ASCII85Decode"),
  "a gigabyte of content": () => onePage(deflatedZeros(GIGABYTE), FLATE),
  "a gigabyte of content, deflated twice": () => onePage(twiceDeflatedZeros(GIGABYTE), FLATE_TWICE),
  "a gigabyte of ToUnicode": () =>
    onePage(threeFonts, "", fonts, type0Font(50, stream(FLATE_TWICE, twiceDeflatedZeros(GIGABYTE)))),
  "a gigabyte of object stream": objectStreamBomb,
  "three fonts that map 2.2 million codes each": () =>
    onePage(
      threeFonts,
      "",
      fonts,
      [50, 53, 56].flatMap((number) => type0Font(number, listedCodes(2_200_000))),
    ),
  "1.9 million empty dictionaries": () => onePage("", "", HELVETICA, [], `/Annots [${"<<>>".repeat(1_900_000)}]`),
  "a page tree 100,000 deep": () => deepPageTree(100_000),
  "an array 1,000,000 deep in an object": () =>
    onePage("", "", `/Font ${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`),
  "an array 1,000,000 deep in content": () =>
    onePage(deflate(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)} TJ`), FLATE),
  "graphics states 1,000,000 deep": () => onePage(deflate("q ".repeat(1_000_000)), FLATE),
  "a form that draws itself": () =>
    onePage("/X Do", "", xobject, [
      [50, stream("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 50 0 R >> >>", "/X Do")],
    ]),
  "two forms that draw each other": () =>
    onePage("/X Do", "", xobject, [
      [50, stream("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 51 0 R >> >>", "/X Do /X Do")],
      [51, stream("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 50 0 R >> >>", "/X Do /X Do")],
    ]),
  "ten levels of ten forms": () => onePage("/X Do", "", xobject, nestedForms(10, 10, "0 0 9 9 re f")),
  "one form drawn 1,000,000 times": () =>
    onePage(deflate("/X Do ".repeat(1_000_000)), FLATE, xobject, nestedForms(1, 1, "0 0 9 9 re f")),
  "one image drawn 1,000,000 times": () =>
    onePage(deflate("/X Do ".repeat(1_000_000)), FLATE, xobject, [[50, image(8, 8, "x".repeat(64), "")]]),
  "an image of 30,000 x 30,000 pixels": () =>
    onePage("600 0 0 700 0 0 cm /X Do", "", xobject, [[50, image(30_000, 30_000, deflatedZeros(900_000_000), FLATE)]]),
  "a page of a billion points": () => page("[0 0 1e9 1e9]"),
  "a page of 1000000000 points": () => page("[0 0 1000000000 1000000000]"),
  "a page of negative size": () => page("[0 0 -612 -792]"),
  "a page whose size is no number": () => page("[0 0 NaN NaN]"),
  "a page of no height": () => page("[0 0 612 0]"),
  "a unit of a million points": () => page("[0 0 612 792]", "/UserUnit 1000000"),
  "20 million characters on a page": () =>
    onePage(deflate(`BT /F1 1 Tf ${`(${"x".repeat(1_000)}) Tj `.repeat(20_000)} ET`), FLATE),
  "1,000,000 pages": () => manyPages(1_000_000, 1_000_000),
  "a page count that lies": () => manyPages(1, 1_000_000),
  "a page count of 2^31": () => manyPages(1, 2_147_483_647),
  "a negative page count": () => manyPages(1, -5),
  "a cross-reference table of 2^31": () =>
    crossReferenceOf(
      (start) =>
        `xref\n0 2147483648\n0000000000 65535 f \ntrailer\n<< /Size 2147483648 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
    ),
  "a cross-reference stream of 2^31": () =>
    crossReferenceOf(
      (start) =>
        `90 0 obj\n<< /Type /XRef /Size 2147483647 /Index [0 2147483647] /W [1 4 1] /Root 1 0 R /Length 6 >>\nstream\n123456\nendstream\nendobj\nstartxref\n${start}\n%%EOF`,
    ),
  "a cross-reference table that is its own past": () =>
    crossReferenceOf(
      (start) =>
        `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 99 /Root 1 0 R /Prev ${start} >>\nstartxref\n${start}\n%%EOF`,
    ),
  "200 nested transparency groups": () =>
    onePage(
      "/X Do",
      "",
      xobject,
      nestedForms(200, 1, "0 0 500 500 re f", "/Group << /S /Transparency /I true /K true >>"),
    ),
  "a tiling pattern that never ends": spinningPdf,
  "a function that never ends": () => endlessFunctionPdf(100_000),
}

const harmlessPage = (number: number) => ({ content: showLines(`Page ${number}`) })
const between: Readonly<Record<string, [PdfPage, ...[number, PdfPart][]]>> = {
  "a gigabyte of content": [{ content: deflatedZeros(GIGABYTE), filter: FLATE }],
  "a gigabyte of ToUnicode": [
    { content: threeFonts, resources: fonts },
    ...type0Font(50, stream(FLATE_TWICE, twiceDeflatedZeros(GIGABYTE))),
  ],
}

/** Documents of six pages, of which the one at each of `bombsAt` is a bomb, by what the bomb is. */
export function bombsBetweenPages(...bombsAt: number[]): Record<string, () => Buffer> {
  return Object.fromEntries(
    Object.entries(between).map(([name, [bomb, ...more]]) => [
      name,
      () => {
        const pages = Array.from({ length: 6 }, (_, i) => (bombsAt.includes(i) ? bomb : harmlessPage(i + 1)))
        const objects = pageObjects(pages)
        for (const [number, body] of more) objects.set(number, body)
        return buildPdf(objects)
      },
    ]),
  )
}
