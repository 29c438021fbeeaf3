import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { refusingCredentialReads } from "../../src/pi/credential-reads.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import { fileSystemConformance, specialFilesOnDisk } from "../../src/testing/file-system-conformance.ts"
import type { ExecutionEnv } from "../../vendor/pi-harness/index.ts"
import { getOrThrow } from "../../vendor/pi-harness/index.ts"

const node = (cwd: string) => new NodeExecutionEnv({ cwd })
const scoped = async (inner: ExecutionEnv, root: string) => getOrThrow(await ScopedExecutionEnv.create(inner, { root }))
const refusing = (inner: ExecutionEnv) => refusingCredentialReads(inner, { environment: {} })

/** As an environment without a way to name what it has open, on any platform but Linux. */
function withoutRealPath(inner: ExecutionEnv): ExecutionEnv {
  return new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== "openFileReader") return typeof member === "function" ? member.bind(target) : member
      const open: ExecutionEnv["openFileReader"] = async (path, context) => {
        const opened = await target.openFileReader(path, context)
        if (opened.ok) Object.assign(opened.value, { realPath: undefined })
        return opened
      }
      return open
    },
  })
}

const guarded: Readonly<Record<string, (root: string) => Promise<ExecutionEnv>>> = {
  scoped: (root) => scoped(node(root), root),
  refusing: async (root) => refusing(node(root)),
  "refusing over scoped": async (root) => refusing(await scoped(node(root), root)),
  "scoped over refusing": (root) => scoped(refusing(node(root)), root),
  "scoped twice": async (root) => scoped(await scoped(node(root), root), root),
  "refusing twice": async (root) => refusing(refusing(node(root))),
  "scoped, over what cannot name an open file": (root) => scoped(withoutRealPath(node(root)), root),
  "both, over what cannot name an open file": async (root) => refusing(await scoped(withoutRealPath(node(root)), root)),
}

describe.each(Object.entries(guarded))("An environment that is %s", (name, guard) => {
  const cases = fileSystemConformance({
    name,
    create: async () => {
      const root = await realpath(await mkdtemp(join(tmpdir(), "guard-")))
      return {
        fileSystem: await guard(root),
        arrange: node(root),
        root,
        ...specialFilesOnDisk,
        dispose: () => rm(root, { recursive: true, force: true }),
      }
    },
  })
  test.each(cases)("$title", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
