import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, before, it } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const server = fileURLToPath(new URL("../../../out/main/cli.js", import.meta.url))
const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")
const { bin } = JSON.parse(await readFile(manifest, "utf8"))
const inspector = join(dirname(manifest), typeof bin === "string" ? bin : bin["mcp-inspector"])
let folder

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounded-read-inspector-"))
  await writeFile(join(folder, "hello.txt"), "hello\nworld\n")
})
after(() => rm(folder, { recursive: true, force: true }))

/** One call of the inspector's command line, which starts the server, asks it and prints its answer. */
async function inspect(...args) {
  const command = [inspector, "--cli", process.execPath, server, "mcp", "--root", folder, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command)
  return JSON.parse(stdout)
}

it("the inspector lists the one tool, with both schemas", async () => {
  const { tools } = await inspect("--method", "tools/list")
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations.readOnlyHint, annotations.openWorldHint]),
    [["read", true, false]],
  )
  assert.deepEqual(tools[0].inputSchema.required, ["path"])
  assert.ok(tools[0].outputSchema.properties.kind)
})

it("the inspector reads a file with it", async () => {
  const args = ["--tool-arg", "path=hello.txt", "--tool-arg", "limit=1"]
  const { content, structuredContent } = await inspect("--method", "tools/call", "--tool-name", "read", ...args)
  assert.equal(content[0].text, "hello\n\n[2 more lines in file. Use offset=2 to continue.]")
  assert.equal(structuredContent.nextOffset, 2)
})

it("the inspector is told why a file outside of the root is not read", async () => {
  const args = ["--tool-arg", "path=/etc/hostname"]
  const result = await inspect("--method", "tools/call", "--tool-name", "read", ...args).catch((error) =>
    JSON.parse(error.stdout),
  )
  assert.equal(result.isError, true)
  assert.match(result.content[0].text, /Outside the folders/)
})
