// A host for one measurement: `read <pdf>` reads one page with the package, `fork` forks an empty child and waits for
// its first message. Both end as soon as they are done.
import { fork } from "node:child_process"

const [what, path] = process.argv.slice(2)
if (what === "read") {
  const { createNodeDocumentExtractor } = await import("../../out/main/node.js")
  const { CONTEXT, openReader } = await import("./documents.mjs")
  const reader = await openReader(path)
  const extractor = createNodeDocumentExtractor()
  const read = await extractor.extract({ kind: "pdf", reader, images: false }, CONTEXT)
  if (read.value?.pages[0]?.text.length === 0 || read.value?.notRead !== undefined) process.exitCode = 1
  process.exit()
} else {
  const child = fork(new URL("./empty-child.mjs", import.meta.url), { serialization: "advanced" })
  child.once("message", () => {
    child.kill("SIGKILL")
    process.exit()
  })
}
