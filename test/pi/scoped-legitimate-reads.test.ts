import { link, mkdir, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { refusingCredentialReads } from "../../src/pi/credential-reads.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { EVERY_READ } from "../support/every-read.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { INSIDE_TEXT, makeScopeFolders, OUTSIDE_TEXT } from "../support/scope-folders.ts"

interface Legitimate {
  what: string
  arrange?: (folders: ScopeFolders) => Promise<unknown>
  path: (folders: ScopeFolders) => string
  root?: (folders: ScopeFolders) => string
  readRoots?: (folders: ScopeFolders) => string[]
  text?: string
}

const put = async (path: string, text = INSIDE_TEXT) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
const inRoot = (name: string) => (folders: ScopeFolders) => join(folders.root, name)
const same = (name: string) => () => name

/** Files that are called like something else, or oddly, and are what they are. */
const NAMED: Legitimate[] = [
  ...[
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.local.example",
    "src/credentials.ts",
    "src/secrets.md",
  ],
  ...[
    "keychains-ui/index.ts",
    "Keychains.md",
    "id_rsa.md",
    "id_rsa.pub",
    "primary.key",
    "public.pem",
    "src/ssh/config.ts",
  ],
  ...[
    "...",
    "..a",
    "a..",
    "..\\x",
    "%2e%2e",
    "%2e%2e%2fx",
    "~",
    "~/x",
    "@x",
    "-x",
    "x\ny",
    "x\ty",
    "x y",
    " x",
    "x ",
    "x.",
  ],
  ...[
    "file:",
    "file:x",
    "C:x",
    "CON",
    "x:stream",
    "x*y?",
    "[x]",
    "$(x)",
    "x'y\"z",
    "ünïcödé",
    "u\u0308",
    "日本",
    "😀",
    "\u202fx",
  ],
  ...[
    "ws-evil/x",
    "outside/secret.txt",
    "proc/self/environ2",
    "dev/fd0",
    "etc/passwd",
    "x".repeat(255),
    `${"d/".repeat(100)}x`,
  ],
].map((name) => ({
  what: JSON.stringify(name.slice(0, 40)),
  arrange: (f) => put(join(f.root, name)),
  path: same(`./${name}`),
}))

const SPELLED: Legitimate[] = [
  { what: "a relative path", path: same("in.txt") },
  { what: "a dot", path: same("./in.txt") },
  { what: "a detour within", path: same("a/../in.txt") },
  { what: "a detour within by a folder that is not there", path: same("none/../in.txt") },
  { what: "a detour out and back in", path: same("../ws/in.txt") },
  { what: "an absolute path", path: inRoot("a/b/in.txt") },
  { what: "doubled separators", path: (f) => `${f.root}//a///in.txt` },
]

const LINKED: Legitimate[] = [
  { what: "a link within", arrange: (f) => symlink("a/in.txt", join(f.root, "l")), path: same("l") },
  {
    what: "an absolute link within",
    arrange: (f) => symlink(join(f.root, "a"), join(f.root, "l")),
    path: same("l/in.txt"),
  },
  { what: "a link up and within", arrange: (f) => symlink("../in.txt", join(f.root, "a/l")), path: same("a/l") },
  { what: "a link out and back in", arrange: (f) => symlink("../ws/in.txt", join(f.root, "l")), path: same("l") },
  { what: "a link to the root", arrange: (f) => symlink(".", join(f.root, "l")), path: same("l/l/l/in.txt") },
  {
    what: "a pnpm store: links to folders of hard links",
    arrange: async (f) => {
      const store = join(f.root, "node_modules/.pnpm/x@1/node_modules/x")
      await put(join(f.base, "store/ab/cd"), INSIDE_TEXT)
      await mkdir(store, { recursive: true })
      await link(join(f.base, "store/ab/cd"), join(store, "index.js"))
      await symlink(".pnpm/x@1/node_modules/x", join(f.root, "node_modules/x"))
    },
    path: same("node_modules/x/index.js"),
  },
  {
    what: "a hard link beside a secret that it is not one of",
    arrange: async (f) => {
      await put(join(f.root, ".env"), "SECRET=1")
      await link(join(f.root, "in.txt"), join(f.root, "hard.txt"))
    },
    path: same("hard.txt"),
  },
  {
    what: "a workspace's link to a package beside it",
    arrange: async (f) => {
      await put(join(f.root, "packages/b/index.ts"))
      await mkdir(join(f.root, "packages/a/node_modules"), { recursive: true })
      await symlink("../../b", join(f.root, "packages/a/node_modules/b"))
    },
    path: same("packages/a/node_modules/b/index.ts"),
  },
  {
    what: "a root that is a link",
    arrange: (f) => symlink("ws", join(f.base, "l")),
    root: (f) => join(f.base, "l"),
    path: same("in.txt"),
  },
  {
    what: "a root under a link",
    arrange: (f) => symlink(f.base, join(f.base, "outside/up")),
    root: (f) => join(f.outside, "up/ws"),
    path: (f) => join(f.outside, "up/ws/a/in.txt"),
  },
  {
    what: "a root under a link, by its real path",
    arrange: (f) => symlink("ws", join(f.base, "l")),
    root: (f) => join(f.base, "l"),
    path: inRoot("in.txt"),
  },
  { what: "a root spelled with a separator at its end", root: (f) => `${f.root}/`, path: same("in.txt") },
  { what: "a root within a root", root: (f) => join(f.root, "a"), path: inRoot("a/b/in.txt") },
  { what: "a read-only root", readRoots: (f) => [f.outside], path: (f) => f.secret, text: OUTSIDE_TEXT },
  {
    what: "a link from the root to a read-only root",
    arrange: (f) => symlink(f.outside, join(f.root, "l")),
    readRoots: (f) => [f.outside],
    path: same("l/secret.txt"),
    text: OUTSIDE_TEXT,
  },
  {
    what: "another name of the root, from outside",
    arrange: (f) => symlink(f.root, join(f.base, "other")),
    path: (f) => join(f.base, "other/in.txt"),
  },
]

const ALL = [...NAMED, ...SPELLED, ...LINKED]

let folders: ScopeFolders
beforeEach(async () => {
  folders = await makeScopeFolders(tmpdir())
})
afterEach(() => folders.remove())

test.each(ALL)(
  "Reads $what",
  async ({ arrange, path, root = (f) => f.root, readRoots = () => [], text = INSIDE_TEXT }) => {
    await arrange?.(folders)
    const inner = new NodeExecutionEnv({ cwd: folders.root })
    const options = { root: root(folders), readRoots: readRoots(folders) }
    const scoped = getOrThrow(await ScopedExecutionEnv.create(inner, options))
    for (const env of [scoped, refusingCredentialReads(scoped, { environment: {}, home: folders.outside })]) {
      for (const [verb, read] of Object.entries(EVERY_READ)) {
        const result = await read(env, path(folders), context)
        expect({ verb, text: result.ok ? result.value : result.error.message }).toEqual({ verb, text })
      }
    }
  },
)

test("At least 60 legitimate reads are tried", () => {
  expect(ALL.length).toBeGreaterThanOrEqual(60)
})
