import { PNG } from "pngjs"
import { afterAll, describe, expect, test } from "vitest"
import type { DocumentRequest, DocumentResult } from "../../../src/main/documents/document-extractor.ts"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { buildPdf, pageObjects, showLines, textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, readerOf } from "../../support/document-extraction.ts"
import { aes256Pdf, rc4Pdf } from "../../support/pdf/encryption.ts"
import * as good from "../../support/pdf/good.ts"

const limits = { documentDeadlineMs: 60_000 }
const extractor = createNodeDocumentExtractor({ entry: DOCUMENT_PROCESS_ENTRY, limits })
afterAll(() => extractor.close())

async function read(pdf: Uint8Array, request: Partial<DocumentRequest> = {}, by = extractor): Promise<DocumentResult> {
  const asked: DocumentRequest = { kind: "pdf", reader: readerOf(pdf), images: false, ...request }
  return getOrThrow(await by.extract(asked, BACKGROUND_CONTEXT))
}

const texts = ({ pages }: DocumentResult) => pages.map(({ text }) => text)

describe("text that is read from", () => {
  test.each<[string, () => Buffer, string[]]>([
    ["a standard font", () => textPdf(["Hello (world)"]), ["Hello (world)"]],
    ["a subset font with a map, its ligature as it is mapped", good.subsetPdf, ["Subfi"]],
    ["kerned arrays, in which a wide gap is a space", good.kernedPdf, ["Kerned words"]],
    ["object and cross-reference streams", good.objectStreamPdf, ["From an object stream"]],
    ["a linearized file", good.linearizedPdf, ["Linearized"]],
    ["the last revision of an updated file", good.updatedPdf, ["As it is now"]],
    ["right to left, in logical order", good.rightToLeftPdf, ["سلام"]],
    ["Chinese with a map", good.chinesePdf, ["中文"]],
    ["Chinese without a map or a font, a glyph at a time", good.chineseWithoutMapPdf, ["中文"]],
    ["rotated pages", good.rotatedPdf, ["Turned by 0", "Turned by 90", "Turned by 180", "Turned by 270"]],
    ["the values of a form", good.formPdf, ["Name:\nAda Lovelace"]],
    ["notes on a page, whose inherited box stays", good.annotatedPdf, ["Top of a tall page\nA note on it"]],
    ["the page, and not from beside it", good.offPagePdf, ["On the page"]],
    ["a file with scripts and attachments, none of which is run or opened", good.temptingPdf, ["Nothing ran"]],
    ["a file behind other bytes", () => Buffer.concat([Buffer.alloc(500, 10), textPdf(["Behind"])]), ["Behind"]],
  ])("%s", async (_title, build, expected) => {
    const result = await read(build())
    expect(result.notRead).toBeUndefined()
    expect(texts(result).map((text) => text.replace(/[^\S\n]+$/gm, ""))).toEqual(expected)
  })
})

describe("a protected file", () => {
  test.each([
    ["RC4", rc4Pdf],
    ["AES-256", aes256Pdf],
  ])("under %s opens with an owner's password alone, and with the user's where there is one", async (_title, build) => {
    expect(texts(await read(build(["Owner only"], "", "owner")))).toEqual(["Owner only"])
    const locked = build(["For your eyes"], "sésame", "owner")
    expect(await read(locked)).toMatchObject({ notRead: "encrypted", pages: [] })
    expect((await read(locked)).passwordWrong).toBeUndefined()
    expect(await read(locked, { password: "guess" })).toMatchObject({ notRead: "encrypted", passwordWrong: true })
    expect(texts(await read(locked, { password: "sésame" }))).toEqual(["For your eyes"])
    expect(texts(await read(locked, { password: "owner" }))).toEqual(["For your eyes"])
  })

  test("opens with a password in another Unicode form than the one it was locked with", async () => {
    const locked = aes256Pdf(["Prepared"], "\u00fcber IX", "owner")
    expect(texts(await read(locked, { password: "u\u0308ber\u00a0\u2168" }))).toEqual(["Prepared"])
  })
})

describe("pages", () => {
  const many = textPdf(...Array.from({ length: 300 }, (_, i) => [`Page number ${i + 1}`]))

  test("are the first twenty of three hundred, or those that are asked for", async () => {
    const first = await read(many)
    expect(first).toMatchObject({ pageCount: 300, textTruncated: false })
    expect(first.pages).toHaveLength(20)
    expect(texts(await read(many, { pages: [7, 150, 300] }))).toEqual([
      "Page number 7",
      "Page number 150",
      "Page number 300",
    ])
  })

  test("out of range are an error that states the page count", async () => {
    const request = { kind: "pdf", reader: readerOf(many), images: false, pages: [2, 301] } as const
    expect(await extractor.extract(request, BACKGROUND_CONTEXT)).toMatchObject({
      ok: false,
      error: { code: "invalid_pages", message: "Page 301 is out of range (300 pages total)", pageCount: 300 },
    })
  })

  test("stop before the one that the characters do not hold, and the first alone is cut", async () => {
    const small = createNodeDocumentExtractor({
      entry: DOCUMENT_PROCESS_ENTRY,
      limits: { ...limits, maxDocumentCharacters: 30 },
    })
    const cut = await read(many, {}, small)
    expect(cut).toMatchObject({ textTruncated: true, pageCount: 300 })
    expect(texts(cut)).toEqual(["Page number 1", "Page number 2"])
    const long = await read(textPdf(["0123456789".repeat(5)], ["next"]), {}, small)
    expect(long.pages).toMatchObject([{ page: 1, text: "0123456789".repeat(3), textTruncated: true }])
    expect(long.textTruncated).toBe(true)
    await small.close()
  })
})

describe("pictures of pages", () => {
  const rich = showLines(...Array.from({ length: 12 }, (_, i) => `Line ${i} of a page that is rich in text`))
  const drawing = "1 0 0 rg 100 100 400 500 re f"

  test("are made of those with little text, upright, within the pixels that all share", async () => {
    const pages = [{ content: drawing }, { content: rich }, { content: drawing, entries: "/Rotate 90" }]
    const result = await read(buildPdf(pageObjects(pages)), { images: true })
    expect(result.pages.map(({ image }) => image !== undefined)).toEqual([true, false, true])
    const [first, , third] = result.pages.map(({ image }) => image)
    expect([first?.width, first?.height]).toEqual([1243, 1608])
    expect([third?.width, third?.height]).toEqual([1609, 1243])
    const pixels = (first?.width ?? 0) * (first?.height ?? 0) + (third?.width ?? 0) * (third?.height ?? 0)
    expect(pixels).toBeLessThanOrEqual(4_000_000)
    const decoded = PNG.sync.read(Buffer.from(first?.data ?? []))
    const at = (x: number, y: number) => [
      ...decoded.data.subarray((y * decoded.width + x) * 4, (y * decoded.width + x) * 4 + 4),
    ]
    expect(at(620, 900)).toEqual([255, 0, 0, 255])
    expect(at(10, 10)).toEqual([255, 255, 255, 255])
  })

  test("are wanted by pages with little text, which the result says whether they were made or not", async () => {
    const result = await read(buildPdf(pageObjects([{ content: drawing }, { content: rich }])))
    expect(result.pages.map(({ poorInText, image }) => [poorInText, image])).toEqual([
      [true, undefined],
      [undefined, undefined],
    ])
  })

  test("stay within the pixels of a call that asks for fewer", async () => {
    const one = buildPdf(pageObjects([{ content: drawing }]))
    const pixels = async (maxPixels: number) => {
      const [page] = (await read(one, { images: true, maxPixels })).pages
      return (page?.image?.width ?? 0) * (page?.image?.height ?? 0)
    }
    expect(await pixels(10_000)).toBeLessThanOrEqual(10_000)
    expect(await pixels(0)).toBe(1)
    expect(await pixels(Number.MAX_VALUE)).toBe(1275 * 1650)
  })

  test("of twenty pages share the pixels of one", async () => {
    const result = await read(buildPdf(pageObjects(Array.from({ length: 20 }, () => ({ content: drawing })))), {
      images: true,
    })
    const pixels = result.pages.map(({ image }) => (image?.width ?? 0) * (image?.height ?? 0))
    expect(pixels.every((count) => count > 100_000)).toBe(true)
    expect(pixels.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4_000_000)
  })

  test("are made of a scan, and are of gray where it is", async () => {
    const { pages } = await read(good.imageOnlyPdf(), { images: true })
    expect(pages[0]?.text).toBe("")
    expect(pages[0]?.image?.data[25]).toBe(0)
  })

  test("are not made where none are wanted: then there is no text", async () => {
    expect(await read(good.imageOnlyPdf())).toMatchObject({ notRead: "no-text", pages: [{ page: 1, text: "" }] })
  })

  test("are not made of an empty page", async () => {
    expect(await read(buildPdf(pageObjects([{ content: "" }])), { images: true })).toMatchObject({ notRead: "no-text" })
  })

  test("are smaller where their PNG would be too large", async () => {
    const small = createNodeDocumentExtractor({
      entry: DOCUMENT_PROCESS_ENTRY,
      limits: { ...limits, maxImageBase64Bytes: 8_000 },
    })
    const noise = Buffer.from(Array.from({ length: 256 * 256 }, (_, i) => ((i * 2_654_435_761) >>> 24) & 255))
    const { pages } = await read(good.picturePdf(256, 256, noise), { images: true }, small)
    expect(pages[0]?.image?.data.length).toBeLessThanOrEqual(6_000)
    expect(pages[0]?.image?.width).toBeLessThan(1_275)
    await small.close()
  })
})

describe("what is no PDF is unsupported", () => {
  test.each([
    ["words", Buffer.from("%PDF-1.4 not really")],
    ["nothing", Buffer.alloc(0)],
    ["a PDF that lost its start", textPdf(["x"]).subarray(200)],
    [
      "a PDF that lost its catalog",
      Buffer.from(textPdf(["x"]).toString("latin1").replaceAll("/Catalog", "/Nothing").replace("/Pages 2 0 R", "")),
    ],
  ])("%s", async (_title, bytes) => {
    expect(await read(bytes, { images: true })).toMatchObject({ notRead: "unsupported", pages: [] })
  })

  test("a file over the limit is too large and starts no process", async () => {
    const result = await read(Buffer.alloc(0), { reader: readerOf(Buffer.from("%PDF-1.7"), 64 * 1024 * 1024 + 1) })
    expect(result).toEqual({ kind: "pdf", bytes: 67_108_865, pages: [], textTruncated: false, notRead: "too-large" })
  })

  test("a file that shrank or grew since it was opened is read as far as it goes", async () => {
    const pdf = textPdf(["As long as it is"])
    expect(texts(await read(pdf, { reader: readerOf(pdf, pdf.length + 5_000) }))).toEqual(["As long as it is"])
    const grown = Buffer.concat([pdf, Buffer.alloc(5_000, 65)])
    expect(texts(await read(grown, { reader: readerOf(grown, pdf.length) }))).toEqual(["As long as it is"])
    expect(texts(await read(pdf, { reader: readerOf(pdf, 0) }))).toEqual(["As long as it is"])
  })
})
