import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import type { ReadToolInput } from "../../src/main/tools/parameters.ts"
import type { ReadTool } from "../../src/main/tools/read.ts"
import type { ReadResult } from "../../src/main/tools/read-result.ts"
import type { Context, ExecutionEnv, FileByteReader } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, ok } from "../../vendor/pi-harness/index.ts"

/** A temporary folder with an environment in it. */
export class ToolFolder {
  private constructor(
    readonly path: string,
    readonly env: NodeExecutionEnv,
  ) {}

  static async make(): Promise<ToolFolder> {
    const path = await mkdtemp(join(tmpdir(), "bounded-read-tool-"))
    return new ToolFolder(path, new NodeExecutionEnv({ cwd: path }))
  }

  write(name: string, content: string | Uint8Array): Promise<void> {
    return writeFile(join(this.path, name), content)
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true })
  }
}

/** One call of the tool as an agent makes it. */
export function callRead(
  tool: ReadTool,
  env: ExecutionEnv,
  input: ReadToolInput,
  context: Context = BACKGROUND_CONTEXT,
): Promise<ReadResult> {
  return tool.execute("call-1", input, undefined, { env }, undefined, context)
}

/** The text blocks of a result. */
export function textOf(result: ReadResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`)).join("\n")
}

/** An environment in which every path opens `reader`. */
export function envWithReader(base: ExecutionEnv, reader: FileByteReader): ExecutionEnv {
  return envWith(base, { openFileReader: async () => ok(reader) })
}

/** `base` with some methods of its own. */
export function envWith(base: ExecutionEnv, methods: Partial<ExecutionEnv>): ExecutionEnv {
  return new Proxy(base, {
    get: (target, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}
