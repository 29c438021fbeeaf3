import { describe, expect, it } from "vitest"
import { ShellOutputWindow } from "../../../src/main/fs/shell-output-window.ts"
import truncation from "../../fixtures/pi-harness/truncation.json" with { type: "json" }

type Row = [string, number, number, string, boolean, string | null, number, number, number, number, boolean, boolean]

function windowOf(text: string, maxLines: number, maxBytes: number, retain: "head" | "tail", chunk: number) {
  const window = new ShellOutputWindow({ maxBytes, maxLines, retain })
  const characters = [...text]
  for (let index = 0; index < characters.length; index += chunk) {
    window.add(characters.slice(index, index + chunk).join(""))
  }
  return window.part()
}

describe("the kept part of an output", () => {
  for (const retain of ["head", "tail"] as const) {
    it(`is what the upstream harness keeps of the whole text, at the ${retain}, however it comes in`, () => {
      const differences: unknown[] = []
      for (const row of truncation[retain] as Row[]) {
        const [text, maxLines, maxBytes, content, truncated, truncatedBy, totalLines, totalBytes, ...rest] = row
        const [outputLines, outputBytes, lastLinePartial, firstLineExceedsLimit] = rest
        for (const chunk of [1, 2, 7, 1000]) {
          const part = windowOf(text, maxLines, maxBytes, retain, chunk)
          const expected = {
            truncated,
            truncatedBy,
            totalLines,
            totalBytes,
            outputLines,
            outputBytes,
            lastLinePartial,
            firstLineExceedsLimit,
            maxLines,
            maxBytes,
          }
          const shown = content.replaceAll("\r", "")
          if (part.text !== shown || JSON.stringify(part.metadata.truncation) !== JSON.stringify(expected)) {
            differences.push([row, chunk, part.text, part.metadata.truncation])
          }
        }
      }
      expect(differences.slice(0, 5)).toEqual([])
    })
  }
})
