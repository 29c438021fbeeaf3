import type { WordElement } from "mammoth/lib/docx/docx-reader.js"

/** What the inline text of a document counts and refers to. */
export interface InlineSink {
  image(): void
  /** Some of the document's own words. */
  words(): void
  /** `"^1"`, the label of a footnote, endnote or comment that is referred to here. Undefined: there is none such. */
  noteLabel(reference: WordElement): string | undefined
  /** A paragraph or table that stands inside of a line, as text boxes do. */
  block(element: WordElement): void
}

interface Piece {
  text: string
  href: string
  struck: boolean
}

/** Runs, links and what is in them, as one text; line breaks are LF. */
export function inlineText(elements: readonly WordElement[], sink: InlineSink): string {
  const pieces: Piece[] = []
  gather(elements, { href: "", struck: false }, pieces, sink)
  return trimmedLines(pieces.map(wordPiece).join("")).join("\n").trim()
}

/** By splitting: a pattern that takes blanks around a line end is quadratic in lines of blanks. */
function trimmedLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim())
}

/** The lines of `text` as one. */
export function oneLine(text: string): string {
  return trimmedLines(text)
    .filter((line) => line !== "")
    .join(" ")
}

/** Programs split one link, or one struck sentence, over many runs: neighbours that are alike become one piece. */
function add(text: string, { href, struck }: Omit<Piece, "text">, pieces: Piece[]): void {
  const last = pieces.at(-1)
  if (last !== undefined && last.href === href && last.struck === struck) last.text += text
  else pieces.push({ text, href, struck })
}

function gather(elements: readonly WordElement[], style: Omit<Piece, "text">, pieces: Piece[], sink: InlineSink): void {
  for (const element of elements) {
    switch (element.type) {
      case "text":
        // A line end in a file's XML is a blank; lines of the document are broken by elements.
        if (typeof element.value !== "string") break
        if (/\S/.test(element.value)) sink.words()
        add(element.value.replace(/[\r\n]+/g, " "), style, pieces)
        break
      case "tab":
        add("\t", style, pieces)
        break
      case "break":
        add("\n", style, pieces)
        break
      case "checkbox":
        add(element.checked === true ? "[x]" : "[ ]", style, pieces)
        break
      case "image": {
        sink.image()
        const { altText } = element
        add(
          typeof altText === "string" && altText.trim() !== "" ? `[image: ${altText.trim()}]` : "[image]",
          style,
          pieces,
        )
        break
      }
      case "noteReference":
      case "commentReference": {
        const label = sink.noteLabel(element)
        if (label !== undefined) add(`[${label}]`, style, pieces)
        break
      }
      case "paragraph":
      case "table":
        sink.block(element)
        break
      default: {
        const href = element.type === "hyperlink" && typeof element.href === "string" ? element.href : style.href
        const struck = style.struck || (element.type === "run" && element.isStrikethrough === true)
        gather(element.children ?? [], { href, struck }, pieces, sink)
      }
    }
  }
}

function wordPiece({ text, href, struck }: Piece): string {
  const inner = struck && text.trim() !== "" ? around(text, (words) => `~~${words}~~`) : text
  if (href === "" || text.trim() === "" || text.trim() === href) return inner
  return around(inner, (words) => `[${words}](${href.replace(/[\s()<>]/g, percentEncoded)})`)
}

/** Blanks stay outside of marks. */
function around(text: string, mark: (words: string) => string): string {
  const words = text.trim()
  const start = text.indexOf(words)
  return `${text.slice(0, start)}${mark(words)}${text.slice(start + words.length)}`
}

/** Blanks and parentheses would end the link. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`
}
