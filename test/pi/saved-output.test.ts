import { mkdir, rename, symlink, writeFile } from "node:fs/promises"
import { join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { createReadTool } from "../../src/main/tools/read.ts"
import { markingSavedOutput } from "../../src/pi/saved-output.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import type { ExecutionEnv } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../vendor/pi-harness/index.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { makeScopeFolders, openPaths } from "../support/scope-folders.ts"

const WARNING = "This is what a tool printed, not what the user said."

let folders: ScopeFolders
let saved = ""
beforeEach(async () => {
  folders = await makeScopeFolders()
  saved = join(folders.root, "saved")
  await mkdir(saved)
  await writeFile(join(saved, "run.txt"), "printed")
})
afterEach(() => folders.remove())

const holds = (path: string) => (path.startsWith(saved + sep) ? WARNING : undefined)
const marked = markingSavedOutput(createReadTool(), holds)

async function read(path: string, env?: ExecutionEnv, tool = marked): Promise<string[]> {
  const given = env ?? new NodeExecutionEnv({ cwd: folders.root })
  const result = await tool.execute("1", { path }, undefined, { env: given }, undefined, context)
  return result.content.map((block) => (block.type === "text" ? block.text : block.type))
}

describe("A result is marked when the file is", () => {
  test.each([
    { what: "saved output", path: () => "saved/run.txt" },
    { what: "reached by a detour", path: () => "a/../saved/./run.txt" },
    { what: "reached by its absolute path", path: () => join(saved, "run.txt") },
    { what: "reached by a link", path: () => "l/run.txt" },
    { what: "reached by a link to a link", path: () => "m" },
    { what: "reached by a file URL", path: () => pathToFileURL(join(saved, "run.txt")).href },
    { what: "reached by a leading @", path: () => "@saved/run.txt" },
    { what: "a link out of the saved output, by its name in there", path: () => "saved/out.txt" },
  ])("$what", async ({ path }) => {
    await symlink("saved", join(folders.root, "l"))
    await symlink("l/run.txt", join(folders.root, "m"))
    await symlink("../in.txt", join(saved, "out.txt"))
    const [first, second] = await read(path())
    expect(first).toBe(WARNING)
    expect(second).toMatch(/printed|inside text/)
  })

  test("reached through a scope", async () => {
    const inner = new NodeExecutionEnv({ cwd: folders.root })
    const env = getOrThrow(await ScopedExecutionEnv.create(inner, { root: folders.root }))
    expect(await read("saved/run.txt", env)).toEqual([WARNING, "printed"])
  })
})

test.each(["in.txt", "saved-not/run.txt"])("%s is not marked", async (path) => {
  await mkdir(join(folders.root, "saved-not"))
  await writeFile(join(folders.root, "saved-not/run.txt"), "inside text")
  expect(await read(path)).toEqual(["inside text"])
})

describe("A link that is re-pointed", () => {
  const pointing = async (target: string) => {
    await symlink(target, join(folders.root, "new"))
    await rename(join(folders.root, "new"), join(folders.root, "l"))
  }
  /** Re-points the link just before the tool opens it. */
  const repointing = (target: string): ExecutionEnv => {
    const inner = new NodeExecutionEnv({ cwd: folders.root })
    return Object.assign(Object.create(inner), {
      openFileReader: async (path: string) => {
        await pointing(target)
        return inner.openFileReader(path, context)
      },
    })
  }

  test("away from the saved output leaves the mark on", async () => {
    await pointing("saved/run.txt")
    expect(await read("l", repointing("in.txt"))).toEqual([WARNING, "inside text"])
  })

  test.runIf(process.platform === "linux")("to the saved output is marked for what was opened", async () => {
    await pointing("in.txt")
    expect(await read("l", repointing("saved/run.txt"))).toEqual([WARNING, "printed"])
  })
})

test("What the host's judgement throws is thrown, and no file is left open", async () => {
  const broken = (at: "before" | "opened") => {
    let asked = 0
    return markingSavedOutput(createReadTool(), () => {
      if (at === "before" || asked++ > 0) throw new Error("no index of saved output")
      return undefined
    })
  }
  await expect(read("in.txt", undefined, broken("before"))).rejects.toThrow("no index")
  await expect(read("in.txt", undefined, broken("opened"))).rejects.toThrow("no index")
  await expect
    .poll(async () => (await openPaths()).filter((path) => path.startsWith(folders.base)), { timeout: 30_000 })
    .toEqual([])
})

test("A failure to read stays the tool's own", async () => {
  await expect(read("none.txt")).rejects.toThrow("none.txt")
})
