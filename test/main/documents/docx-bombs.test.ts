import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { buildDocx, paragraph } from "../../support/build-docx.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../../support/document-extraction.ts"
import { DOCX_BOMBS } from "../../support/docx-bombs.ts"

const MAX_PEAK_BYTES = 900 * 1024 * 1024
const MAX_CHARACTERS = 300_000
/** Long enough that nothing but a bomb of time meets it on a loaded machine; and what such a bomb is given. */
const DEADLINE_MS = 30_000
const SHORT_DEADLINE_MS = 3_000

const pids: number[] = []
const peaks = new Map<number, number>()
const extractorWithin = (documentDeadlineMs: number) =>
  createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs },
    maxSpares: 0,
    fork: (entry, args, options) => {
      const child = fork(entry, args, options)
      if (child.pid !== undefined) pids.push(child.pid)
      return child
    },
  })
const patient = extractorWithin(DEADLINE_MS)
const hasty = extractorWithin(SHORT_DEADLINE_MS)
/** Linux keeps the peak itself, so that looking now and then is enough. */
const sampling = setInterval(() => {
  for (const pid of [...patient.processIds, ...hasty.processIds])
    peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)))
}, 10)
afterAll(async () => {
  clearInterval(sampling)
  await Promise.all([patient.close(), hasty.close()])
  expect(pids.filter(isRunning)).toEqual([])
})

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

const extract = async (bytes: Uint8Array, extractor = patient) =>
  getOrThrow(await extractor.extract({ kind: "docx", reader: readerOf(bytes), images: true }, BACKGROUND_CONTEXT))
const harmless = buildDocx({ body: paragraph("After the bomb") })

test.each(Object.entries(DOCX_BOMBS))(
  "%s: text or one reason, bounded memory, and the next document reads",
  async (name, { build, endsIn, holds = "" }) => {
    const bomb = build()
    const bombAt = pids.length
    const started = performance.now()
    const { pages, notRead, textTruncated } = await extract(bomb, endsIn.join() === "timeout" ? hasty : patient)
    const took = Math.round(performance.now() - started)
    const pid = pids[bombAt] ?? 0
    await until(() => !isRunning(pid))
    const peak = peaks.get(pid) ?? 0
    const text = pages.map((page) => page.text).join("")
    if (process.env.SHOW_BOMBS) {
      const outcome = notRead ?? `${text.length} characters${textTruncated ? ", cut" : ""}`
      console.log(`${name}: ${bomb.length} bytes, ${outcome}, ${took} ms, ${Math.round(peak / 1e6)} MB`)
    }
    expect(endsIn).toContain(notRead ?? "text")
    expect(text).toContain(holds)
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS)
    expect(peak).toBeLessThanOrEqual(MAX_PEAK_BYTES)
    if (process.platform === "linux") expect(peak).toBeGreaterThan(0)
    expect((await extract(harmless)).pages[0]?.text).toBe("After the bomb")
  },
)
