import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { createReadTool } from "../../../src/main/tools/read.ts"
import { BACKGROUND_CONTEXT } from "../../../vendor/pi-harness/index.ts"
import { textOf } from "../../support/read-call.ts"

/** Calls the read tool as often at once as it is told, and answers how often each outcome was seen. */
export default async function manyReads(count: string): Promise<Record<string, number>> {
  const folder = fs.mkdtempSync(join(tmpdir(), "many-reads-"))
  const files = Array.from({ length: 50 }, (_, index) => join(folder, `file${index}`))
  for (const file of files) fs.writeFileSync(file, "content\n")
  const env = new NodeExecutionEnv({ cwd: folder })
  const tool = createReadTool()
  const outcomes: Record<string, number> = {}
  const calls = Array.from({ length: Number(count) }, async (_, index): Promise<string> => {
    const path = files[index % files.length] ?? folder
    const result = tool.execute(`${index}`, { path }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
    return result.then(textOf, (error: unknown) => String(error))
  })
  for (const outcome of await Promise.all(calls)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  fs.rmSync(folder, { recursive: true })
  return outcomes
}
