import { BACKGROUND_CONTEXT, type ExecutionEnv, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import { NodeExecutionEnv } from "../main/fs/node-execution-env.ts"
import { createNodeDocumentExtractor, type NodeDocumentExtractor } from "../main/node.ts"
import type { ReadToolInput } from "../main/tools/parameters.ts"
import { createReadTool } from "../main/tools/read.ts"
import type { ReadDetails, ReadReceipt, ReadResult } from "../main/tools/read-result.ts"
import type { ReadToolOptions } from "../main/tools/read-tool-options.ts"

export interface PiExtensionOptions extends ReadToolOptions {
  /** What the tool may reach from a session's working directory. Everything that the user may read, by default. */
  env?: (cwd: string) => ExecutionEnv | Promise<ExecutionEnv>
}

/** A read as pi stores it: what its own renderer looks for in `details`, and the facts of the receipt beside it. */
export interface PiReadResult {
  content: ReadResult["content"]
  details: NonNullable<ReadDetails> & { receipt: ReadReceipt }
  structuredContent: PiStructuredContent
}

/** What pi's own read tool hands to scripts: the text, or an image with the words that go with it. */
export type PiStructuredContent = string | { type: "image"; data: string; mimeType: string; note: string }

/** The part of pi's `ToolDefinition` that this extension fills in. */
export interface PiReadTool {
  name: string
  label: string
  description: string
  promptSnippet: string
  promptGuidelines: string[]
  parameters: Record<string, unknown>
  outputSchema: Record<string, unknown>
  annotations: { readOnlyHint: boolean; openWorldHint: boolean }
  execute(
    toolCallId: string,
    params: ReadToolInput,
    signal: AbortSignal | undefined,
    onUpdate: ((partial: { content: ReadResult["content"]; details: ReadDetails }) => void) | undefined,
    context: { cwd: string },
  ): Promise<PiReadResult>
}

/** The part of pi's `ExtensionAPI` that this extension calls. */
export interface PiExtensionApi {
  registerTool(tool: PiReadTool): void
}

/** An extension for pi that replaces its `read` tool, with options of the host. */
export function createPiExtension(options: PiExtensionOptions = {}): (pi: PiExtensionApi) => void {
  return (pi) => pi.registerTool(createPiReadTool(options))
}

/** The tool that {@link createPiExtension} registers. */
export function createPiReadTool(options: PiExtensionOptions = {}): PiReadTool {
  const { env: envFor = (cwd: string) => new NodeExecutionEnv({ cwd }), ...readOptions } = options
  const tool = createReadTool(readOptions)
  return {
    name: tool.name,
    label: tool.label,
    description: tool.description,
    promptSnippet: "Read file contents: text of any size, images, documents",
    promptGuidelines: ["Use read to examine files instead of cat or sed."],
    parameters: tool.parameters,
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true, openWorldHint: false },
    async execute(toolCallId, params, signal, onUpdate, { cwd }) {
      const context = signal === undefined ? BACKGROUND_CONTEXT : withAbortSignal(signal, BACKGROUND_CONTEXT)
      const toolContext = { env: await envFor(cwd) }
      const { content, details, receipt } = await tool.execute(
        toolCallId,
        params,
        onUpdate,
        toolContext,
        undefined,
        context,
      )
      return { content, details: { ...details, receipt }, structuredContent: structuredContentOf(content) }
    },
  }
}

function structuredContentOf(content: ReadResult["content"]): PiStructuredContent {
  const note = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
  const image = content.find((block) => block.type === "image")
  return image === undefined ? note : { type: "image", data: image.data, mimeType: image.mimeType, note }
}

const OUTPUT_SCHEMA = {
  anyOf: [
    { type: "string" },
    {
      type: "object",
      properties: {
        type: { const: "image" },
        data: { type: "string" },
        mimeType: { type: "string" },
        note: { type: "string" },
      },
      required: ["type", "data", "mimeType", "note"],
    },
  ],
}

export { createReadTool }

let documentExtractor: NodeDocumentExtractor | undefined

/**
 * The extension as pi loads it: with documents, in child processes that all of its sessions share and that end with pi.
 * Nothing is made of it before pi asks.
 */
export default function piExtension(pi: PiExtensionApi): void {
  documentExtractor ??= createNodeDocumentExtractor()
  createPiExtension({ documentExtractor })(pi)
}
