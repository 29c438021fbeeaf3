/**
 * 1,000 documents in a row through one extractor, every tenth of them drawn too: `node bench/soak/documents.mjs [count]`. Prints the host's memory and
 * open descriptors on the way; exits with 1 where the second half is not flat.
 */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createNodeDocumentExtractor } from "../../out/main/node.js"
import { CONTEXT, openReader, prose, textPdf } from "../support/documents.mjs"

const count = Number(process.argv[2] ?? 1_000)
const folder = await mkdtemp(join(tmpdir(), "bounded-read-soak-"))
const extractor = createNodeDocumentExtractor()
const path = join(folder, "a.pdf")
await writeFile(path, textPdf([prose(50), ["A page that is drawn"]]))

async function openDescriptors() {
  return (await readdir("/proc/self/fd").catch(() => [])).length
}

const samples = []
const started = Date.now()
for (let i = 1; i <= count; i++) {
  const reader = await openReader(path)
  const images = i % 10 === 0
  const read = await extractor.extract({ kind: "pdf", reader, images }, CONTEXT)
  await reader.close()
  if ((read.value?.pages[1]?.image !== undefined) !== images)
    throw new Error(`Document ${i}: ${JSON.stringify(read.value?.notRead)}`)
  if (i % Math.max(1, Math.floor(count / 10)) === 0) {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    samples.push({ i, rss, heapUsed, external, descriptors: await openDescriptors() })
    const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
    console.log(
      `${i}: rss ${mb(rss)}, heap ${mb(heapUsed)}, external ${mb(external)}, descriptors ${samples.at(-1).descriptors}, processes ${extractor.processIds.length}, ${Date.now() - started} ms`,
    )
  }
}
await extractor.close()
await rm(folder, { recursive: true, force: true })
const [middle, last] = [samples[Math.floor(samples.length / 2)], samples.at(-1)]
const grown = last.rss - middle.rss
console.log(
  `From the middle to the end: rss ${(grown / 1e6).toFixed(1)} MB, descriptors ${last.descriptors - middle.descriptors}`,
)
if (grown > 20e6 || last.descriptors - middle.descriptors > 4) process.exitCode = 1
