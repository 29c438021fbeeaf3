import { execFileSync } from "node:child_process"
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A folder with one file of each kind that a host must cope with; the caller removes it. */
export async function makeFiles() {
  const folder = await mkdtemp(join(tmpdir(), "bounded-read-pi-"))
  await writeFile(join(folder, "hello.txt"), "hello\nworld\n")
  await writeFile(join(folder, "pixel.png"), Buffer.from(PIXEL, "base64"))
  await writeFile(join(folder, "paper.pdf"), "%PDF-1.7 not really")
  await writeFile(join(folder, "big.log"), "one line of the log\n".repeat(5_000))
  await truncate(join(folder, "big.log"), 100 * 1024 * 1024)
  execFileSync("mkfifo", [join(folder, "fifo")])
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) }
}
