import { describe, expect, it } from "vitest"
import { boundXml, decodePart, type XmlBounds } from "../../../../src/main/documents/engines/word-xml.ts"
import { ArchiveError } from "../../../../src/main/documents/engines/zip-archive.ts"

const bound = (xml: string, bounds: Partial<XmlBounds> = {}) =>
  boundXml(xml, { maxTextCharacters: 1_000, maxNodes: 1_000, whole: true, ...bounds })

function reasonOf(call: () => unknown): string | undefined {
  try {
    call()
    return undefined
  } catch (thrown) {
    return thrown instanceof ArchiveError ? thrown.notRead : String(thrown)
  }
}

const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

describe("The XML of a part", () => {
  it.each([
    ["is as it was", `<w:b>${p("a")}</w:b>`, `<w:b>${p("a")}</w:b>`],
    ["has no declaration and no instructions", '<?xml version="1.0"?><a><?x y?>b</a>', "<a>b</a>"],
    ["has no comments, whatever is in them", "<a>b<!-- <!DOCTYPE x> </a> -->c</a>", "<a>bc</a>"],
    ["has CDATA as text", "<a>b<![CDATA[<c> & ]]>d</a>", "<a>b&lt;c> &amp; d</a>"],
    ["keeps tag ends in values", `<a b="x>y" c='"'/>`, `<a b="x>y" c='"'/>`],
  ])("%s", (_title, xml, expected) => {
    expect(bound(xml)).toMatchObject({ xml: expected, cut: false })
  })

  it.each<[string, Partial<XmlBounds>]>([
    ["once the text is over the limit", { maxTextCharacters: 3 }],
    ["before there are too many elements and attributes", { maxNodes: 8 }],
    ["at the last one that is whole where more was not unpacked", { whole: false }],
  ])("is cut after a paragraph, and every element is closed: %s", (_title, bounds) => {
    const rest = bounds.whole === false ? "<w:p><w:r><w:t>cc" : `${p("ccccc")}${p("d")}</w:c></w:body>`
    const xml = `<w:body><w:c>${p("aa")}<!-- x -->${p("bb")}${rest}`
    const expected = `<w:body><w:c>${p("aa")}${p("bb")}</w:c></w:body>`
    expect(bound(xml, bounds)).toMatchObject({ xml: expected, cut: true })
  })

  it.each([
    ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', {}, "unsupported"],
    ["a document type behind a comment", "<!-- x --><!DOCTYPE a><a/>", {}, "unsupported"],
    ["a comment without an end", "<a><!-- b</a>", {}, "unsupported"],
    ["a tag without an end", "<a b='c></a>", {}, "unsupported"],
    ["elements too deep", "<a>".repeat(300), {}, "unsupported"],
    ["too many elements and no paragraph", "<a/>".repeat(20), { maxNodes: 10 }, "too-large"],
    ["no end and no paragraph", "<a>text", { whole: false }, "too-large"],
  ])("is refused with %s", (_title, xml, bounds, reason) => {
    expect(reasonOf(() => bound(xml, bounds))).toBe(reason)
  })

  it.each(["utf-8", "utf-16le", "utf-16be"])("may be %s", (encoding) => {
    const little = Buffer.from("\ufeff<a>ä</a>", "utf16le")
    const bytes = encoding === "utf-8" ? Buffer.from("<a>ä</a>") : encoding === "utf-16le" ? little : little.swap16()
    expect(decodePart(bytes)).toBe("<a>ä</a>")
  })
})
