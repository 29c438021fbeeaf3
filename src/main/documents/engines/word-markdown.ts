import type { WordDocument, WordElement } from "mammoth/lib/docx/docx-reader.js"
import { type InlineSink, inlineText, oneLine } from "./word-inline.ts"
import { tableLines, type WordCell } from "./word-table.ts"

/** A document as text. */
export interface WordText {
  text: string
  /** Whether any of it is words, and not a mark of ours. */
  hasText: boolean
  images: number
  /** The rest was left out at the character limit. */
  cut: boolean
}

/** Fits `1. `, `10. ` and `- ` as Markdown nests them. */
const INDENT = "    "
const MAX_LIST_LEVEL = 8

/**
 * Markdown of what mammoth read: `#` headings, nested `-` and `1.` lists, `| a | b |` tables, `[text](url)` links, `~~struck~~`
 * text, notes as `[^1]` with their text after the block that refers to them. What looks like Markdown in the document's own
 * words is not escaped. It ends with the first block after `maxCharacters`.
 */
export function writeMarkdown(document: WordDocument, maxCharacters: number): WordText {
  return new MarkdownWriter(document, maxCharacters).write()
}

class MarkdownWriter implements InlineSink {
  readonly #document: WordDocument
  readonly #maxCharacters: number
  readonly #lines: string[] = []
  #characters = 0
  #hasText = false
  #images = 0
  /** Numbers of list items so far, by the level of a list: mammoth has one object for each. */
  readonly #numbers = new Map<unknown, { level: number; count: number }>()
  /** Labels by what refers to them. */
  readonly #labels = new Map<string, string>()
  /** Notes that the block under way refers to, and those of blocks before it that are not written yet. */
  #referredNotes: string[] = []
  #readyNotes: string[] = []
  #inList = false
  /** Blocks found inside of a line, for after it. */
  #pendingBlocks: WordElement[] = []

  constructor(document: WordDocument, maxCharacters: number) {
    this.#document = document
    this.#maxCharacters = maxCharacters
  }

  write(): WordText {
    const cut = !this.#writeBlocks(this.#document.children ?? [])
    this.#writeReadyNotes()
    return { text: this.#lines.join("\n"), hasText: this.#hasText, images: this.#images, cut }
  }

  image(): void {
    this.#images += 1
  }

  words(): void {
    this.#hasText = true
  }

  block(element: WordElement): void {
    this.#pendingBlocks.push(element)
  }

  noteLabel(reference: WordElement): string | undefined {
    const isComment = reference.type === "commentReference"
    const key = isComment ? `comment-${reference.commentId}` : `${reference.noteType}-${reference.noteId}`
    const known = this.#labels.get(key)
    if (known !== undefined) return known
    const note = isComment
      ? this.#document.comments.find(({ commentId }) => commentId === reference.commentId)
      : this.#document.notes.resolve(reference)
    if (note === null || note === undefined) return undefined
    const label = `^${this.#labels.size + 1}`
    this.#labels.set(key, label)
    const author = isComment && typeof note.authorName === "string" ? `Comment of ${note.authorName}: ` : ""
    // A note that refers to others, or to itself, has its label by now.
    this.#referredNotes.push(`[${label}]: ${author}${oneLine(this.#blockText(note.body))}`)
    return label
  }

  /** False where the limit was reached before the end. */
  #writeBlocks(elements: readonly WordElement[]): boolean {
    for (const element of elements) {
      if (this.#characters > this.#maxCharacters) return false
      if (element.type === "paragraph") this.#writeParagraph(element)
      else if (element.type === "table") this.#writeTable(element)
      else if (inlineKinds.has(element.type)) this.#put([this.#inline([element])], false)
      else if (!this.#writeBlocks(element.children ?? [])) return false
      const inside = this.#pendingBlocks
      this.#pendingBlocks = []
      if (!this.#writeBlocks(inside)) return false
    }
    return true
  }

  #writeParagraph(paragraph: WordElement): void {
    const text = this.#inline(paragraph.children ?? [])
    const heading = headingLevel(paragraph)
    if (text === "") return
    if (heading !== undefined) {
      this.#put([`${"#".repeat(heading)} ${oneLine(text)}`], false)
      return
    }
    const { numbering } = paragraph
    if (!isNumbering(numbering)) this.#put(text.split("\n"), false)
    else this.#put(this.#listItem(text, numbering), true)
  }

  #listItem(text: string, numbering: Numbering): string[] {
    const level = Math.min(MAX_LIST_LEVEL, Math.max(0, Math.floor(Number(numbering.level)) || 0))
    for (const [key, number] of this.#numbers) if (number.level > level) this.#numbers.delete(key)
    const count = (this.#numbers.get(numbering)?.count ?? 0) + 1
    this.#numbers.set(numbering, { level, count })
    const mark = numbering.isOrdered ? `${count}.` : "-"
    const indent = INDENT.repeat(level)
    return text.split("\n").map((line, i) => (i === 0 ? `${indent}${mark} ${line}` : `${indent}${INDENT}${line}`))
  }

  #writeTable(table: WordElement): void {
    const rows = rowsOf(table).map((row) => cellsOf(row).map((cell) => this.#cell(cell)))
    const only = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined
    // A table of one cell is a frame around text.
    if (only === undefined) this.#put(tableLines(rows), false)
    else this.#put(only.text.split("\n"), false)
  }

  #cell(cell: WordElement): WordCell {
    return { text: this.#blockText(cell.children ?? []), columns: countOf(cell.colSpan), rows: countOf(cell.rowSpan) }
  }

  /** Blocks inside of a cell or a note, as lines. */
  #blockText(elements: readonly WordElement[]): string {
    const lines: string[] = []
    for (const element of elements) {
      if (element.type === "table") {
        for (const row of rowsOf(element))
          lines.push(
            cellsOf(row)
              .map((cell) => this.#cell(cell).text)
              .join("; "),
          )
      } else if (element.type === "paragraph") {
        const text = this.#inline(element.children ?? [])
        const { numbering } = element
        if (text !== "") lines.push(...(isNumbering(numbering) ? this.#listItem(text, numbering) : [text]))
      } else {
        lines.push(this.#inline([element]))
      }
    }
    return lines.join("\n")
  }

  #inline(elements: readonly WordElement[]): string {
    return inlineText(elements, this)
  }

  /** One block: after an empty line, unless it is an item that goes on a list. Notes wait for the end of a list. */
  #put(block: readonly string[], isItem: boolean): void {
    if (block.every((line) => line === "")) return
    if (!(isItem && this.#inList)) {
      this.#writeReadyNotes()
      if (this.#lines.length > 0) this.#push("")
    }
    for (const line of block) this.#push(line)
    this.#inList = isItem
    this.#readyNotes.push(...this.#referredNotes.splice(0))
  }

  #writeReadyNotes(): void {
    if (this.#readyNotes.length > 0) this.#push("")
    for (const note of this.#readyNotes.splice(0)) this.#push(note)
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
  }
}

interface Numbering {
  level: unknown
  isOrdered: unknown
}

const inlineKinds: ReadonlySet<string> = new Set(["run", "hyperlink", "text", "image", "checkbox", "noteReference"])

function isNumbering(value: unknown): value is Numbering {
  return typeof value === "object" && value !== null && "level" in value && "isOrdered" in value
}

/** Word keeps the names of its own styles in English, whatever its language. */
function headingLevel({ styleName }: WordElement): number | undefined {
  if (typeof styleName !== "string") return undefined
  if (styleName.toLowerCase() === "title") return 1
  const level = /^heading ([1-9])$/i.exec(styleName)?.[1]
  return level === undefined ? undefined : Math.min(6, Number(level))
}

function rowsOf(table: WordElement): WordElement[] {
  return (table.children ?? []).flatMap((child) => (child.type === "tableRow" ? [child] : rowsOf(child)))
}

function cellsOf(row: WordElement): WordElement[] {
  return (row.children ?? []).flatMap((child) => (child.type === "tableCell" ? [child] : cellsOf(child)))
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 1
}
