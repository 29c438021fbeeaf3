/** The document process: what its first read costs, and its text, side by side with poppler's pdftotext. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createReadTool, NodeExecutionEnv } from "../out/main/index.js"
import { createNodeDocumentExtractor } from "../out/main/node.js"
import { bagOfWordsF1, CONTEXT, openReader, prose, realFiles, textPdf, wordCount } from "./support/documents.mjs"
import { median, mediansOf, ROUNDS } from "./support/measure.mjs"
import { milliseconds, report } from "./support/report.mjs"

const run = promisify(execFile)
/** Longer than a spare takes to stand by. */
const SPARE_MS = 600
const folder = await mkdtemp(join(tmpdir(), "bounded-read-bench-"))
const rows = []
const notes = []
const poppler = await run("pdftotext", ["-v"]).then(
  ({ stderr }) => stderr.split("\n")[0],
  () => undefined,
)
notes.push(poppler === undefined ? "pdftotext is not installed: its rows are left out." : `Beside ${poppler}.`)

try {
  await firstRead()
  if (poppler !== undefined) await besidePdftotext()
  await agreement()
  await eventLoopDelay()
  await continuation()
  await report("documents", { title: "Documents: medians of 7, alternating", rows, notes })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function file(name, bytes) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

async function firstRead() {
  const path = await file("one.pdf", textPdf([prose(50)]))
  const host = fileURLToPath(new URL("./support/document-host.mjs", import.meta.url))
  const start = async (...args) => {
    const [code] = await once(spawn(process.execPath, [host, ...args], { stdio: "inherit" }), "exit")
    if (code !== 0) throw new Error(`The host ended with ${code}`)
  }
  const { read, fork } = await mediansOf({ read: () => start("read", path), fork: () => start("fork") })
  rows.push({
    what: "first PDF read of a host / a host that forks an empty child",
    ours: milliseconds(read.median),
    other: milliseconds(fork.median),
    value: read.median / fork.median,
    bar: 3,
  })
}

/** Real pages carry fonts of their own; those made here use a font that poppler need not load, which is its best case. */
async function besidePdftotext() {
  const made = await file("twenty.pdf", textPdf(Array.from({ length: 20 }, (_, page) => prose(45, page))))
  const real = realFiles()?.find(({ file: name }) => name === "pdflatex-4-pages.pdf")
  if (real === undefined) notes.push("The real pages are left out: there is no shared/pdf beside the repository.")
  else {
    const joined = join(folder, "joined.pdf")
    await run("pdfunite", [...Array.from({ length: 5 }, () => real.path), joined])
    await besidePdftotextOn("20 pages of LaTeX with a spare standing by / pdftotext as a fresh process", joined, 1.5)
  }
  await besidePdftotextOn("20 pages in Helvetica, made here, likewise", made)
}

async function besidePdftotextOn(what, path, bar) {
  const extractor = createNodeDocumentExtractor()
  const times = { ours: [], theirs: [] }
  const subjects = {
    ours: async () => {
      const reader = await openReader(path)
      const read = await extractor.extract({ kind: "pdf", reader, images: false }, CONTEXT)
      if (read.value?.pages.length !== 20) throw new Error("Not all pages were read")
      await reader.close()
    },
    theirs: () => run("pdftotext", [path, "-"], { maxBuffer: 1e9 }),
  }
  for (let round = -2; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"]) {
      await wait(SPARE_MS)
      const start = performance.now()
      await subjects[name]()
      if (round >= 0) times[name].push(performance.now() - start)
    }
  }
  await extractor.close()
  const [ours, theirs] = [median(times.ours), median(times.theirs)]
  rows.push({
    what,
    ours: milliseconds(ours),
    other: milliseconds(theirs),
    value: ours / theirs,
    ...(bar ? { bar } : {}),
  })
}

async function agreement() {
  const files = realFiles()
  if (files === undefined || poppler === undefined) {
    notes.push("The agreement with pdftotext is left out: it takes pdftotext, and shared/pdf beside the repository.")
    return
  }
  const extractor = createNodeDocumentExtractor({ limits: { documentDeadlineMs: 60_000 } })
  const scores = []
  for (const { path, file: name, passwords } of files) {
    const password = passwords?.[0]
    const reference = await run("pdftotext", [...(password ? ["-upw", password] : []), path, "-"], {
      maxBuffer: 1e9,
    }).then(
      ({ stdout }) => stdout,
      () => "",
    )
    if (wordCount(reference) < 20) continue
    const reader = await openReader(path)
    const read = await extractor.extract(
      { kind: "pdf", reader, images: false, ...(password ? { password } : {}) },
      CONTEXT,
    )
    await reader.close()
    const text = read.value?.pages.map((page) => page.text).join("\n") ?? ""
    scores.push({ name, f1: bagOfWordsF1(text, reference) })
  }
  await extractor.close()
  const mean = scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length
  const worst = scores.toSorted((a, b) => a.f1 - b.f1).slice(0, 5)
  notes.push(
    `Mean F1 over ${scores.length} files; the lowest: ${worst.map(({ name, f1 }) => `${name} ${f1.toFixed(3)}`).join(", ")}.`,
  )
  rows.push({
    what: "1 - mean bag-of-words F1 against pdftotext",
    ours: `F1 ${mean.toFixed(4)}`,
    value: 1 - mean,
    bar: 0.03,
  })
}

async function eventLoopDelay() {
  const path = await file("large.pdf", textPdf([prose(50)], 32 * 1024 * 1024))
  const extractor = createNodeDocumentExtractor()
  const p99While = async (work) => {
    const histogram = monitorEventLoopDelay({ resolution: 1 })
    histogram.enable()
    await work()
    histogram.disable()
    return histogram.percentile(99) / 1e6
  }
  const read = async () => {
    const reader = await openReader(path)
    const result = await extractor.extract({ kind: "pdf", reader, images: false }, CONTEXT)
    if (result.value?.pages.length !== 1) throw new Error("The large file was not read")
    await reader.close()
  }
  await read()
  const times = { busy: [], idle: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.busy.push(await p99While(read))
    times.idle.push(await p99While(() => wait(500)))
  }
  await extractor.close()
  const [busy, idle] = [median(times.busy), median(times.idle)]
  rows.push({
    what: "event-loop delay p99 while 32 MiB are sent and read / idle",
    ours: milliseconds(busy),
    other: milliseconds(idle),
    value: busy / idle,
    bar: 4,
  })
}

async function continuation() {
  await file("book.pdf", textPdf(Array.from({ length: 20 }, (_, page) => prose(45, page))))
  const documentExtractor = createNodeDocumentExtractor()
  const env = new NodeExecutionEnv({ cwd: folder })
  const times = { first: [], further: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const tool = createReadTool({ documentExtractor })
    const read = async (offset) => {
      const start = performance.now()
      const { receipt } = await tool.execute(
        "bench",
        { path: "book.pdf", offset },
        undefined,
        { env },
        undefined,
        CONTEXT,
      )
      if (receipt.document?.read !== true) throw new Error("The document was not read")
      return performance.now() - start
    }
    times.first.push(await read(1))
    times.further.push(await read(600))
    await wait(SPARE_MS)
  }
  await documentExtractor.close()
  const [first, further] = [median(times.first), median(times.further)]
  rows.push({
    what: "continuation inside an extracted document / the first read",
    ours: milliseconds(further),
    other: milliseconds(first),
    value: further / first,
    bar: 0.1,
  })
}
