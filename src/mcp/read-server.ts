import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js"
import packageFacts from "../../package.json" with { type: "json" }
import { BACKGROUND_CONTEXT, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import type { ReadResult } from "../main/tools/read-result.ts"
import { INPUT_SCHEMA, OUTPUT_SCHEMA } from "./read-schemas.ts"
import type { ReadSession } from "./read-session.ts"

/**
 * An MCP server of one tool, `read`, not yet connected. A failed read is a result with `isError`, for the model to act
 * on; a cancelled call aborts the read and gets no answer. Closing the server aborts what is under way.
 */
export function createReadServer(session: ReadSession): Server {
  const server = new Server({ name: packageFacts.name, version: packageFacts.version }, { capabilities: { tools: {} } })

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      {
        name: "read",
        title: "Read a file",
        description: session.description,
        inputSchema: INPUT_SCHEMA,
        outputSchema: OUTPUT_SCHEMA,
        annotations: { title: "Read a file", readOnlyHint: true, openWorldHint: false },
      },
    ],
  }))

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    if (params.name !== "read")
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}, only read`)
    const progressToken = _meta?.progressToken
    let progress = 0
    const onProgress = (message: string): void => {
      if (progressToken === undefined || signal.aborted) return
      progress += 1
      const notification = { method: "notifications/progress" as const, params: { progressToken, progress, message } }
      // A client that has gone is told by its own request, not by this one.
      sendNotification(notification).catch(() => {})
    }
    try {
      return toolResult(
        await session.read(params.arguments ?? {}, onProgress, withAbortSignal(signal, BACKGROUND_CONTEXT)),
      )
    } catch (error) {
      return {
        isError: true,
        content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }],
      }
    }
  })
  return server
}

function toolResult({ content, receipt }: ReadResult): CallToolResult {
  return { content, structuredContent: { ...receipt } }
}
