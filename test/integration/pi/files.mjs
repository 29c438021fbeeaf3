import { execFileSync } from "node:child_process"
import { mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const CONTENT = "BT /F1 12 Tf 72 720 Td (Hello, world) Tj ET"
/** Without a cross-reference table, which readers then make themselves. */
const PDF = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length ${CONTENT.length} >> stream
${CONTENT}
endstream endobj
trailer << /Root 1 0 R >>
`

/** Each line of `big.log`, without its end, and how many there are: 100 MB. */
export const LINE = "one line of the log"
export const LINES = 5_000_000
/** More than any disk reads in the time that a call counts lines; it takes none of the disk. */
const SPARSE_BYTES = 400 * 1024 ** 3

/** A folder with one file of each kind that a host must cope with; the caller removes it. */
export async function makeFiles() {
  const folder = await mkdtemp(join(tmpdir(), "bounded-read-pi-"))
  await writeFile(join(folder, "hello.txt"), "hello\nworld\n")
  await writeFile(join(folder, "pixel.png"), Buffer.from(PIXEL, "base64"))
  await writeFile(join(folder, "false.pdf"), "%PDF-1.7 not really")
  await writeFile(join(folder, "paper.pdf"), PDF)
  await writeLog(join(folder, "big.log"))
  await writeFile(join(folder, "huge.log"), `${LINE}\n`.repeat(1_000))
  await truncate(join(folder, "huge.log"), SPARSE_BYTES)
  execFileSync("mkfifo", [join(folder, "fifo")])
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) }
}

async function writeLog(path) {
  const log = await open(path, "w")
  const part = `${LINE}\n`.repeat(LINES / 100)
  for (let written = 0; written < 100; written++) await log.write(part)
  await log.close()
}
