// Runs the conformance suite on the real upstream package, see vendor/pi-harness/UPSTREAM.md. Node 24 or newer.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeExecutionEnv } from "@earendil-works/pi-agent-core/node"
import { fileSystemConformance, specialFilesOnDisk } from "../../../src/testing/file-system-conformance.ts"

const create = async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "upstream-")))
  const dispose = async () => rmSync(root, { recursive: true, force: true })
  return { fileSystem: new NodeExecutionEnv({ cwd: root }), root, ...specialFilesOnDisk, dispose }
}

// Upstream waits for a FIFO, for ever.
const waits = /does not wait for it|not to a FIFO/
const failed = []
const cases = fileSystemConformance({ name: "upstream", create, skip: ["openFileReader"] })
for (const one of cases.filter(({ title }) => !waits.test(title))) {
  await one.run().catch((error) => failed.push(`${one.title}: ${String(error.message).split("\n")[0]}`))
}
console.log(`${cases.length} cases, of which fail:\n${failed.join("\n")}`)
