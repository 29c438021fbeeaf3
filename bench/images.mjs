/**
 * Images through the read tool, each in a process of its own, beside the same work by sharp in this process: `node
 * bench/images.mjs`, over the built package. The start of the process and the transfer of the file are taken off: they are
 * measured on an icon of as many bytes, which is sent and then only named. With a process standing by, as after every
 * image, and without, as for the first one of a host.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as wait } from "node:timers/promises"
import sharp from "sharp"
import { BACKGROUND_CONTEXT, createReadTool, DEFAULT_LIMITS, NodeExecutionEnv } from "../out/main/index.js"
import { createNodeDocumentExtractor } from "../out/main/node.js"
import { median, mediansOf, ROUNDS } from "./support/measure.mjs"
import { milliseconds, report } from "./support/report.mjs"

const MAX_SIDE = DEFAULT_LIMITS.maxImageSidePixels
/** Longer than a process takes until it stands by. */
const SPARE_MS = 800
/** Of every look at the event loop. */
const WINDOW_MS = 500
const folder = await mkdtemp(join(tmpdir(), "bench-images-"))
const env = new NodeExecutionEnv({ cwd: folder })
const extractors = []
const [readWithSpare, readAlone] = [readerWith({ maxSpares: 1 }), readerWith({ maxSpares: 0 })]
sharp.concurrency(1)
sharp.cache(false)

try {
  const photo = await noise(3_000, 2_000).jpeg({ quality: 90 }).toBuffer()
  const screenshot = await screen(2_880, 1_800).png().toBuffer()
  await writeFile(join(folder, "photo.jpg"), photo)
  await writeFile(join(folder, "screenshot.png"), screenshot)
  await writeFile(join(folder, "photo.ico"), icon(photo.length))
  await writeFile(join(folder, "screenshot.ico"), icon(screenshot.length))
  await writeFile(join(folder, "small.ico"), icon(64))
  const resized = (bytes) => sharp(bytes).rotate().resize(MAX_SIDE, MAX_SIDE, { fit: "inside" })
  const bySharp = {
    photo: () => resized(photo).jpeg({ quality: 85 }).toBuffer(),
    screenshot: () => resized(screenshot).png().toBuffer(),
  }
  const subjectsOf = (read) => ({
    photo: () => read("photo.jpg"),
    "photo by sharp": bySharp.photo,
    screenshot: () => read("screenshot.png"),
    "screenshot by sharp": bySharp.screenshot,
    "sending the photo": () => read("photo.ico"),
    "sending the screenshot": () => read("screenshot.ico"),
    "sending nothing": () => read("small.ico"),
  })
  const standingBy = await mediansOf(subjectsOf(readWithSpare), { before: () => wait(SPARE_MS) })
  const alone = await mediansOf(subjectsOf(readAlone))
  const row = (what, times, image, bar) => {
    const [own, sent, by] = [image, `sending the ${image}`, `${image} by sharp`].map((name) => times[name].median)
    const value = (own - sent) / by
    return {
      what,
      ours: milliseconds(own - sent),
      other: milliseconds(by),
      value,
      ...(bar === undefined ? {} : { bar }),
    }
  }
  const sizeRow = async (what, name, image) => {
    const { content } = await readWithSpare(name)
    const bytes = Math.floor((content.find(({ type }) => type === "image").data.length * 3) / 4)
    const { length } = await bySharp[image]()
    return { what, ours: `${bytes} bytes`, other: `${length} bytes`, value: bytes / length, bar: 1.3 }
  }
  const start = (what, times) => ({ what, value: times["sending nothing"].median, unit: " ms" })
  const all = (what, times, image) => {
    const [own, by] = [times[image].median, times[`${image} by sharp`].median]
    return { what, ours: milliseconds(own), other: milliseconds(by), value: own / by }
  }
  const delay = await eventLoopDelay()
  await report("images", {
    title: "Images: through the tool beside sharp in-process, medians of 7, alternating",
    rows: [
      row(
        "3,000 x 2,000 JPEG, a process standing by, less start and transfer / sharp in-process",
        standingBy,
        "photo",
        1.3,
      ),
      row("2,880 x 1,800 screenshot, likewise", standingBy, "screenshot", 1.3),
      all("the JPEG, nothing taken off", standingBy, "photo"),
      all("the screenshot, nothing taken off", standingBy, "screenshot"),
      row("the JPEG as the first image of a host, less start and transfer", alone, "photo"),
      row("the screenshot, likewise", alone, "screenshot"),
      start("an image that is only named, a process standing by", standingBy),
      start("an image that is only named, the first one of a host", alone),
      await sizeRow("size of the JPEG / by sharp", "photo.jpg", "photo"),
      await sizeRow("size of the screenshot / by sharp", "screenshot.png", "screenshot"),
      {
        what: "event-loop delay p99 while images are read / idle",
        ours: milliseconds(delay.busy),
        other: milliseconds(delay.idle),
        value: delay.busy / delay.idle,
        bar: 4,
      },
    ],
    notes: [`The files: a JPEG of ${photo.length} bytes, a PNG of ${screenshot.length} bytes.`],
  })
} finally {
  await Promise.all(extractors.map((extractor) => extractor.close()))
  await rm(folder, { recursive: true, force: true })
}

function readerWith(options) {
  const documentExtractor = createNodeDocumentExtractor(options)
  extractors.push(documentExtractor)
  const tool = createReadTool({ documentExtractor })
  return (path) => tool.execute("1", { path }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
}

/** An icon file of so many bytes. */
function icon(bytes) {
  const file = Buffer.alloc(Math.max(64, bytes))
  file.writeUInt16LE(1, 2)
  file.writeUInt16LE(1, 4)
  file.writeUInt16LE(1, 10)
  file.writeUInt32LE(file.length - 22, 14)
  file.writeUInt32LE(22, 18)
  return file
}

function noise(width, height) {
  const raw = Buffer.alloc(width * height * 3)
  let state = 7
  for (let at = 0; at < raw.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    raw[at] = 128 + 100 * Math.sin(at / 9_001) + (state >>> 28)
  }
  return sharp(raw, { raw: { width, height, channels: 3 } })
}

function screen(width, height) {
  const rows = Array.from({ length: 40 }, (_, row) => {
    const text = `${row + 1}  const value${row} = await read(path, { offset: ${row * 50} })`
    return `<text x="40" y="${60 + row * 42}" font-family="monospace" font-size="28">${text}</text>`
  })
  const size = `width="${width}" height="${height}"`
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="#fff"/>${rows.join("")}</svg>`),
  )
}

/** One image after the other, with the start of each process and of what stands by for the next, beside doing nothing. */
async function eventLoopDelay() {
  const delayWhile = async (work) => {
    const histogram = monitorEventLoopDelay({ resolution: 1 })
    histogram.enable()
    await work()
    histogram.disable()
    return histogram.percentile(99) / 1e6
  }
  const readOn = async () => {
    const endsAt = performance.now() + WINDOW_MS
    do await readWithSpare("photo.jpg")
    while (performance.now() < endsAt)
  }
  const [idle, busy] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    await wait(SPARE_MS)
    idle.push(await delayWhile(() => wait(WINDOW_MS)))
    busy.push(await delayWhile(readOn))
  }
  return { idle: median(idle), busy: median(busy) }
}
