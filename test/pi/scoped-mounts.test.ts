import { spawn } from "node:child_process"
import { once } from "node:events"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { EVERY_READ } from "../support/every-read.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { INSIDE_TEXT, makeScopeFolders } from "../support/scope-folders.ts"

let folders: ScopeFolders
beforeEach(async () => {
  folders = await makeScopeFolders()
})
afterEach(() => folders.remove())

/** A process to which the root's path means another folder, as in a container. `undefined` where it may not be made. */
async function startWithOtherRoot(): Promise<{ pid: number; stop(): Promise<unknown> } | undefined> {
  const script = 'mount -t tmpfs none "$0" && printf OUTSIDE-SECRET > "$0/in.txt" && echo ready && exec sleep 600'
  const child = spawn("unshare", ["--mount", "sh", "-c", script, folders.root], { stdio: ["ignore", "pipe", "ignore"] })
  const first = await Promise.race([once(child.stdout, "data"), once(child, "exit"), once(child, "error")])
  if (!String(first[0]).startsWith("ready") || child.pid === undefined) return undefined
  const { pid } = child
  return {
    pid,
    stop: () => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      return ended
    },
  }
}

test("A file that has a path of the root in another mount namespace is not one of the root", async ({ skip }) => {
  const other = await startWithOtherRoot()
  if (other === undefined) return skip("needs the right to make a mount namespace")
  try {
    const env = getOrThrow(
      await ScopedExecutionEnv.create(new NodeExecutionEnv({ cwd: folders.root }), { root: folders.root }),
    )
    const there = `/proc/${other.pid}/root${folders.root}`
    await symlink(there, join(folders.root, "l"))
    for (const path of [`${there}/in.txt`, "l/in.txt"]) {
      for (const [verb, read] of Object.entries(EVERY_READ)) {
        const result = await read(env, path, context)
        expect({ path, verb, code: result.ok ? result.value : result.error.code }).toEqual({
          path,
          verb,
          code: "permission_denied",
        })
      }
    }
    for (let i = 0; i < 2; i++) expect(getOrThrow(await env.readTextFile("in.txt", context))).toBe(INSIDE_TEXT)
  } finally {
    await other.stop()
  }
})
