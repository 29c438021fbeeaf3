import { link, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import { PLATFORM_NAMES_OPEN_FILES } from "../../../src/main/fs/open-file-path.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../../vendor/pi-harness/index.ts"

let folder = ""
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "open-file-path-")))
  await writeFile(join(folder, "file"), "text")
})
afterEach(() => rm(folder, { recursive: true }))

async function pathAfter(name: string, change: () => Promise<unknown>): Promise<string | undefined> {
  const reader = getOrThrow(await openFileReader(join(folder, name), context))
  try {
    await change()
    const path = await reader.realPath?.(context)
    return path === undefined ? undefined : getOrThrow(path)
  } finally {
    await reader.close(context)
  }
}

const nothing = async () => {}
const named = (name: string) => join(folder, name)

const cases: {
  what: string
  open: string
  before?: () => Promise<unknown>
  change?: () => Promise<unknown>
  is: string
}[] = [
  { what: "a plain file", open: "file", is: "file" },
  { what: "a link", open: "l", before: () => symlink("file", named("l")), is: "file" },
  {
    what: "a hard link, by the name that was opened",
    open: "h",
    before: () => link(named("file"), named("h")),
    is: "h",
  },
  { what: "a file that was moved since", open: "file", change: () => rename(named("file"), named("new")), is: "new" },
  { what: "a file that was deleted since", open: "file", change: () => unlink(named("file")), is: "file" },
  {
    what: "a file that was replaced since",
    open: "file",
    before: () => writeFile(named("other"), ""),
    change: () => rename(named("other"), named("file")),
    is: "file",
  },
  {
    what: "a file that is called as if it were deleted",
    open: "a (deleted)",
    before: () => writeFile(named("a (deleted)"), ""),
    is: "a (deleted)",
  },
  {
    what: "a deleted file that was called so",
    open: "a (deleted)",
    before: () => writeFile(named("a (deleted)"), ""),
    change: () => unlink(named("a (deleted)")),
    is: "a (deleted)",
  },
]

test.runIf(PLATFORM_NAMES_OPEN_FILES).each(cases)("The real path of $what", async ({ open, before, change, is }) => {
  await (before ?? nothing)()
  expect(await pathAfter(open, change ?? nothing)).toBe(named(is))
})

test("The number of a file's names is told", async () => {
  await link(named("file"), named("h"))
  const reader = getOrThrow(await openFileReader(named("file"), context))
  await reader.close(context)
  expect(reader.info.links).toBe(2)
})
