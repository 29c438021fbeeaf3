import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js"
import type { CallToolResult, JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"

/** The built program, which `test/support/build-once.ts` has built before the first test. */
export const PROGRAM = join(import.meta.dirname, "../../out/main/cli.js")

/** The real server in a process of its own, and the SDK's own client connected to it. */
export interface McpServerUnderTest {
  client: Client
  pid: number
  /** Calls the tool. Throws where `structuredContent` is missing or not what the advertised output schema says. */
  read(parameters: Record<string, unknown>, options?: RequestOptions): Promise<CallToolResult>
  /** Every message that the server sent and all that it wrote to standard error, as one text. */
  said(): string
  close(): Promise<void>
}

export async function startMcpServer(roots: readonly string[], cwd: string): Promise<McpServerUnderTest> {
  const args = [PROGRAM, "mcp", ...roots.flatMap((root) => ["--root", root])]
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: "pipe" })
  let errors = ""
  transport.stderr?.on("data", (bytes: Buffer) => {
    errors += bytes.toString()
  })
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport)
  const messages: JSONRPCMessage[] = []
  const deliver = transport.onmessage
  transport.onmessage = (message) => {
    messages.push(message)
    deliver?.(message)
  }
  const { tools } = await client.listTools()
  const check = receiptCheck(tools[0]?.outputSchema ?? {})
  const { pid } = transport
  if (pid === null) throw new Error("The server has no process")
  return {
    client,
    pid,
    read: async (parameters, options) => {
      const result = (await client.callTool(
        { name: "read", arguments: parameters },
        undefined,
        options,
      )) as CallToolResult
      if (result.isError !== true) check(result.structuredContent)
      else if (result.structuredContent !== undefined) throw new Error("A failed read has structured content")
      return result
    },
    said: () => JSON.stringify(messages) + errors,
    close: () => client.close(),
  }
}

/** Throws for a receipt that breaks `schema`, or that says anything which `schema` does not name. */
export function receiptCheck(schema: object): (receipt: unknown) => void {
  const validate = new AjvJsonSchemaValidator().getValidator(closed(schema))
  return (receipt) => {
    const { valid, errorMessage } = validate(receipt)
    if (!valid) throw new Error(`Not a receipt by the output schema: ${errorMessage}\n${JSON.stringify(receipt)}`)
  }
}

/** The schema with every object of known properties held to them. */
function closed(schema: object): object {
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    typeof value === "object" && value !== null && !Array.isArray(value) ? closed(value) : value,
  ])
  return { ...Object.fromEntries(entries), ...("properties" in schema ? { additionalProperties: false } : {}) }
}
