import { isRecord, joinedText, nameOf } from "./notebook-json.ts"
import { type CellBlock, outputBlocks, pictureBlock } from "./notebook-outputs.ts"
import { cleanSource } from "./notebook-text.ts"

/**
 * The cells of parsed JSON that is a notebook of format 3 or 4; `undefined` for any other value. A cell may still be
 * anything. Only own properties of known names are ever looked at, so that no key of the file reaches a prototype.
 */
export function notebookCells(json: unknown): readonly unknown[] | undefined {
  if (!isRecord(json)) return undefined
  if (json.nbformat === 4) return Array.isArray(json.cells) ? json.cells : undefined
  if (json.nbformat !== 3 || !Array.isArray(json.worksheets)) return undefined
  return json.worksheets.flatMap((sheet: unknown) => (isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : []))
}

/** A cell under its heading, `# cell 3 [code]`, and what it put out behind it. Never throws, whatever the cell is. */
export function* cellBlocks(cell: unknown, number: number): Generator<CellBlock> {
  if (!isRecord(cell)) {
    yield { kind: "text", text: `# cell ${number} [damaged]` }
    return
  }
  const type = nameOf(cell.cell_type)
  yield { kind: "text", text: `# cell ${number} [${type}]` }
  // Format 3 has the source of code in `input`.
  const source = cleanSource(joinedText(cell.source ?? cell.input) ?? "")
  if (source !== "") yield { kind: "text", text: type === "heading" ? `${"#".repeat(level(cell))} ${source}` : source }
  if (isRecord(cell.attachments)) yield* attachmentBlocks(cell.attachments, number)
  if (Array.isArray(cell.outputs)) yield* outputBlocks(cell.outputs, number)
}

/** Pictures that were pasted into a cell of words, which names them `attachment:image.png`. */
function* attachmentBlocks(attachments: Record<string, unknown>, cell: number): Generator<CellBlock> {
  for (const [name, forms] of Object.entries(attachments)) {
    const picture = isRecord(forms) ? pictureBlock(forms) : undefined
    yield { kind: "text", text: `# cell ${cell} attachment [${nameOf(name)}]` }
    if (picture !== undefined) yield picture
  }
}

function level({ level: value }: Record<string, unknown>): number {
  return typeof value === "number" && value >= 1 && value <= 6 ? Math.floor(value) : 1
}
