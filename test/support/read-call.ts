import { createReadTool } from "../../src/main/tools/read.ts"
import type { ReadResult } from "../../src/main/tools/read-result.ts"
import type { ReadToolOptions } from "../../src/main/tools/read-tool-options.ts"
import { FakeClock } from "../../src/testing/fake-clock.ts"
import type { Context, ExecutionEnv } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT } from "../../vendor/pi-harness/index.ts"

export interface ReadCallOptions {
  options?: ReadToolOptions
  clock?: FakeClock
  context?: Context
  parameters?: Record<string, unknown>
}

/** One call of the read tool, as an agent makes it; the clock is the test's. */
export function callRead(env: ExecutionEnv, path: string, call: ReadCallOptions = {}): Promise<ReadResult> {
  const { options = { lineIndex: false }, clock = new FakeClock(), context = BACKGROUND_CONTEXT } = call
  const tool = createReadTool(options, clock)
  return tool.execute("call", { path, ...call.parameters }, undefined, { env }, undefined, context)
}

/** The text blocks of a result, joined. */
export function textOf(result: ReadResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`)).join("\n")
}
