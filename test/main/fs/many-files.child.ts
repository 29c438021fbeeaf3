import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import { BACKGROUND_CONTEXT } from "../../../vendor/pi-harness/index.ts"

/** Opens and reads as many files at once as it is told, and answers how often each outcome was seen. */
export default async function manyFiles(count: string): Promise<Record<string, number>> {
  const folder = fs.mkdtempSync(join(tmpdir(), "many-files-"))
  const path = join(folder, "file")
  fs.writeFileSync(path, "content\n")
  const outcomes: Record<string, number> = {}
  const readOne = async (): Promise<string> => {
    const opened = await openFileReader(path, BACKGROUND_CONTEXT)
    if (!opened.ok) return opened.error.message
    const bytes = await opened.value.read(0, 100, BACKGROUND_CONTEXT)
    await opened.value.close(BACKGROUND_CONTEXT)
    return bytes.ok ? new TextDecoder().decode(bytes.value) : bytes.error.message
  }
  for (const outcome of await Promise.all(Array.from({ length: Number(count) }, readOne))) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  fs.rmSync(folder, { recursive: true })
  return outcomes
}
