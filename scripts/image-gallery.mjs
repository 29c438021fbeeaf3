/**
 * Ten images as the read tool shows them, for a person to look at: `node scripts/image-gallery.mjs FOLDER`, over the built
 * package. Writes what went in and what came out, and prints the words that came with it.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv } from "../out/main/index.js"
import { createNodeDocumentExtractor } from "../out/main/node.js"

const folder = process.argv[2]
if (folder === undefined) {
  console.error("Usage: node scripts/image-gallery.mjs FOLDER")
  process.exit(2)
}
await mkdir(folder, { recursive: true })

const svg = (width, height, body) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`))
const lines = (colour, background) => {
  const rows = Array.from({ length: 40 }, (_, row) => {
    const text = `${row + 1}  const value${row} = await read(path, { offset: ${row * 50} }) // line ${row}`
    return `<text x="40" y="${60 + row * 42}" font-family="monospace" font-size="28" fill="${colour}">${text}</text>`
  })
  return `<rect width="100%" height="100%" fill="${background}"/>${rows.join("")}`
}
const bars = Array.from(
  { length: 12 },
  (_, n) =>
    `<rect x="${80 + n * 150}" y="${900 - n * 60}" width="100" height="${n * 60 + 40}" fill="hsl(${n * 30},70%,50%)"/>`,
)
const arrow = `<rect width="100%" height="100%" fill="#eef"/><path d="M300 60 L500 260 H380 V540 H220 V260 H100 Z" fill="#c33"/>
  <text x="200" y="590" font-family="sans-serif" font-size="40">up</text>`
const photo = async (width, height) => {
  const raw = Buffer.alloc(width * height * 3)
  let state = 7
  for (let at = 0; at < raw.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const grain = (state >>> 27) - 16
    raw[at] = 120 + 90 * Math.sin(x / 211) + grain
    raw[at + 1] = 110 + 80 * Math.cos(y / 173) + grain
    raw[at + 2] = 130 + 70 * Math.sin((x + y) / 300) + grain
  }
  return sharp(raw, { raw: { width, height, channels: 3 } })
}
const frames = await Promise.all(
  ["#c33", "#3c3", "#33c"].map((fill) =>
    svg(300, 200, `<rect width="300" height="200" fill="${fill}"/><text x="90" y="120" font-size="60">frame</text>`)
      .raw()
      .toBuffer(),
  ),
)
const upright = await svg(600, 600, arrow).jpeg().toBuffer()
/** Stored so that it is upright once it was turned. sharp mirrors before it rotates, in whatever order it is told. */
const turned = async (orientation) => {
  const image = sharp(upright).rotate([0, 0, 180, 0, 270, 270, 90, 90][orientation - 1])
  const stored = orientation === 4 ? image.flip() : image.flop([2, 5, 7].includes(orientation))
  return [`turned-${orientation}.jpg`, await stored.withMetadata({ orientation }).jpeg().toBuffer()]
}

const images = {
  "photo.jpg": await (await photo(3000, 2000)).jpeg({ quality: 90 }).toBuffer(),
  "screenshot-light.png": await svg(2880, 1800, lines("#222", "#ffffff")).png().toBuffer(),
  "screenshot-dark.png": await svg(2880, 1800, lines("#d4d4d4", "#1e1e1e")).png().toBuffer(),
  "scan.png": await svg(2480, 3508, lines("#333", "#fbfaf5")).greyscale().png().toBuffer(),
  "chart.png": await svg(1920, 1000, `<rect width="100%" height="100%" fill="white"/>${bars.join("")}`)
    .png()
    .toBuffer(),
  ...Object.fromEntries(await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(turned))),
  "transparent.png": await svg(2400, 800, `<circle cx="1200" cy="400" r="380" fill="#06c" fill-opacity="0.6"/>`)
    .png()
    .toBuffer(),
  "animation.gif": await sharp(Buffer.concat(frames), {
    raw: { width: 300, height: 600, channels: 4, pageHeight: 200 },
  })
    .gif()
    .toBuffer(),
}

const env = new NodeExecutionEnv({ cwd: folder })
const documentExtractor = createNodeDocumentExtractor()
const tool = createReadTool({ documentExtractor })
for (const [name, bytes] of Object.entries(images)) {
  await writeFile(join(folder, name), bytes)
  const { content } = await tool.execute("1", { path: name }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
  const shown = content.find(({ type }) => type === "image")
  console.log(`${name} (${bytes.length} bytes): ${content[0].text.replaceAll("\n", " ")}`)
  if (shown === undefined) continue
  const data = Buffer.from(shown.data, "base64")
  const file = `shown-${name.split(".")[0]}.${shown.mimeType.split("/")[1]}`
  await writeFile(join(folder, file), data)
  console.log(`  -> ${file}, ${data.length} bytes`)
}
await documentExtractor.close()
