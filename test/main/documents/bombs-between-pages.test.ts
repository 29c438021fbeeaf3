import { type ForkOptions, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, describe, expect, test } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { textPdf } from "../../support/build-pdf.ts"
import { DOCUMENT_PROCESS_ENTRY, readerOf, until } from "../../support/document-extraction.ts"
import { bombsBetweenPages } from "../../support/pdf/bombs.ts"

const MAX_PEAK_BYTES = 900 * 1024 * 1024
/** Looks at a process that stands by; so many alike in a row, and it has practised to the end. */
const LOOKS_AT_REST = 10

// A process that stands by reads the pages of a document with two threads; a fresh one has but one.
const started: number[] = []
const options = {
  entry: DOCUMENT_PROCESS_ENTRY,
  limits: { documentDeadlineMs: 20_000 },
  fork: (entry: string, args: string[], how?: ForkOptions) => {
    const child = fork(entry, args, how)
    if (child.pid !== undefined) started.push(child.pid)
    return child
  },
}
const withSpare = createNodeDocumentExtractor(options)
const withoutSpare = createNodeDocumentExtractor({ ...options, maxSpares: 0 })
afterAll(() => Promise.all([withSpare.close(), withoutSpare.close()]))

const read = async (by: typeof withSpare, pdf: Uint8Array) =>
  getOrThrow(await by.extract({ kind: "pdf", reader: readerOf(pdf), images: false }, BACKGROUND_CONTEXT))

/** The process that stands by, once it is at rest. */
async function spareAtRest(): Promise<number> {
  await read(withSpare, textPdf(["Before"]))
  const before = started.length
  await until(() => started.length > before)
  const pid = started.at(-1) ?? 0
  let [used, alike] = ["", 0]
  await until(() => {
    const [, utime, stime] =
      /^\d+ \(.*\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? []
    const now = `${utime} ${stime}`
    alike = now === used ? alike + 1 : 0
    used = now
    return alike >= LOOKS_AT_REST
  })
  return pid
}

const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024

describe.skipIf(process.platform !== "linux")("a bomb between other pages", () => {
  for (const [where, ...at] of [
    ["for the second thread", 3],
    ["for the first thread", 2],
    ["for both", 2, 3],
  ] as const) {
    test.each(Object.entries(bombsBetweenPages(...at)))(`${where}: %s`, async (name, build) => {
      const pdf = build()
      const pid = await spareAtRest()
      let peak = 0
      const sampling = setInterval(() => {
        try {
          peak = Math.max(peak, peakOf(pid))
        } catch {}
      }, 5)
      const together = await read(withSpare, pdf)
      clearInterval(sampling)
      const alone = await read(withoutSpare, pdf)
      if (process.env.SHOW_BOMBS)
        console.log(
          `${where}: ${name}: ${together.notRead}, pages ${together.pages.map(({ page }) => page)}, ${Math.round(peak / 1e6)} MB`,
        )
      expect(together).toEqual(alone)
      expect(peak).toBeGreaterThan(0)
      expect(peak).toBeLessThanOrEqual(MAX_PEAK_BYTES)
    })
  }
})
