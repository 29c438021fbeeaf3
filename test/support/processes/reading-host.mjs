// A host that reads the document at argv[3] with the package built beside argv[2], says which processes it has, and
// then does what argv[4] says: "ends" lets its event loop run empty, "stays" waits to be killed.
import { readFileSync } from "node:fs"

const [entry, path, then] = process.argv.slice(2)
const { createNodeDocumentExtractor } = await import(new URL("node.js", `file://${entry}`))
const bytes = new Uint8Array(readFileSync(path))
const reader = {
  info: { path, size: bytes.length, mtimeMs: 0, identity: "0:0" },
  read: async (position, length) => ({ ok: true, value: bytes.slice(position, position + length) }),
  close: async () => undefined,
}
const context = { abortSignal: undefined, value: () => undefined, toString: () => "host" }
const extractor = createNodeDocumentExtractor({ limits: { documentDeadlineMs: 60_000 } })
const reading = extractor.extract({ kind: "pdf", reader, images: then === "stays" }, context)
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`)
if (then === "stays") {
  setInterval(() => say({ pids: extractor.processIds }), 50)
} else {
  const read = await reading
  say({ pages: read.value.pages.length, notRead: read.value.notRead })
  if (then === "crashes") {
    setInterval(() => {
      if (extractor.processIds.length > 0) {
        say({ pids: extractor.processIds })
        process.abort()
      }
    }, 20)
  }
}
