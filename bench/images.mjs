/**
 * Images through the read tool, in a process of their own, beside the same work by sharp in this process: `node
 * bench/images.mjs`, over the built package. The start of the process and the transfer of the file are taken off: they are
 * measured on an icon of as many bytes, which is sent and then only named.
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
const folder = await mkdtemp(join(tmpdir(), "bench-images-"))
const documentExtractor = createNodeDocumentExtractor()
const tool = createReadTool({ documentExtractor })
const env = new NodeExecutionEnv({ cwd: folder })
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
  const times = await mediansOf({
    photo: () => read("photo.jpg"),
    "photo by sharp": () => resized(photo).jpeg({ quality: 85 }).toBuffer(),
    screenshot: () => read("screenshot.png"),
    "screenshot by sharp": () => resized(screenshot).png().toBuffer(),
    "sending the photo": () => read("photo.ico"),
    "sending the screenshot": () => read("screenshot.ico"),
    "sending nothing": () => read("small.ico"),
  })
  const row = (what, ours) => {
    const [own, sent, by] = [ours, `sending the ${ours}`, `${ours} by sharp`].map((name) => times[name].median)
    return { what, ours: milliseconds(own - sent), other: milliseconds(by), value: (own - sent) / by, bar: 1.3 }
  }
  const [shownPhoto, shownScreen] = [await read("photo.jpg"), await read("screenshot.png")]
  const bytesOf = ({ content }) => Math.round((content.find(({ type }) => type === "image").data.length * 3) / 4)
  const delay = await eventLoopDelay()
  await report("images", {
    title: "Images: through the tool beside sharp in-process, medians of 7, alternating",
    rows: [
      row("3,000 x 2,000 JPEG, less start and transfer / sharp in-process", "photo"),
      row("2,880 x 1,800 screenshot, likewise", "screenshot"),
      { what: "start and end of an image's process", value: times["sending nothing"].median, unit: " ms" },
      {
        what: "event-loop delay p99 while images are read / idle",
        ours: milliseconds(delay.busy),
        other: milliseconds(delay.idle),
        value: delay.busy / delay.idle,
        bar: 4,
      },
    ],
    notes: [
      `The photo: ${photo.length} bytes in, ${bytesOf(shownPhoto)} out; by sharp ${(await resized(photo).jpeg({ quality: 85 }).toBuffer()).length}.`,
      `The screenshot: ${screenshot.length} bytes in, ${bytesOf(shownScreen)} out; by sharp ${(await resized(screenshot).png().toBuffer()).length}.`,
    ],
  })
} finally {
  await documentExtractor.close()
  await rm(folder, { recursive: true, force: true })
}

function read(name) {
  return tool.execute("1", { path: name }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
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

async function eventLoopDelay() {
  const delayWhile = async (work) => {
    const histogram = monitorEventLoopDelay({ resolution: 1 })
    histogram.enable()
    await work()
    histogram.disable()
    return histogram.percentile(99) / 1e6
  }
  const [idle, busy] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await delayWhile(() => wait(500)))
    busy.push(await delayWhile(() => read("photo.jpg")))
  }
  return { idle: median(idle), busy: median(busy) }
}
