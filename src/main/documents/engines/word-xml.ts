import { MAX_WORD_XML_DEPTH } from "../../limits.ts"
import { ArchiveError } from "./zip-archive.ts"

export interface XmlBounds {
  /** Characters of text (`w:t`) after which the next paragraph's end is the last. */
  maxTextCharacters: number
  /** Elements and attributes; the last paragraph's end within them is the last. */
  maxNodes: number
  /** False: `xml` is the beginning of a longer part, and ends anywhere. */
  whole: boolean
}

export interface BoundedXml {
  xml: string
  /** What comes after some paragraph was left out; every element is closed. */
  cut: boolean
  /** Elements and attributes in `xml`, some more where it was cut. */
  nodes: number
}

/** Bytes of a part as text: UTF-8 unless a byte order mark says UTF-16, the other encoding that a package may have. */
export function decodePart(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

/**
 * The XML of a part without what a package may not have, cut after a paragraph where it is too long, so that neither the parser
 * nor the tree of a document of 10,000 pages has more to do than one call can show. Comments and processing instructions
 * are dropped, CDATA becomes plain text; a document type, which is where entities are declared, is refused. In linear time.
 * Throws an {@link ArchiveError}; XML that is damaged otherwise is left to the parser.
 */
export function boundXml(xml: string, bounds: XmlBounds): BoundedXml {
  return new XmlScan(xml, bounds).run()
}

interface Cut {
  at: number
  pieces: number
  from: number
  open: string[]
}

class XmlScan {
  readonly #xml: string
  readonly #bounds: XmlBounds
  /** What is kept so far; `xml` from `#from` on is not among it yet. */
  readonly #pieces: string[] = []
  #from = 0
  readonly #open: string[] = []
  #textCharacters = 0
  #nodes = 0
  /** The end of the last paragraph. */
  #cut: Cut | undefined

  constructor(xml: string, bounds: XmlBounds) {
    this.#xml = xml
    this.#bounds = bounds
  }

  run(): BoundedXml {
    const xml = this.#xml
    for (let at = 0; at < xml.length; ) {
      const tag = xml.indexOf("<", at)
      const textEnd = tag < 0 ? xml.length : tag
      if (localName(this.#open.at(-1)) === "t") this.#textCharacters += textEnd - at
      if (tag < 0) break
      const next = this.#take(tag)
      const { whole, maxTextCharacters, maxNodes } = this.#bounds
      // The parser would look for its end again and again.
      if (next === undefined && whole) throw new ArchiveError("unsupported", "a tag or comment without an end")
      if (next === undefined || this.#nodes > maxNodes) break
      if (this.#cut?.at === next && this.#textCharacters > maxTextCharacters) return this.#cutAt(this.#cut)
      at = next
    }
    if (this.#bounds.whole && this.#nodes <= this.#bounds.maxNodes) return this.#uncut()
    // A part without paragraphs, such as the styles, or one paragraph that is longer than all may be.
    if (this.#cut === undefined) throw new ArchiveError("too-large", "a part is too large")
    return this.#cutAt(this.#cut)
  }

  /** Where what begins at `at` ends; undefined where it does not. */
  #take(at: number): number | undefined {
    const xml = this.#xml
    if (xml.startsWith("<!--", at)) return this.#drop(at, "-->", 4)
    if (xml.startsWith("<?", at)) return this.#drop(at, "?>", 2)
    if (xml.startsWith("<![CDATA[", at)) return this.#drop(at, "]]>", 9, true)
    if (xml.startsWith("<!", at)) throw new ArchiveError("unsupported", "a document type")
    return xml.startsWith("</", at) ? this.#takeEnd(at) : this.#takeStart(at)
  }

  #drop(at: number, end: string, skip: number, isText = false): number | undefined {
    const found = this.#xml.indexOf(end, at + skip)
    if (found < 0) return undefined
    this.#pieces.push(this.#xml.slice(this.#from, at))
    if (isText) {
      const text = this.#xml.slice(at + skip, found)
      this.#textCharacters += text.length
      this.#pieces.push(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"))
    }
    this.#from = found + end.length
    return this.#from
  }

  #takeEnd(at: number): number | undefined {
    const close = this.#xml.indexOf(">", at)
    if (close < 0) return undefined
    const name = this.#open.pop()
    if (localName(name) === "p") {
      this.#cut = { at: close + 1, pieces: this.#pieces.length, from: this.#from, open: [...this.#open] }
    }
    return close + 1
  }

  #takeStart(at: number): number | undefined {
    const tag = endOfTag(this.#xml, at)
    if (tag === undefined) return undefined
    const { close } = tag
    this.#nodes += 1 + tag.attributes
    if (this.#xml[close - 1] !== "/") {
      this.#open.push(nameAt(this.#xml, at + 1, close))
      if (this.#open.length > MAX_WORD_XML_DEPTH) throw new ArchiveError("unsupported", "nested too deep")
    }
    return close + 1
  }

  #uncut(): BoundedXml {
    return { xml: [...this.#pieces, this.#xml.slice(this.#from)].join(""), cut: false, nodes: this.#nodes }
  }

  #cutAt({ at, pieces, from, open }: Cut): BoundedXml {
    const closing = open.reverse().map((name) => `</${name}>`)
    const xml = [...this.#pieces.slice(0, pieces), this.#xml.slice(from, at), ...closing].join("")
    return { xml, cut: true, nodes: this.#nodes }
  }
}

/** The `>` of the tag that begins at `at`, not one in an attribute's value, and how many of those there are. */
function endOfTag(xml: string, at: number): { close: number; attributes: number } | undefined {
  let attributes = 0
  for (let i = at + 1; i < xml.length; i++) {
    const character = xml[i]
    if (character === ">") return { close: i, attributes }
    if (character !== '"' && character !== "'") continue
    const end = xml.indexOf(character, i + 1)
    if (end < 0) return undefined
    i = end
    attributes += 1
  }
  return undefined
}

function nameAt(xml: string, start: number, close: number): string {
  let end = start
  while (end < close && !/[\s/]/.test(xml[end] ?? " ")) end += 1
  return xml.slice(start, end)
}

function localName(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf(":") + 1)
}
