import assert from "node:assert/strict"
import { readdirSync, readlinkSync } from "node:fs"
import { after, before, describe, it } from "node:test"
import { LINE, LINES, makeFiles, PIXEL } from "./files.mjs"

/**
 * What every host of the read tool must show. `start(folder)` answers `read(args)`, which has the agent call the tool once
 * and answers the tool's result as the agent stored it, `abortedRead(args, isUnderWay)`, which aborts the agent at the
 * first progress for whose text `isUnderWay` answers true and answers the agent's word for how it ended, and `stop()`.
 */
export function describeHost(title, start) {
  describe(title, () => {
    let files
    let host
    before(async () => {
      files = await makeFiles()
      host = await start(files.folder)
    })
    after(async () => {
      await host?.stop()
      await files?.dispose()
    })

    it("reads a text file", async () => {
      const result = await host.read({ path: "hello.txt" })
      assert.equal(result.isError, false)
      assert.deepEqual(result.content, [{ type: "text", text: "hello\nworld\n" }])
    })

    it("continues in a log of 100 MB by offset", async () => {
      const { content } = await host.read({ path: "big.log", offset: 4_000_001, limit: 2 })
      const left = `[${LINES - 4_000_001} more lines in file. Use offset=4000003 to continue.]`
      assert.equal(content[0].text, `${LINE}\n${LINE}\n\n${left}`)
    })

    it("shows an image", async () => {
      const { content } = await host.read({ path: "pixel.png" })
      assert.equal(content[0].text, "Read image file [image/png]")
      assert.deepEqual(content[1], { type: "image", data: PIXEL, mimeType: "image/png" })
    })

    it("reads a PDF", async () => {
      const { content, isError } = await host.read({ path: "paper.pdf" })
      assert.equal(isError, false)
      assert.match(content[0].text, /^--- page 1 of 1 ---\nHello, world/)
    })

    it("says why a PDF is not shown", async () => {
      const { content, isError } = await host.read({ path: "false.pdf" })
      assert.equal(isError, false)
      assert.match(content[0].text, /^\[PDF \(19B\), not shown: /)
    })

    for (const [what, path, words] of [
      ["a FIFO", "fifo", /Not a regular file: .*fifo/],
      ["a missing file and its near name", "helo.txt", /"hello\.txt"/],
      ["a file outside of the root", "/etc/hostname", /Outside the folders/],
    ]) {
      it(`refuses ${what}`, async () => {
        const { content, isError } = await host.read({ path })
        assert.equal(isError, true)
        assert.match(content[0].text, words)
      })
    }

    it("stops a read that is under way at an abort, and closes its file", async () => {
      let wasOpen = false
      const isUnderWay = (text) => {
        if (text.startsWith("Reading ")) wasOpen = isOpen("huge.log")
        return text.startsWith("Reading ")
      }
      const outcome = await host.abortedRead({ path: "huge.log", offset: 1_000_000_000 }, isUnderWay)
      assert.match(outcome, /abort/i)
      if (process.platform === "linux") assert.equal(wasOpen, true)
      while (isOpen("huge.log")) await new Promise((resolve) => setTimeout(resolve, 10))
      const { content } = await host.read({ path: "hello.txt" })
      assert.equal(content[0].text, "hello\nworld\n")
    })
  })
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
