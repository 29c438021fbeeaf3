import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { expect, test } from "vitest"
import { createReadServer } from "../../src/mcp/read-server.ts"
import type { ReadSession } from "../../src/mcp/read-session.ts"

async function connected(read: ReadSession["read"]): Promise<{ client: Client; close: () => Promise<void> }> {
  const server = createReadServer({ description: "Reads.", read, close: async () => {} })
  const client = new Client({ name: "test", version: "1.0.0" })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  return { client, close: () => client.close() }
}

test("progress is told as growing numbers with the tool's words", async () => {
  const { client, close } = await connected(async (_parameters, onProgress) => {
    onProgress("1.0MB of 5.0MB")
    onProgress("2.0MB of 5.0MB")
    return { content: [], details: undefined, receipt: { kind: "empty", path: "/a", bytes: 0 } }
  })
  const told: unknown[] = []
  const onprogress = (progress: unknown): void => void told.push(progress)
  await client.callTool({ name: "read", arguments: { path: "a" } }, undefined, { onprogress })
  expect(told).toEqual([
    { progress: 1, message: "1.0MB of 5.0MB" },
    { progress: 2, message: "2.0MB of 5.0MB" },
  ])
  await close()
})

test.each(["a cancelled call", "a client that goes"])("%s aborts the read", async (how) => {
  let begin = (): void => {}
  const begun = new Promise<void>((settle) => {
    begin = settle
  })
  let end = (): void => {}
  const aborted = new Promise<void>((settle) => {
    end = settle
  })
  const { client, close } = await connected(
    (_parameters, _onProgress, { abortSignal }) =>
      new Promise((_settle, fail) => {
        abortSignal?.addEventListener("abort", () => {
          end()
          fail(new Error("aborted"))
        })
        begin()
      }),
  )
  const abort = new AbortController()
  const call = client.callTool({ name: "read", arguments: { path: "a" } }, undefined, { signal: abort.signal })
  const refused = expect(call).rejects.toThrow()
  await begun
  if (how === "a cancelled call") abort.abort("enough")
  else await close()
  await aborted
  await refused
  await close()
})
