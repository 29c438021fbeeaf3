/** A cell as text, with the columns and rows that it covers. */
export interface WordCell {
  text: string
  columns: number
  rows: number
}

/** A file may claim any number of columns for one cell; Word makes 63 at most. */
const MAX_COLUMNS = 63

/** `| a | b |` lines, the first row as the head. Cells that one covers are empty; a cell's lines are parted by `<br>`. */
export function tableLines(rows: readonly (readonly WordCell[])[]): string[] {
  const grid = layOut(rows)
  const columns = Math.max(0, ...grid.map((row) => row.length))
  if (columns === 0) return []
  const lines = grid.map((row) => {
    const cells = Array.from({ length: columns }, (_, i) => row[i] ?? "")
    return `| ${cells.map(cellText).join(" | ")} |`
  })
  const rule = `| ${Array.from({ length: columns }, () => "---").join(" | ")} |`
  return [lines[0] ?? "", rule, ...lines.slice(1)]
}

function cellText(text: string): string {
  return text.trim().replaceAll("|", "\\|").replace(/\n+/g, "<br>")
}

/** Where each cell stands once those that reach down from earlier rows have their places. */
function layOut(rows: readonly (readonly WordCell[])[]): string[][] {
  /** By column: rows that a cell above still covers. */
  const covered: number[] = []
  return rows.map((cells) => {
    const row: string[] = []
    const skipCovered = (): void => {
      while ((covered[row.length] ?? 0) > 0) {
        covered[row.length] = (covered[row.length] ?? 0) - 1
        row.push("")
      }
    }
    for (const { text, columns, rows: down } of cells) {
      skipCovered()
      if (row.length >= MAX_COLUMNS) break
      const width = Math.min(Math.max(1, columns), MAX_COLUMNS - row.length)
      for (let i = 0; i < width; i++) {
        covered[row.length] = Math.max(0, down - 1)
        row.push(i === 0 ? text : "")
      }
    }
    skipCovered()
    return row
  })
}
