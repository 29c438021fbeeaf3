import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../../support/document-extraction.ts"
import { BOMBS } from "../../support/pdf/bombs.ts"

const MAX_PEAK_BYTES = 900 * 1024 * 1024
/** Shorter than the default: what only the deadline stops should not hold the tests. */
const DEADLINE_MS = 6_000

const pids: number[] = []
const peaks = new Map<number, number>()
const extractor = createNodeDocumentExtractor({
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: DEADLINE_MS },
  maxSpares: 0,
  fork: (entry, args, options) => {
    const child = fork(entry, args, options)
    if (child.pid !== undefined) pids.push(child.pid)
    return child
  },
})
/** Linux keeps the peak itself, so that looking now and then is enough. */
const sampling = setInterval(() => {
  for (const pid of extractor.processIds) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)))
}, 10)
afterAll(async () => {
  clearInterval(sampling)
  await extractor.close()
  expect(pids.filter(isRunning)).toEqual([])
})

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

const harmless = textPdf(["After the bomb"])

test.each(Object.keys(BOMBS))(
  "%s: one reason or an honest part, bounded memory, and the next document reads",
  async (name) => {
    const bomb = BOMBS[name]?.() ?? Buffer.alloc(0)
    const bombAt = pids.length
    const started = performance.now()
    const result = getOrThrow(
      await extractor.extract({ kind: "pdf", reader: readerOf(bomb), images: true }, BACKGROUND_CONTEXT),
    )
    const took = Math.round(performance.now() - started)
    const { pages, notRead, pageCount = 0 } = result
    const numbers = pages.map(({ page }) => page)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers.every((page) => page >= 1 && page <= pageCount)).toBe(true)
    if (notRead === undefined) expect(pages.length).toBeGreaterThan(0)
    else expect(["too-large", "timeout", "no-text", "unsupported"]).toContain(notRead)
    const pid = pids[bombAt] ?? 0
    await until(() => !isRunning(pid))
    const peak = peaks.get(pid) ?? 0
    if (process.env.SHOW_BOMBS) {
      console.log(
        `${name}: ${bomb.length} bytes, ${notRead}, ${pages.length}/${pageCount} pages, ${pages.filter((p) => p.image).length} images, ${took} ms, ${Math.round(peak / 1e6)} MB, ${result.notes ?? ""}`,
      )
    }
    expect(peak).toBeLessThanOrEqual(MAX_PEAK_BYTES)
    if (process.platform === "linux") expect(peak).toBeGreaterThan(0)
    const next = await extractor.extract({ kind: "pdf", reader: readerOf(harmless), images: true }, BACKGROUND_CONTEXT)
    expect(getOrThrow(next).pages[0]?.text).toBe("After the bomb")
  },
)
