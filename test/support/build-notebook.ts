/** A notebook of format 4 as Jupyter writes it, of these cells. */
export function buildNotebook(cells: readonly unknown[], more: Record<string, unknown> = {}): string {
  const metadata = { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } }
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5, ...more }, undefined, 1)}\n`
}

/** A cell of code with its outputs; the source as Jupyter has it, a list of lines with their ends. */
export function codeCell(source: string, ...outputs: readonly unknown[]): Record<string, unknown> {
  return { cell_type: "code", execution_count: 1, metadata: {}, outputs, source: linesOf(source) }
}

export function markdownCell(source: string): Record<string, unknown> {
  return { cell_type: "markdown", metadata: {}, source: linesOf(source) }
}

export function streamOutput(name: string, text: string): Record<string, unknown> {
  return { name, output_type: "stream", text: linesOf(text) }
}

export function resultOutput(data: Record<string, unknown>): Record<string, unknown> {
  return { data, execution_count: 1, metadata: {}, output_type: "execute_result" }
}

export function displayOutput(data: Record<string, unknown>): Record<string, unknown> {
  return { data, metadata: {}, output_type: "display_data" }
}

export function errorOutput(ename: string, evalue: string, traceback: readonly string[]): Record<string, unknown> {
  return { ename, evalue, output_type: "error", traceback }
}

/** A picture as Jupyter writes it: base64 with a line end. */
export function pictureForm(bytes: Uint8Array): string {
  return `${Buffer.from(bytes).toString("base64")}\n`
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}
