// Writes test/fixtures/pi-harness/truncation.json from the real upstream package, see vendor/pi-harness/UPSTREAM.md.
import { writeFileSync } from "node:fs"
import { formatSize, truncateHead, truncateTail } from "@earendil-works/pi-agent-core"

// biome-ignore format: a table
const TEXTS = [
  "", "\n", "\n\n", "a", "a\n", "a\nb", "a\nb\n", "a\n\nb\n\n", "one\ntwo\nthree\nfour\nfive",
  "one\ntwo\nthree\nfour\nfive\n", "éé\nçç\n😀😀\n", "aaaaaaaaaaaa", "aaaaaaaaaaaa\n", "x\naaaaaaaaaaaa",
  "x\naaaaaaaaaaaa\n", "aaaaaaaaaaaa\nx", "éééééé", "😀😀😀\n", "x\n😀😀😀", "\n\n\n\n\n\n", "a\r\nb\r\nc\r\n", "12345\n",
  "12345", "1234\n6789\n", "123\n5678\n", "\na", "\n\na\n\n",
]
// biome-ignore format: a table
const LIMITS = [
  [1, 1], [2, 2], [3, 100], [100, 3], [100, 4], [100, 5], [100, 6], [2, 5], [2, 6], [5, 5], [100, 100], [1, 5], [1, 6],
]
// biome-ignore format: a table
const SIZES = [
  0, 1, 511, 512, 1023, 1024, 1025, 1535, 1536, 10239, 10240, 51199, 51200, 51201, 1048524, 1048525, 1048575, 1048576,
  1572864, 524288000, 1073741824, 1099511627776,
]

function rowsOf(truncate) {
  const rows = TEXTS.flatMap((text) =>
    LIMITS.map(([maxLines, maxBytes]) => {
      const { content, maxLines: _lines, maxBytes: _bytes, ...rest } = truncate(text, { maxLines, maxBytes })
      const { truncated, truncatedBy, totalLines, totalBytes, outputLines, outputBytes } = rest
      const counts = [totalLines, totalBytes, outputLines, outputBytes]
      const { lastLinePartial, firstLineExceedsLimit } = rest
      const flags = [lastLinePartial, firstLineExceedsLimit]
      return JSON.stringify([text, maxLines, maxBytes, content, truncated, truncatedBy, ...counts, ...flags])
    }),
  )
  return `[\n${rows.join(",\n")}\n]`
}

const columns =
  '["text","maxLines","maxBytes","content","truncated","truncatedBy","totalLines","totalBytes","outputLines","outputBytes","lastLinePartial","firstLineExceedsLimit"]'
const sizes = SIZES.map((bytes) => JSON.stringify([bytes, formatSize(bytes)])).join(",\n")
const table = `{\n"columns": ${columns},\n"head": ${rowsOf(truncateHead)},\n"tail": ${rowsOf(truncateTail)},\n"formatSize": [\n${sizes}\n]\n}\n`
writeFileSync(new URL("../../fixtures/pi-harness/truncation.json", import.meta.url), table)
