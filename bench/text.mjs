/**
 * The text read as an agent makes it, beside `wc -l`, a loop in JavaScript and upstream's way: `node bench/text.mjs`, over
 * the built package. `--chart` also writes docs/time-by-size.svg. Makes its files in the temporary folder and removes them.
 */
import { execFile, execFileSync } from "node:child_process"
import { closeSync, createReadStream, openSync, writeSync } from "node:fs"
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { promisify } from "node:util"
import { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv } from "../out/main/index.js"
import { writeChart } from "./support/chart.mjs"
import { median, mediansOf, ROUNDS } from "./support/measure.mjs"
import { figure, milliseconds, report } from "./support/report.mjs"

const run = promisify(execFile)
const MIB = 1024 * 1024
const LOG_BYTES = 500 * MIB
const TARGET_LINE = 5_000_000
const SMALL_READS = 2_000
const library = new URL("../out/main/index.js", import.meta.url).href

const folder = await mkdtemp(join(tmpdir(), "bench-text-"))
const env = new NodeExecutionEnv({ cwd: folder })
const log = join(folder, "big.log")
const oneLine = join(folder, "one-line.json")
const small = join(folder, "small.ts")

try {
  writeLog(log, LOG_BYTES)
  writeOneLine(oneLine, LOG_BYTES)
  await writeFile(small, "const a = 1 // 4 KB of source text\n".repeat(120).slice(0, 4_096))
  await Promise.all([log, oneLine, small].map(atRest))

  const ways = {
    "first window with total": () => read(createReadTool(), log),
    "wc -l": () => run("wc", ["-l", log]),
    "a JavaScript loop": () => countInJavaScript(log),
    [`window at line ${TARGET_LINE}, no index`]: () => read(createReadTool(), log, { offset: TARGET_LINE }),
    "500 MB on a single line": () => read(createReadTool(), oneLine),
  }
  const indexed = createReadTool()
  await read(indexed, log)
  let offset = 1
  ways["second window by offset"] = () => {
    offset += 700_001
    return read(indexed, log, { offset })
  }
  const times = await mediansOf(ways)
  const ms = (way) => times[way].median
  const ratio = (what, way, other, bar) => ({
    what,
    ours: milliseconds(ms(way)),
    other: milliseconds(ms(other)),
    value: ms(way) / ms(other),
    bar,
  })

  const tool = createReadTool()
  const decoder = new TextDecoder()
  const smallTimes = await mediansOf({
    ours: () => repeat(SMALL_READS, () => read(tool, small)),
    readFile: () => repeat(SMALL_READS, async () => decoder.decode(await readFile(small))),
  })
  const perRead = (name) => (smallTimes[name].median / SMALL_READS) * 1_000
  const starts = await mediansOf({
    ours: () => run(process.execPath, ["--input-type=module", "-e", `await import(${JSON.stringify(library)})`]),
    node: () => run(process.execPath, ["-e", "0"]),
  })
  const growth = []
  for (let round = 0; round < ROUNDS; round++) growth.push(await residentGrowth())
  const delay = await eventLoopDelay()

  await report("text", {
    title: `Text: ${LOG_BYTES / MIB} MB log with lines of mixed length, warm cache, through the tool`,
    rows: [
      ratio("first window with total / wc -l", "first window with total", "wc -l", 3),
      ratio("the same / a JavaScript loop that counts LF", "first window with total", "a JavaScript loop", 0.35),
      { what: "growth of resident memory over an idle process", value: median(growth), unit: " MiB", bar: 16 },
      {
        what: "event-loop delay p99 while it reads / while idle",
        ours: milliseconds(delay.busy),
        other: milliseconds(delay.idle),
        value: delay.busy / delay.idle,
        bar: 4,
      },
      ratio("second window by offset / first window", "second window by offset", "first window with total", 0.05),
      ratio(
        `window at line ${TARGET_LINE.toLocaleString("en")} without index / first window`,
        `window at line ${TARGET_LINE}, no index`,
        "first window with total",
        1.5,
      ),
      ratio("500 MB on a single line / the log", "500 MB on a single line", "first window with total", 1.5),
      {
        what: "4 KB file, one after the other / readFile and decode",
        ours: `${figure(perRead("ours"))} us`,
        other: `${figure(perRead("readFile"))} us`,
        value: perRead("ours") / perRead("readFile"),
        bar: 2,
      },
      {
        what: "a process that imports the library / node -e 0",
        ours: milliseconds(starts.ours.median),
        other: milliseconds(starts.node.median),
        value: starts.ours.median / starts.node.median,
        bar: 1.6,
      },
    ],
  })
  if (process.argv.includes("--chart")) await chart()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** One call as an agent makes it. */
function read(tool, path, input = {}) {
  return tool.execute("call", { path, ...input }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
}

async function repeat(count, run) {
  for (let i = 0; i < count; i++) await run()
}

/** What people write: a stream, and a loop over its bytes. */
async function countInJavaScript(path) {
  let lines = 1
  for await (const chunk of createReadStream(path)) {
    for (let at = 0; at < chunk.length; at++) if (chunk[at] === 10) lines++
  }
  return lines
}

/** MiB that a fresh process grows by while it reads the log, its peak over what it held when it had loaded the library. */
async function residentGrowth() {
  const program = `
    const { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv } = await import(${JSON.stringify(library)})
    const env = new NodeExecutionEnv({ cwd: "/" })
    const tool = createReadTool()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = process.memoryUsage.rss()
    let peak = before
    const look = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5)
    await tool.execute("1", { path: ${JSON.stringify(log)} }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
    clearInterval(look)
    console.log((Math.max(peak, process.memoryUsage.rss()) - before) / 1048576)`
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program])
  return Number(stdout)
}

/** p99 of the event loop's delay, ms, while nothing happens and while the log is read again and again for as long. */
async function eventLoopDelay() {
  const idle = []
  const busy = []
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await delayWhile(() => new Promise((resolve) => setTimeout(resolve, 500))))
    busy.push(await delayWhile(() => repeat(3, () => read(createReadTool(), log))))
  }
  return { idle: median(idle), busy: median(busy) }
}

async function delayWhile(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await work()
  histogram.disable()
  return histogram.percentile(99) / 1e6
}

async function chart() {
  const sizes = [4 * 1024, 64 * 1024, MIB, 16 * MIB, 128 * MIB, 512 * MIB, 2048 * MIB]
  const series = { "bounded-read": [], "a JavaScript loop": [], "wc -l": [] }
  const path = join(folder, "chart.log")
  for (const size of sizes) {
    writeLog(path, size)
    await atRest(path)
    const times = await mediansOf(
      {
        "bounded-read": () => read(createReadTool(), path),
        "a JavaScript loop": () => countInJavaScript(path),
        "wc -l": () => run("wc", ["-l", path]),
      },
      { rounds: size > 512 * MIB ? 3 : ROUNDS },
    )
    for (const name of Object.keys(series)) series[name].push({ size, ms: times[name].median })
    await rm(path)
  }
  const file = new URL("../docs/time-by-size.svg", import.meta.url)
  await writeChart(file, { title: "First window with total, by file size", series })
  console.log(`\nChart: docs/time-by-size.svg\n${JSON.stringify(series)}`)
}

/** Lines of 0 to 199 bytes, the same in every run. */
function writeLog(path, bytes) {
  let state = 1
  let block = ""
  while (block.length < 4 * MIB) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    block += `${"2026-12-01 10:00:00 INFO request served in 12 ms by worker-7 ".repeat(4).slice(0, (state >>> 16) % 146)}\n`
  }
  writeBlocks(path, Buffer.from(block), bytes)
}

function writeOneLine(path, bytes) {
  writeBlocks(path, Buffer.alloc(4 * MIB, '{"key":"value","n":12345},'), bytes)
}

function writeBlocks(path, block, bytes) {
  const file = openSync(path, "w")
  for (let left = bytes; left > 0; left -= block.length) writeSync(file, block, 0, Math.min(left, block.length))
  closeSync(file)
  execFileSync("cat", [path], { stdio: ["ignore", "ignore", "inherit"] })
}

/** A file that was just written is not trusted to be at rest: its lines would not be remembered. */
async function atRest(path) {
  await utimes(path, 1, 1)
  await new Promise((resolve) => setTimeout(resolve, 2_100))
}
