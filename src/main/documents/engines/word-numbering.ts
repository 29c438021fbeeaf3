/** What all lists together are written out to at most; longer definitions stay shared, and lists may go on counting. */
const MAX_SEPARATED_CHARACTERS = 2_000_000

const ROOT_END = "</w:numbering>"

/**
 * The numbering part with a definition of its own for each list. Lists of one look share a definition, and mammoth tells of a
 * paragraph which definition it has but not which list: so each list would go on where the one before it ended. What is
 * not written as programs write it comes back as it is.
 */
export function separateLists(xml: string): string {
  const definitions = new Map<string, string>()
  let first: number | undefined
  for (const { start, tag, content } of elementsOf(xml, "w:abstractNum")) {
    const id = /\sw:abstractNumId="([^"]*)"/.exec(tag)?.[1]
    if (id !== undefined) definitions.set(id, content)
    first ??= start
  }
  if (first === undefined || !xml.trimEnd().endsWith(ROOT_END)) return xml
  const written: string[] = []
  let characters = 0
  for (const { tag, content } of elementsOf(xml, "w:num")) {
    const list = /\sw:numId="([^"]*)"/.exec(tag)?.[1]
    const id = /<w:abstractNumId w:val="([^"]*)"/.exec(content)?.[1]
    const definition = id === undefined ? undefined : definitions.get(id)
    if (list === undefined || definition === undefined) continue
    characters += definition.length
    if (characters > MAX_SEPARATED_CHARACTERS) return xml
    written.push(
      `<w:abstractNum w:abstractNumId="of-${list}">${definition}</w:abstractNum>`,
      `<w:num w:numId="${list}"><w:abstractNumId w:val="of-${list}"/></w:num>`,
    )
  }
  return [xml.slice(0, first), ...written, ROOT_END].join("")
}

interface FoundElement {
  start: number
  tag: string
  content: string
}

/** Elements with attributes and content, which never stand within each other here. */
function* elementsOf(xml: string, name: string): Generator<FoundElement> {
  const open = `<${name} `
  const close = `</${name}>`
  for (let start = xml.indexOf(open); start >= 0; ) {
    const tagEnd = xml.indexOf(">", start)
    const end = tagEnd < 0 ? -1 : xml.indexOf(close, tagEnd)
    if (end < 0) return
    const isEmpty = xml[tagEnd - 1] === "/"
    if (!isEmpty) yield { start, tag: xml.slice(start, tagEnd + 1), content: xml.slice(tagEnd + 1, end) }
    start = xml.indexOf(open, isEmpty ? tagEnd : end)
  }
}
