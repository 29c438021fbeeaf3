import { describe, expect, it } from "vitest"
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateHead } from "../../../vendor/pi-harness/index.ts"
import table from "../../fixtures/pi-harness/truncation.json" with { type: "json" }

describe("truncateHead", () => {
  it("keeps what the upstream harness keeps, and says the same of it", () => {
    expect(table.head.length).toBeGreaterThan(300)
    for (const row of table.head) {
      const result: Record<string, unknown> = { ...truncateHead(String(row[0]), limitsOf(row)), text: row[0] }
      expect(table.columns.map((column) => result[column])).toEqual(row)
    }
  })

  it("has the limits of a tool's window by default", () => {
    const kept = truncateHead("x\n".repeat(3000))
    expect(kept).toMatchObject({ outputLines: DEFAULT_MAX_LINES, maxLines: 2000, maxBytes: 51_200 })
    expect(truncateHead("x".repeat(DEFAULT_MAX_BYTES + 1))).toMatchObject({ content: "", firstLineExceedsLimit: true })
  })
})

function limitsOf(row: readonly unknown[]): { maxLines: number; maxBytes: number } {
  return { maxLines: Number(row[1]), maxBytes: Number(row[2]) }
}

describe("formatSize", () => {
  it.each(table.formatSize)("writes %s bytes as %s", (bytes, expected) => {
    expect(formatSize(Number(bytes))).toBe(expected)
  })
})
