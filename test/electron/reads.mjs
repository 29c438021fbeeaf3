import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readdirSync, readlinkSync } from "node:fs"
import { mkdir, mkdtemp, open, realpath, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** @typedef {import("./cases.d.mts").Host} Host */

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const LINE = "one line of the log"
const LINES = 5_000_000
/** More than any disk reads in the time that a call counts lines; it takes none of the disk. */
const SPARSE_BYTES = 400 * 1024 ** 3

/** The tool as an app in Electron has it: over `original-fs` and utility processes, and here within one folder. */
async function within(host, use) {
  const { createReadTool, NodeExecutionEnv, ScopedExecutionEnv, BACKGROUND_CONTEXT, withAbortSignal } = host.library
  const folder = await realpath(await mkdtemp(join(tmpdir(), "electron-reads-")))
  const root = join(folder, "root")
  await mkdir(root)
  const documentExtractor = host.createExtractor({ maxSpares: 0, limits: { documentDeadlineMs: 60_000 } })
  const tool = createReadTool({ documentExtractor, shell: false })
  const inner = new NodeExecutionEnv({ cwd: root, fs: host.fs })
  const scoped = await ScopedExecutionEnv.create(inner, { root })
  assert.ok(scoped.ok)
  const read = (parameters, { signal, onUpdate } = {}) => {
    const context = signal === undefined ? BACKGROUND_CONTEXT : withAbortSignal(signal, BACKGROUND_CONTEXT)
    return tool.execute("1", parameters, onUpdate, { env: scoped.value }, undefined, context)
  }
  try {
    await use({ read, root, folder })
  } finally {
    await documentExtractor.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether this process has a file of that name open, as the kernel tells; false where it does not. */
function isOpen(name) {
  if (process.platform !== "linux") return false
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(`/${name}`)
    } catch {
      // The descriptor by which the folder itself was listed.
      return false
    }
  })
}

/** What every host of the read tool must show, through Electron's own file functions and processes. */
export const READS = [
  {
    title: "a text file is read",
    run: (host) =>
      within(host, async ({ read, root }) => {
        await writeFile(join(root, "hello.txt"), "hello\nworld\n")
        const { content, receipt } = await read({ path: "hello.txt" })
        assert.deepEqual(content, [{ type: "text", text: "hello\nworld\n" }])
        assert.equal(receipt.path, join(root, "hello.txt"))
      }),
  },
  {
    title: "a log of 100 MB is read by offset",
    run: (host) =>
      within(host, async ({ read, root }) => {
        const log = await open(join(root, "big.log"), "w")
        const part = `${LINE}\n`.repeat(LINES / 100)
        for (let written = 0; written < 100; written++) await log.write(part)
        await log.close()
        const { content } = await read({ path: "big.log", offset: 4_000_001, limit: 2 })
        const left = "[999999 more lines in file. Use offset=4000003 to continue.]"
        assert.equal(content[0].text, `${LINE}\n${LINE}\n\n${left}`)
      }),
  },
  {
    title: "an image is shown",
    run: (host) =>
      within(host, async ({ read, root }) => {
        await writeFile(join(root, "pixel.png"), Buffer.from(PIXEL, "base64"))
        const { content, receipt } = await read({ path: "pixel.png" })
        assert.equal(receipt.kind, "image")
        assert.deepEqual(content[1], { type: "image", data: PIXEL, mimeType: "image/png" })
      }),
  },
  {
    title: "a PDF is read by the tool",
    run: (host) =>
      within(host, async ({ read, root }) => {
        await writeFile(join(root, "paper.pdf"), host.pdf)
        const { content, receipt } = await read({ path: "paper.pdf" })
        assert.match(content[0].text, /^--- page 1 of 1 ---\nHello, world/)
        assert.equal(receipt.document.read, true)
      }),
  },
  {
    title: "a FIFO is refused by its kind",
    run: (host) =>
      within(host, async ({ read, root }) => {
        if (process.platform === "win32") return
        execFileSync("mkfifo", [join(root, "fifo")])
        const message = `Not a regular file: ${join(root, "fifo")} (FIFO)`
        await assert.rejects(read({ path: "fifo" }), { code: "invalid", message })
      }),
  },
  {
    title: "a missing file is told with its near name",
    run: (host) =>
      within(host, async ({ read, root }) => {
        await writeFile(join(root, "hello.txt"), "hello\n")
        const message = /^No such file or directory: .*Similar names in that folder: "hello\.txt"$/
        await assert.rejects(read({ path: "helo.txt" }), { code: "not_found", message })
      }),
  },
  {
    title: "a file outside of the root is refused",
    run: (host) =>
      within(host, async ({ read, folder }) => {
        await writeFile(join(folder, "outside.txt"), "outside")
        const message = `Outside the folders that may be read: ${join(folder, "outside.txt")}`
        await assert.rejects(read({ path: "../outside.txt" }), { code: "permission_denied", message })
      }),
  },
  {
    title: "an abort ends a read that is under way, and its file is closed",
    run: (host) =>
      within(host, async ({ read, root }) => {
        await writeFile(join(root, "huge.log"), `${LINE}\n`.repeat(1_000))
        await truncate(join(root, "huge.log"), SPARSE_BYTES)
        const abort = new AbortController()
        let wasOpen = false
        const onUpdate = ({ content: [{ text }] }) => {
          if (!text.startsWith("Reading ")) return
          wasOpen = isOpen("huge.log")
          abort.abort()
        }
        const call = read({ path: "huge.log", offset: 1_000_000_000 }, { signal: abort.signal, onUpdate })
        await assert.rejects(call, { code: "aborted" })
        if (process.platform === "linux") assert.equal(wasOpen, true)
        while (isOpen("huge.log")) await new Promise((resolve) => setTimeout(resolve, 10))
      }),
  },
]
