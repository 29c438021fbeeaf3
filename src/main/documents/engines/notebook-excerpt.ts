import { MAX_NOTEBOOK_MARKS, type NotebookWindow, type RenderedNotebook } from "../extractor-protocol.ts"
import type { CellBlock } from "./notebook-outputs.ts"
import { startOf } from "./notebook-text.ts"

/** A picture whose place lies within the window: its number in the notebook, counted from 1, and its base64. */
export interface WindowPicture {
  number: number
  data: string
}

/**
 * The lines of a notebook that a window is made of, gathered while all of its text passes by: lines before them and
 * behind them are counted and not kept. One line more than the window holds is, for the cut to be seen.
 */
export class NotebookExcerpt {
  readonly #window: NotebookWindow
  readonly #maxCharacters: number
  readonly #lines: string[] = []
  readonly #cellLines: number[] = []
  readonly #imageLines: number[] = []
  readonly pictures: WindowPicture[] = []
  #counted = 0
  #bytes = 0
  #characters = 0
  #full = false
  #lineCut = false
  #bytesAfter = 0
  #cells = 0
  #firstCell = 0
  #imagesBefore = 0
  #images = 0

  constructor(window: NotebookWindow, maxCharacters: number) {
    this.#window = window
    this.#maxCharacters = maxCharacters
  }

  /** The next cell, with an empty line before it where it is not the first. */
  addCell(blocks: Iterable<CellBlock>): void {
    if (this.#cells > 0) this.#add("")
    this.#cells += 1
    // Its first line is the next one.
    if (this.#counted + 1 < this.#window.fromLine) this.#firstCell = this.#cells
    else if (!this.#full) this.#cellLines.push(this.#counted + 1)
    for (const block of blocks) {
      if (block.kind === "text") this.#add(block.text)
      else this.#addPicture(block)
    }
  }

  finish(): RenderedNotebook {
    return {
      cells: this.#cells,
      totalLines: this.#counted,
      text: this.#lines.join("\n"),
      lineCut: this.#lineCut,
      bytesAfter: this.#bytesAfter,
      firstCell: this.#firstCell,
      cellLines: this.#cellLines,
      imagesBefore: this.#imagesBefore,
      imageLines: this.#imageLines,
    }
  }

  #addPicture({ label, data }: Extract<CellBlock, { kind: "image" }>): void {
    this.#images += 1
    const line = this.#counted + 1
    if (line < this.#window.fromLine) this.#imagesBefore = this.#images
    else if (!this.#full) this.#imageLines.push(line)
    const kept = this.#lines.length
    this.#add(`[image ${this.#images}: ${label}]`)
    if (this.#lines.length > kept && this.#isWithinWindow()) this.pictures.push({ number: this.#images, data })
  }

  /** One line or more, without the last line end. */
  #add(text: string): void {
    for (let at = 0; ; ) {
      if (this.#full) {
        this.#passOver(text, at)
        return
      }
      const end = text.indexOf("\n", at)
      this.#addLine(text.slice(at, end < 0 ? undefined : end))
      if (end < 0) return
      at = end + 1
    }
  }

  #addLine(line: string): void {
    this.#counted += 1
    if (this.#counted < this.#window.fromLine) return
    const room = this.#maxCharacters - this.#characters
    let shown = line
    if (line.length > room) {
      this.#full = true
      this.#lineCut = this.#lines.length === 0
      if (this.#lineCut) shown = startOf(line, room)
      this.#bytesAfter += Buffer.byteLength(line.slice(this.#lineCut ? shown.length : 0)) + (this.#lineCut ? 0 : 1)
      if (!this.#lineCut) return
    }
    this.#bytes += Buffer.byteLength(shown) + (this.#lines.length === 0 ? 0 : 1)
    this.#characters += shown.length + 1
    this.#lines.push(shown)
    const marks = this.#cellLines.length >= MAX_NOTEBOOK_MARKS || this.#imageLines.length >= MAX_NOTEBOOK_MARKS
    if (!this.#isWithinWindow() || marks) this.#full = true
  }

  #passOver(text: string, from: number): void {
    this.#counted += 1
    for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) this.#counted += 1
    this.#bytesAfter += Buffer.byteLength(from === 0 ? text : text.slice(from)) + 1
  }

  #isWithinWindow(): boolean {
    const { maxLines, maxBytes } = this.#window
    return this.#lines.length <= maxLines && this.#bytes <= maxBytes
  }
}
