import { writeFile } from "node:fs/promises"

const [WIDTH, HEIGHT] = [720, 400]
const PLOT = { left: 64, right: 150, top: 40, bottom: 48 }
const COLOURS = ["#0969da", "#cf222e", "#6e7781"]

/**
 * Writes a chart of milliseconds against bytes, both logarithmic, as SVG that reads on light and dark pages.
 *
 * @param {URL} file
 * @param {{ title: string, series: Record<string, { size: number, ms: number }[]> }} chart
 */
export async function writeChart(file, { title, series }) {
  const points = Object.values(series).flat()
  const x = scale(
    points.map(({ size }) => size),
    PLOT.left,
    WIDTH - PLOT.right,
  )
  const y = scale(
    points.map(({ ms }) => ms),
    HEIGHT - PLOT.bottom,
    PLOT.top,
  )
  const labels = labelRows(Object.entries(series).map(([name, values]) => [name, y(values.at(-1).ms) + 4]))
  const sizes = [...new Set(points.map(({ size }) => size))]
  const parts = [
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff" rx="6"/>`,
    text(PLOT.left, 24, title, 'font-size="15" font-weight="600"'),
  ]
  for (let power = Math.ceil(y.low); power <= y.high; power++) {
    const at = y(10 ** power)
    parts.push(`<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${at}" y2="${at}" stroke="#d0d7de"/>`)
    parts.push(text(PLOT.left - 8, at + 4, `${10 ** power} ms`, 'text-anchor="end"'))
  }
  for (const size of sizes) parts.push(text(x(size), HEIGHT - PLOT.bottom + 20, named(size), 'text-anchor="middle"'))
  for (const [nth, [name, values]] of Object.entries(series).entries()) {
    const colour = COLOURS[nth % COLOURS.length]
    const line = values.map(({ size, ms }) => `${x(size)},${y(ms)}`).join(" ")
    parts.push(`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2.5"/>`)
    for (const { size, ms } of values) parts.push(`<circle cx="${x(size)}" cy="${y(ms)}" r="3" fill="${colour}"/>`)
    const last = values.at(-1)
    parts.push(text(x(last.size) + 10, labels.get(name), name, `fill="${colour}" font-weight="600"`))
  }
  const font = 'font-family="system-ui, sans-serif" font-size="12" fill="#1f2328"'
  const box = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`
  await writeFile(file, `<svg xmlns="http://www.w3.org/2000/svg" ${box} ${font}>\n${parts.join("\n")}\n</svg>\n`)
}

/** Logarithmic, from the least value to the greatest; knows the powers of ten that these are. */
function scale(values, from, to) {
  const low = Math.log10(Math.min(...values))
  const high = Math.log10(Math.max(...values))
  const at = (value) => Math.round((from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from)) * 10) / 10
  return Object.assign(at, { low, high })
}

/** Labels from the top down, none nearer to the one above it than a line. */
function labelRows(wanted) {
  let above = Number.NEGATIVE_INFINITY
  const rows = [...wanted].sort(([, a], [, b]) => a - b)
  return new Map(
    rows.map(([name, at]) => {
      above = Math.max(at, above + 15)
      return [name, above]
    }),
  )
}

function text(x, y, content, attributes = "") {
  return `<text x="${x}" y="${y}" ${attributes}>${content}</text>`
}

function named(bytes) {
  const units = ["B", "KB", "MB", "GB"]
  const power = Math.floor(Math.log2(bytes) / 10)
  return `${bytes / 1024 ** power} ${units[power]}`
}
