import { BACKGROUND_CONTEXT, type ExecutionEnv, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import type { ReadToolInput } from "../main/tools/parameters.ts"
import { createReadTool } from "../main/tools/read.ts"
import type { ReadResult } from "../main/tools/read-result.ts"
import type { ReadToolOptions } from "../main/tools/read-tool-options.ts"
import { type AiSdkVersion, type ModelOutput, modelOutput } from "./model-output.ts"
import { type StandardJsonSchema, standardJsonSchema } from "./standard-json-schema.ts"

export interface AiReadToolOptions<V extends AiSdkVersion> extends ReadToolOptions {
  /** What the tool may reach, `NodeExecutionEnv` or a guarded one. */
  env: ExecutionEnv
  /** Major version of `ai` that the tool is handed to: their image parts differ. */
  sdk: V
}

/** What the SDK says of a call, as far as the tool uses it. */
interface CallOptions {
  toolCallId: string
  abortSignal?: AbortSignal | undefined
}

/** A read as the SDK stores it in its messages: without `details`, which would hold the text a second time. */
export type AiReadOutput = Pick<ReadResult, "content" | "receipt">

/** A tool of the AI SDK, ready for `tools: { read: ... }` of `generateText` and `streamText`. */
export interface AiReadTool<V extends AiSdkVersion> {
  description: string
  inputSchema: StandardJsonSchema<ReadToolInput>
  /** Rejects on failure, which the SDK turns into a tool error that the model sees. */
  execute(input: ReadToolInput, options: CallOptions): Promise<AiReadOutput>
  /** Text and images in the shape of version {@link AiReadToolOptions.sdk}. */
  toModelOutput(options: { output: AiReadOutput }): ModelOutput<V>
}

/** The read tool for the AI SDK. Imports nothing of `ai`: the shapes are those of its public types. */
export function createAiReadTool<V extends AiSdkVersion>(options: AiReadToolOptions<V>): AiReadTool<V> {
  const { env, sdk, ...readOptions } = options
  const tool = createReadTool({ shell: false, ...readOptions })
  return {
    description: tool.description,
    inputSchema: standardJsonSchema(tool.parameters),
    async execute(input, { toolCallId, abortSignal }) {
      const context = abortSignal === undefined ? BACKGROUND_CONTEXT : withAbortSignal(abortSignal, BACKGROUND_CONTEXT)
      const { content, receipt } = await tool.execute(toolCallId, input, undefined, { env }, undefined, context)
      return { content, receipt }
    },
    toModelOutput: ({ output }) => modelOutput(output.content, sdk),
  }
}
