import type { Context } from "./context.ts"
import type { ExecutionEnv } from "./shell.ts"

export interface TextContent {
  type: "text"
  text: string
}

/** `data` is base64. */
export interface ImageContent {
  type: "image"
  data: string
  mimeType: string
}

export interface ToolResult<TDetails> {
  content: (TextContent | ImageContent)[]
  details: TDetails
}

export type ToolUpdateCallback<TDetails> = (partial: ToolResult<TDetails>) => void

/** What the harness says of one call. Tools of this package do not look into it. */
export interface ToolInvocation {
  readonly invocationId: string
  readonly operationId: string
  readonly turnId: string
}

export interface ToolContext {
  env: ExecutionEnv
}

/** A tool as the harness calls it. `execute` throws on failure. */
export interface HarnessTool<TParams, TDetails, TResult extends ToolResult<TDetails> = ToolResult<TDetails>> {
  name: string
  label: string
  description: string
  /** JSON Schema of {@link TParams}. */
  parameters: Record<string, unknown>
  execute(
    toolCallId: string,
    params: TParams,
    onUpdate: ToolUpdateCallback<TDetails> | undefined,
    toolContext: ToolContext,
    invocation: ToolInvocation | undefined,
    context: Context,
  ): Promise<TResult>
}
