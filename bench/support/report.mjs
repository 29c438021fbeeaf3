import { mkdir, writeFile } from "node:fs/promises"
import { cpus, loadavg, platform, release } from "node:os"
import { join } from "node:path"

const results = join(import.meta.dirname, "..", "results")

/**
 * Prints a table of ratios and writes it, with the machine it was measured on, to `bench/results/<name>.json`.
 * A row with a bar that it does not hold makes the process exit with 1.
 *
 * @param {string} name
 * @param {{ title: string, rows: { what: string, ours?: string, other?: string, value: number, unit?: string, bar?: number }[], notes?: string[], data?: unknown }} table
 *   `value` is the ratio (or, with `unit`, the figure) that `bar` bounds from above.
 */
export async function report(name, { title, rows, notes = [], data }) {
  console.log(`\n${title}\n`)
  console.log("| | ours | other | ratio | bar | |\n| --- | --- | --- | --- | --- | --- |")
  for (const { what, ours = "", other = "", value, unit = "", bar } of rows) {
    const verdict = bar === undefined ? "" : value <= bar ? "ok" : "OVER"
    const limit = bar === undefined ? "" : `${bar}${unit} or less`
    console.log(`| ${what} | ${ours} | ${other} | ${figure(value)}${unit} | ${limit} | ${verdict} |`)
    if (verdict === "OVER") process.exitCode = 1
  }
  for (const note of notes) console.log(`\n${note}`)
  await mkdir(results, { recursive: true })
  const file = join(results, `${name}.json`)
  await writeFile(file, `${JSON.stringify({ name, title, machine: machine(), rows, notes, data }, null, 2)}\n`)
}

export function milliseconds(value) {
  return `${figure(value)} ms`
}

export function figure(value) {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2)
}

function machine() {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? "unknown",
    cores: processors.length,
    loadAverage: loadavg(),
    system: `${platform()} ${release()}`,
    node: process.version,
  }
}
