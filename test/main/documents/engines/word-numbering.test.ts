import { describe, expect, it } from "vitest"
import { separateLists } from "../../../../src/main/documents/engines/word-numbering.ts"

const definition = (id: number, content: string) => `<w:abstractNum w:abstractNumId="${id}">${content}</w:abstractNum>`
const list = (id: number, of: number | string) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/></w:num>`
const LEVEL = '<w:lvl w:ilvl="0"/>'

describe("The lists of a Word document", () => {
  it("have a definition each, those without one aside", () => {
    const xml = `<w:numbering>${definition(0, LEVEL)}${list(1, 0)}${list(2, 0)}${list(3, 9)}</w:numbering>`
    const own = (id: number) =>
      `<w:abstractNum w:abstractNumId="of-${id}">${LEVEL}</w:abstractNum>${list(id, `of-${id}`)}`
    expect(separateLists(xml)).toBe(`<w:numbering>${own(1)}${own(2)}</w:numbering>`)
  })

  it.each([
    ["nothing", ""],
    ["no lists", "<w:numbering></w:numbering>"],
    ["another prefix", '<x:numbering><x:abstractNum x:abstractNumId="1"></x:abstractNum></x:numbering>'],
    ["a definition without an end", '<w:numbering><w:abstractNum w:abstractNumId="1"></w:numbering>'],
    ["no end", definition(0, LEVEL)],
    [
      "lists that would be written out to 3 million characters",
      `<w:numbering>${definition(0, " ".repeat(1_000_000))}${list(1, 0)}${list(2, 0)}${list(3, 0)}</w:numbering>`,
    ],
  ])("stay as they are: %s", (_title, xml) => {
    expect(separateLists(xml)).toBe(xml)
  })
})
