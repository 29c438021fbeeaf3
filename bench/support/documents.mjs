import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { fileURLToPath } from "node:url"

export const BUILT = fileURLToPath(new URL("../../out/main/", import.meta.url))
export const CONTEXT = { abortSignal: undefined, value: () => undefined, toString: () => "bench" }

/** A PDF of these pages of lines in a standard font, and so many bytes of a stream that nothing asks for. */
export function textPdf(pages, ballastBytes = 0) {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
  const kids = pages.map((lines) => {
    const content = `BT /F1 10 Tf 12 TL 40 760 Td ${lines.map((line) => `(${line}) Tj T*`).join("\n")} ET`
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${font} >> /Contents ${objects.length} 0 R >>`,
    )
    return `${objects.length} 0 R`
  })
  objects[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(" ")}] >>`
  if (ballastBytes > 0) objects.push(`<< /Length ${ballastBytes} >>\nstream\n${"x".repeat(ballastBytes)}\nendstream`)
  const parts = ["%PDF-1.7\n"]
  const offsets = []
  let at = parts[0].length
  for (const [i, body] of objects.entries()) {
    offsets.push(at)
    const text = `${i + 1} 0 obj\n${body}\nendobj\n`
    parts.push(text)
    at += text.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`)
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`)
  return Buffer.from(parts.join(""), "latin1")
}

/** Lines that differ from each other, some 90 characters each. */
export function prose(lines, seed = 1) {
  const words = "the quick brown fox jumps over a lazy dog while bounded reads hold every promise made".split(" ")
  return Array.from({ length: lines }, (_, line) =>
    Array.from(
      { length: 15 },
      (_, word) => words[createHash("md5").update(`${seed} ${line} ${word}`).digest()[0] % words.length],
    ).join(" "),
  )
}

/** A reader of a file, as an environment opens one. */
export async function openReader(path) {
  const handle = await open(path)
  const { size, mtimeMs, dev, ino } = await handle.stat()
  return {
    info: { path, size, mtimeMs, identity: `${dev}:${ino}` },
    read: async (position, length, _context, into = new Uint8Array(length)) => {
      const { bytesRead } = await handle.read(into, 0, Math.min(length, into.length), position)
      return { ok: true, value: into.subarray(0, bytesRead) }
    },
    close: () => handle.close(),
  }
}

/** The folder of real files beside the repository; undefined where it is not there. */
export function realFiles() {
  for (const up of ["../../../shared/pdf/", "../../../../shared/pdf/"]) {
    const folder = fileURLToPath(new URL(up, import.meta.url))
    if (existsSync(`${folder}manifest.json`)) {
      return JSON.parse(readFileSync(`${folder}manifest.json`, "utf8")).map((entry) => ({
        ...entry,
        path: `${folder}${entry.file}`,
      }))
    }
  }
  return undefined
}

/** The words of a text, however they were cut: normalized, hyphens at line ends joined, CJK by the character. */
function bagOf(text) {
  const joined = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(\p{L})[-\u00ad]\n\s*(\p{L})/gu, "$1$2")
  const words =
    joined.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}]+/gu) ?? []
  const bag = new Map()
  for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1)
  return { bag, size: words.length }
}

export function wordCount(text) {
  return bagOf(text).size
}

/** F1 of the words of `text` against those of `reference`, order left aside. */
export function bagOfWordsF1(text, reference) {
  const [ours, theirs] = [bagOf(text), bagOf(reference)]
  let common = 0
  for (const [word, count] of ours.bag) common += Math.min(count, theirs.bag.get(word) ?? 0)
  return ours.size + theirs.size === 0 ? 1 : (2 * common) / (ours.size + theirs.size)
}
