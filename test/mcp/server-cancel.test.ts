import { mkdtemp, realpath, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Progress } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, expect, test } from "vitest"
import { until } from "../support/document-extraction.ts"
import { type McpServerUnderTest, startMcpServer } from "../support/mcp-server.ts"
import { openDescriptors } from "../support/open-descriptors.ts"

/** More than any disk reads in the time that a call counts lines; it takes none of the disk. */
const SPARSE_BYTES = 400 * 1024 ** 3
const FAR_LINE = 1_000_000_000

let root: string
let server: McpServerUnderTest

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "bounded-read-mcp-cancel-")))
  await writeFile(join(root, "a.txt"), "one\ntwo\n")
  await writeFile(join(root, "huge.log"), "a line of the log\n".repeat(1_000))
  await truncate(join(root, "huge.log"), SPARSE_BYTES)
  server = await startMcpServer([root], root)
})

afterAll(async () => {
  await server?.close()
  await rm(root, { recursive: true, force: true })
})

const hugeFileIsOpen = (): boolean => openDescriptors(server.pid).some((name) => name.endsWith("/huge.log"))

/** A read that would count to its deadline, cancelled by whoever hears of its progress. */
async function cancelledRead(cancelAfter: (told: Progress[]) => boolean): Promise<{ told: Progress[]; open: boolean }> {
  const abort = new AbortController()
  const told: Progress[] = []
  let open = false
  const onprogress = (progress: Progress): void => {
    told.push(progress)
    if (!cancelAfter(told)) return
    open = hugeFileIsOpen()
    abort.abort("enough")
  }
  const call = server.read({ path: "huge.log", offset: FAR_LINE }, { signal: abort.signal, onprogress })
  await expect(call).rejects.toThrow("enough")
  return { told, open }
}

/** Of a call that has begun to read: on a machine that is busy the first word may be that the file is opened. */
const readingOf = (told: readonly Progress[]): Progress[] =>
  told.filter(({ message }) => message?.startsWith("Reading"))

test("a read that is under way ends when it is cancelled, its file is closed, and the next is answered", async () => {
  const { told, open } = await cancelledRead((progress) => readingOf(progress).length > 0)
  expect(told.at(-1)?.message).toMatch(/^Reading huge\.log: \d+\.\dMB of 409600\.0MB$/)
  if (process.platform === "linux") expect(open).toBe(true)
  await until(() => !hugeFileIsOpen())
  expect(await server.read({ path: "a.txt" })).toMatchObject({ content: [{ text: "one\ntwo\n" }] })
})

test("as many reads as there are turns, cancelled, leave the turns to the next", async () => {
  await Promise.all([1, 2, 3, 4].map(() => cancelledRead(() => true)))
  await until(() => !hugeFileIsOpen())
  expect(await server.read({ path: "a.txt", offset: 2 })).toMatchObject({ content: [{ text: "two\n" }] })
})

test("progress comes from the process in ascending numbers, further into the file each time", async () => {
  const { told } = await cancelledRead((progress) => readingOf(progress).length === 3)
  expect(told.map(({ progress }) => progress)).toEqual(told.map((_, i) => i + 1))
  const read = readingOf(told).map(({ message }) => Number(/: ([\d.]+)MB of /.exec(message ?? "")?.[1]))
  expect(read.every((megabytes, i) => megabytes > (read[i - 1] ?? 0))).toBe(true)
})

test("a cancelled call is never answered", async () => {
  await cancelledRead(() => true)
  await until(() => !hugeFileIsOpen())
  await server.read({ path: "a.txt" })
  expect(server.said()).not.toContain("Aborted")
  expect(server.said()).not.toContain('"isError":true')
})
