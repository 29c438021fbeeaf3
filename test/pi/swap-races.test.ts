import { readdir, readFile, rename, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { PLATFORM_NAMES_OPEN_FILES } from "../../src/main/fs/open-file-path.ts"
import { refusingCredentialReads } from "../../src/pi/credential-reads.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import type { ExecutionEnv, FileByteReader } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow, ok } from "../../vendor/pi-harness/index.ts"
import { EVERY_READ } from "../support/every-read.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { INSIDE_TEXT, makeScopeFolders, OUTSIDE_TEXT, openPaths } from "../support/scope-folders.ts"
import { startSwappingThread } from "../support/swapping-thread.ts"

let folders: ScopeFolders
beforeEach(async () => {
  folders = await makeScopeFolders()
})
afterEach(() => folders.remove())

/** A name at which something inside stands, and beside it what leads out and takes its place. */
interface Swap {
  what: string
  /** Makes what leads out, and answers the name at which it is to stand, where it waits, and what is read. */
  arrange(): Promise<{ at: string; outside: string; read: string }>
}

const SWAPS: readonly Swap[] = [
  {
    what: "a file for a link",
    async arrange() {
      await symlink(folders.secret, join(folders.root, "waiting"))
      return { at: join(folders.root, "a/in.txt"), outside: join(folders.root, "waiting"), read: "a/in.txt" }
    },
  },
  {
    what: "a folder for a link",
    async arrange() {
      await symlink(folders.outside, join(folders.root, "waiting"))
      return { at: join(folders.root, "a/b"), outside: join(folders.root, "waiting"), read: "a/b/in.txt" }
    },
  },
  {
    what: "a link for a link",
    async arrange() {
      await symlink("a", join(folders.root, "l"))
      await symlink("../outside", join(folders.root, "waiting"))
      return { at: join(folders.root, "l"), outside: join(folders.root, "waiting"), read: "l/in.txt" }
    },
  },
  {
    what: "the root for a link",
    async arrange() {
      await symlink(folders.outside, join(folders.base, "waiting"))
      return { at: folders.root, outside: join(folders.base, "waiting"), read: join(folders.root, "in.txt") }
    },
  },
]

async function scopedOver(inner: ExecutionEnv): Promise<ExecutionEnv> {
  return getOrThrow(await ScopedExecutionEnv.create(inner, { root: folders.root }))
}

const RACES_OF_EACH = 300

describe.runIf(PLATFORM_NAMES_OPEN_FILES)(`${RACES_OF_EACH * SWAPS.length} races against a second thread`, () => {
  test.each(SWAPS)("that swaps $what: no byte from outside", { timeout: 240_000 }, async ({ arrange }) => {
    const node = new NodeExecutionEnv({ cwd: folders.root })
    const env = refusingCredentialReads(await scopedOver(node), { environment: {}, home: folders.base })
    const { at, outside, read } = await arrange()
    const thread = startSwappingThread({ at, inside: `${at}-in`, outside, seed: 42 })
    const reads = Object.values(EVERY_READ)
    const answers = { inside: 0, refused: 0 }
    try {
      for (let race = 0; race < RACES_OF_EACH; race++) {
        const swapped = thread.swap()
        const result = await reads[race % reads.length]?.(env, read, context)
        if (result?.ok) expect(result.value).toBe(INSIDE_TEXT)
        if (result?.ok) answers.inside++
        else answers.refused++
        await swapped
      }
    } finally {
      await thread.stop()
    }
    // Every other race starts with the way out in place.
    expect(answers.inside).toBeGreaterThan(0)
    expect(answers.refused).toBeGreaterThan(0)
    await expect
      .poll(async () => (await openPaths()).filter((path) => path.startsWith(folders.base)), { timeout: 30_000 })
      .toEqual([])
  })

  test("that swaps the folder that is written to: nothing outside is changed", { timeout: 240_000 }, async () => {
    const env = await scopedOver(new NodeExecutionEnv({ cwd: folders.root }))
    const at = join(folders.root, "a/b")
    await symlink(folders.outside, join(folders.root, "waiting"))
    const thread = startSwappingThread({ at, inside: `${at}-in`, outside: join(folders.root, "waiting"), seed: 7 })
    try {
      for (let race = 0; race < RACES_OF_EACH; race++) {
        const swapped = thread.swap()
        if (race % 2 === 0) await env.writeFile("a/b/in.txt", INSIDE_TEXT, context)
        else await env.appendFile("a/b/in.txt", "", context)
        await swapped
      }
    } finally {
      await thread.stop()
    }
    for (const name of ["secret.txt", "in.txt"]) {
      expect(await readFile(join(folders.outside, name), "utf8")).toBe(OUTSIDE_TEXT)
    }
    const strays = (await readdir(folders.outside)).filter((name) => !["secret.txt", "in.txt", "deep"].includes(name))
    expect(strays.filter((name) => !/^\.bounded-read-.*\.tmp$/.test(name))).toEqual([])
  })
})

/** The calls of an environment and its readers, in order; `at` is called before each and after the last. */
function watched(inner: ExecutionEnv, at: () => Promise<void>, keepsRealPath: boolean): ExecutionEnv {
  const watchReader = (reader: FileByteReader): FileByteReader => ({
    info: reader.info,
    close: (c) => reader.close(c),
    read: async (...args) => {
      await at()
      return reader.read(...args)
    },
    ...(keepsRealPath && {
      realPath: async (c) => {
        await at()
        return reader.realPath?.(c) ?? ok("")
      },
    }),
  })
  return new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name === "openFileReader") {
        return async (path: string) => {
          await at()
          const opened = await target.openFileReader(path, context)
          return opened.ok ? ok(watchReader(opened.value)) : opened
        }
      }
      if (name === "canonicalPath") {
        return async (path: string) => {
          await at()
          return target.canonicalPath(path, context)
        }
      }
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}

const MAX_STEPS = 10

describe.each([
  { how: "by descriptor", keepsRealPath: true },
  { how: "by resolving again", keepsRealPath: false },
])("Judged $how, a swap at each step of an opening", ({ keepsRealPath }) => {
  describe.runIf(PLATFORM_NAMES_OPEN_FILES || !keepsRealPath).each(SWAPS)("of $what", ({ arrange }) => {
    test.each(["inwards", "outwards"])("%s shows no byte from outside", async (direction) => {
      let steps = 0
      let swapAt = -1
      let swap = async () => {}
      const step = async () => {
        if (steps++ === swapAt) await swap()
      }
      const env = await scopedOver(watched(new NodeExecutionEnv({ cwd: folders.root }), step, keepsRealPath))
      const { at, outside, read } = await arrange()
      const turn = async (toOutside: boolean) => {
        await rename(at, toOutside ? `${at}-in` : outside)
        await rename(toOutside ? outside : `${at}-in`, at)
      }
      for (swapAt = 0; swapAt < MAX_STEPS; swapAt++) {
        if (direction === "inwards") await turn(true)
        swap = () => turn(direction === "outwards")
        steps = 0
        const result = await env.readTextFile(read, context)
        expect({ swapAt, text: result.ok ? result.value : INSIDE_TEXT }).toEqual({ swapAt, text: INSIDE_TEXT })
        const swapped = steps > swapAt
        if ((direction === "outwards") === swapped) await turn(false)
      }
      await expect
        .poll(async () => (await openPaths()).filter((path) => path.startsWith(folders.base)), { timeout: 30_000 })
        .toEqual([])
    })
  })
})

test.runIf(PLATFORM_NAMES_OPEN_FILES)(
  "A file that is replaced before it is judged still reads: editors save so",
  async () => {
    const node = new NodeExecutionEnv({ cwd: folders.root })
    let steps = Number.NEGATIVE_INFINITY
    // Counted once the scope is made: the first step is the opening, the second the look at the descriptor.
    const replace = async () => {
      if (steps++ !== 1) return
      await writeFile(join(folders.root, "new"), "new text")
      await rename(join(folders.root, "new"), join(folders.root, "in.txt"))
    }
    const env = await scopedOver(watched(node, replace, true))
    steps = 0
    expect(getOrThrow(await env.readTextFile("in.txt", context))).toBe(INSIDE_TEXT)
  },
)
