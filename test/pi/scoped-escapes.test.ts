import { link, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import type { FileErrorCode } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { EVERY_READ } from "../support/every-read.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { makeScopeFolders, OUTSIDE_TEXT, openPaths } from "../support/scope-folders.ts"

interface Escape {
  what: string
  /** What to ask for. */
  path: (folders: ScopeFolders) => string
  arrange?: (folders: ScopeFolders) => Promise<unknown>
  /** `permission_denied` unless what is asked for is a name that stands nowhere. */
  code?: FileErrorCode
  linuxOnly?: true
}

const below = (name: string) => (folders: ScopeFolders) => join(folders.root, name)
const plain = (path: string) => () => path
const linkTo =
  (name: string, target: (folders: ScopeFolders) => string) =>
  async (folders: ScopeFolders): Promise<void> =>
    symlink(target(folders), join(folders.root, name))
const all =
  (...steps: ((folders: ScopeFolders) => Promise<unknown>)[]) =>
  async (folders: ScopeFolders): Promise<void> => {
    for (const step of steps) await step(folders)
  }
const secret = (folders: ScopeFolders) => folders.secret
const outside = (folders: ScopeFolders) => folders.outside

const SPELLINGS: Escape[] = [
  { what: "an absolute path", path: secret },
  { what: "..", path: plain("../outside/secret.txt") },
  { what: "./..", path: plain("./../outside/secret.txt") },
  { what: "a folder and back out", path: plain("a/../../outside/secret.txt") },
  { what: "three folders and back out", path: plain("a/b/c/../../../../outside/secret.txt") },
  { what: "a folder that is not there and back out", path: plain("none/../../outside/secret.txt") },
  { what: "more .. than there are folders", path: (f) => `${"../".repeat(60)}${f.secret}` },
  { what: "an absolute path through the root", path: (f) => `${f.root}/../outside/secret.txt` },
  { what: "doubled separators", path: (f) => `${f.root}//..//outside//secret.txt` },
  { what: "a leading double separator", path: (f) => `/${f.secret}` },
  { what: "dots between separators", path: (f) => `/.${f.secret}` },
  { what: "a trailing separator", path: (f) => `${f.secret}/` },
  { what: "a trailing dot part", path: (f) => `${f.secret}/.` },
  { what: "a sibling whose name begins like the root's", path: (f) => `${f.root}-evil/secret.txt` },
  { what: "such a sibling by ..", path: plain("../ws-evil/secret.txt") },
  { what: "the folder above", path: plain("..") },
  { what: "the whole disk", path: plain("/") },
  { what: "the home folder", path: () => homedir() },
  { what: "a system file", path: plain("/etc/passwd") },
  { what: "a file that is not there, outside", path: (f) => join(f.outside, "none.txt") },
  { what: "a file below a file, outside", path: (f) => `${f.secret}/x` },
  { what: "percent-encoded separators", path: plain("..%2foutside%2fsecret.txt") },
  { what: "percent-encoded dots", path: plain("%2e%2e/outside/secret.txt") },
  { what: "upper-case escapes", path: plain("%2E%2E%2Foutside%2Fsecret.txt") },
  { what: "twice encoded", path: plain("%252e%252e%252foutside%252fsecret.txt") },
  { what: "overlong UTF-8", path: plain("..%c0%af..%c0%afoutside/secret.txt") },
  { what: "backslashes", path: plain("..\\outside\\secret.txt") },
  { what: "a file URL", path: (f) => pathToFileURL(f.secret).href },
  { what: "a file URL that names this machine", path: (f) => `file://localhost${f.secret}` },
  { what: "a file URL with encoded dots", path: (f) => `file://${f.root}/%2e%2e/outside/secret.txt` },
  { what: "a tilde", path: plain("~/.ssh/id_rsa"), code: "not_found" },
  { what: "another user's tilde", path: plain("~root/.ssh/id_rsa"), code: "not_found" },
  { what: "a NUL", path: (f) => `${f.secret}\0`, code: "invalid" },
  { what: "a NUL after a good name", path: plain("in.txt\0/../../outside/secret.txt"), code: "invalid" },
  { what: "nothing", path: plain(""), code: "invalid" },
  { what: "full-width dots and slashes", path: plain("．．／outside／secret.txt"), code: "not_found" },
  { what: "an ellipsis", path: plain("…/outside/secret.txt"), code: "not_found" },
  { what: "dots with a trailing space", path: plain(".. /outside/secret.txt"), code: "not_found" },
  { what: "three dots", path: plain(".../outside/secret.txt"), code: "not_found" },
  { what: "a trailing dot outside", path: (f) => `${f.secret}.` },
  { what: "a trailing space outside", path: (f) => `${f.secret} ` },
  { what: "the root's name in capitals", path: (f) => join(f.base, "WS/../OUTSIDE/secret.txt") },
  { what: "the outside in capitals", path: plain("../OUTSIDE/secret.txt") },
  { what: "a decomposed name outside", path: plain("../outsi\u0301de/secret.txt") },
  { what: "a very long path outside", path: (f) => `${f.outside}/${"d/".repeat(3000)}secret.txt` },
  { what: "a very long detour", path: (f) => `${f.root}/${"a/../".repeat(3000)}../outside/secret.txt` },
  { what: "a name longer than any may be", path: plain("n".repeat(5000)), code: "invalid" },
  { what: "a DOS device path", path: (f) => `\\\\?\\${f.secret}` },
]

const LINKS: Escape[] = [
  { what: "a link to a file", arrange: linkTo("l", secret), path: below("l") },
  { what: "a relative link", arrange: linkTo("l", () => "../outside/secret.txt"), path: below("l") },
  { what: "a link to a folder", arrange: linkTo("l", outside), path: below("l/secret.txt") },
  { what: "a link one folder deep", arrange: linkTo("a/l", secret), path: below("a/l") },
  { what: "a link two folders deep", arrange: linkTo("a/b/l", outside), path: below("a/b/l/secret.txt") },
  { what: "a link three folders deep", arrange: linkTo("a/b/c/l", outside), path: below("a/b/c/l/deep/er/secret.txt") },
  { what: "a link to a link", arrange: all(linkTo("l", secret), linkTo("m", below("l"))), path: below("m") },
  {
    what: "a chain of twenty links",
    arrange: async (f) => {
      await symlink(f.secret, join(f.root, "l0"))
      for (let i = 1; i < 20; i++) await symlink(`l${i - 1}`, join(f.root, `l${i}`))
    },
    path: below("l19"),
  },
  { what: "a link to the folder above", arrange: linkTo("l", (f) => f.base), path: below("l/outside/secret.txt") },
  { what: "a link to the whole disk", arrange: linkTo("l", () => "/"), path: (f) => join(f.root, "l", f.secret) },
  {
    what: "a link outside that leads to another outside",
    arrange: all(
      (f) => symlink(f.outside, join(f.base, "hop")),
      linkTo("l", (f) => join(f.base, "hop")),
    ),
    path: below("l/secret.txt"),
  },
  {
    what: "a link and then ..",
    arrange: linkTo("l", (f) => join(f.outside, "deep")),
    path: (f) => `${f.root}/l/../secret.txt`,
    code: "not_found",
  },
  {
    what: "a link with a name of two dots and a space",
    arrange: linkTo(".. ", outside),
    path: below(".. /secret.txt"),
  },
  { what: "a link called by an escape", arrange: linkTo("%2e%2e", outside), path: below("%2e%2e/secret.txt") },
  {
    what: "a link to a sibling that begins like the root",
    arrange: linkTo("l", (f) => `${f.root}-evil`),
    path: below("l/secret.txt"),
  },
  {
    what: "a dangling link",
    arrange: linkTo("l", (f) => join(f.outside, "none")),
    path: below("l"),
    code: "not_found",
  },
  { what: "a file that is not there, behind a link", arrange: linkTo("l", outside), path: below("l/none") },
  { what: "a link to itself", arrange: linkTo("l", () => "l"), path: below("l"), code: "invalid" },
  { what: "a link to a folder outside, itself", arrange: linkTo("l", outside), path: below("l") },
  { what: "a link to a device", arrange: linkTo("l", () => "/dev/zero"), path: below("l"), linuxOnly: true },
  {
    what: "a root within that was swapped for a link",
    arrange: async (f) => {
      await rename(join(f.root, "a"), join(f.root, "old"))
      await symlink(f.outside, join(f.root, "a"))
    },
    path: below("a/in.txt"),
  },
  {
    what: "a root that was itself swapped for a link",
    arrange: async (f) => {
      await rename(f.root, `${f.root}-old`)
      await symlink(f.outside, f.root)
    },
    path: below("in.txt"),
  },
  {
    what: "a root whose folder above was swapped for a link",
    arrange: async (f) => {
      await mkdir(join(f.outside, "fake/ws"), { recursive: true })
      await writeFile(join(f.outside, "fake/ws/in.txt"), OUTSIDE_TEXT)
      await rename(f.base, `${f.base}-old`)
      await symlink(join(`${f.base}-old`, "outside/fake"), f.base)
    },
    path: below("in.txt"),
  },
]

const KERNEL: Escape[] = [
  { what: "/proc/self/root", path: (f) => `/proc/self/root${f.secret}` },
  {
    what: "a link to /proc/self/root",
    arrange: linkTo("l", () => "/proc/self/root"),
    path: (f) => join(f.root, "l", f.secret),
  },
  { what: "/proc/self/cwd", path: plain("/proc/self/cwd/package.json") },
  { what: "a link to /proc/self/cwd", arrange: linkTo("l", () => "/proc/self/cwd"), path: below("l/package.json") },
  { what: "/proc/self/environ", path: plain("/proc/self/environ") },
  { what: "a link to /proc/self/environ", arrange: linkTo("l", () => "/proc/self/environ"), path: below("l") },
  { what: "/proc/thread-self/environ", path: plain("/proc/thread-self/environ") },
  { what: "/proc/self/fd/0", path: plain("/proc/self/fd/0") },
  { what: "/dev/fd/0", path: plain("/dev/fd/0") },
  { what: "a link to /dev/fd", arrange: linkTo("l", () => "/dev/fd"), path: below("l/0") },
  { what: "/dev/stdin", path: plain("/dev/stdin") },
  { what: "/dev/../dev/stdin", path: plain("/dev/../dev/stdin") },
  { what: "/sys", path: plain("/sys/kernel/notes") },
  { what: "a link to /proc", arrange: linkTo("l", () => "/proc"), path: below("l/self/status") },
]

let folders: ScopeFolders
beforeEach(async () => {
  folders = await makeScopeFolders()
})
afterEach(async () => {
  await rm(`${folders.base}-old`, { recursive: true, force: true })
  await folders.remove()
})

async function scoped(root = folders.root): Promise<ScopedExecutionEnv> {
  return getOrThrow(await ScopedExecutionEnv.create(new NodeExecutionEnv({ cwd: root }), { root }))
}

async function expectRefused(env: ScopedExecutionEnv, path: string, code: FileErrorCode): Promise<void> {
  for (const [verb, read] of Object.entries(EVERY_READ)) {
    const result = await read(env, path, context)
    expect({ verb, ok: result.ok, code: result.ok ? result.value : result.error.code }).toEqual({
      verb,
      ok: false,
      code,
    })
  }
  await expect
    .poll(async () => (await openPaths()).filter((open) => open.startsWith(folders.outside)), { timeout: 30_000 })
    .toEqual([])
}

const isLinux = process.platform === "linux"

describe.each([
  { kind: "Spelling", cases: SPELLINGS },
  { kind: "Link", cases: LINKS },
  { kind: "Kernel name", cases: isLinux ? KERNEL : [] },
])("$kind:", ({ cases }) => {
  test.each(cases)("$what does not lead out", async ({ path, arrange, code = "permission_denied" }) => {
    const env = await scoped()
    await arrange?.(folders)
    await expectRefused(env, path(folders), code)
  })
})

test("At least 60 escapes are tried", () => {
  expect(SPELLINGS.length + LINKS.length + KERNEL.length).toBeGreaterThanOrEqual(60)
})

test("A descriptor that is open on the outside is not reached by its number", async () => {
  const inner = new NodeExecutionEnv({ cwd: folders.root })
  const env = await scoped()
  const open = getOrThrow(await inner.openFileReader(folders.secret, context))
  try {
    for (let fd = 0; fd < 64; fd++) {
      for (const name of [`/proc/self/fd/${fd}`, `/dev/fd/${fd}`, `/proc/${process.pid}/fd/${fd}`]) {
        const text = await env.readTextFile(name, context)
        expect({ name, ok: text.ok }).toEqual({ name, ok: false })
      }
    }
  } finally {
    await open.close(context)
  }
})

test("A root that is a link is the folder that it leads to, and what is beside that is outside", async () => {
  await symlink(folders.root, join(folders.base, "alias"))
  const env = await scoped(join(folders.base, "alias"))
  expect(getOrThrow(await env.readTextFile("in.txt", context))).toBe("inside text")
  expect(getOrThrow(await env.readTextFile(join(folders.base, "alias/a/in.txt"), context))).toBe("inside text")
  await expectRefused(env, join(folders.base, "alias/../outside/secret.txt"), "permission_denied")
})

test("A folder that another has inside, as a mount has, is no way out of the inner one", async () => {
  const env = await scoped(join(folders.root, "a"))
  await expectRefused(env, "../in.txt", "permission_denied")
  await expectRefused(env, join(folders.root, "in.txt"), "permission_denied")
})

test("A refusal does not tell whether the file is there", async () => {
  const env = await scoped()
  const there = await env.readTextFile(folders.secret, context)
  const missing = await env.readTextFile(join(folders.outside, "missing.x"), context)
  const words = [there, missing].map((r) => (r.ok ? "" : r.error.message.replace(/[^/]*$/, "")))
  expect(words[0]).toBe(words[1])
})

test("A hard link to a file outside reads by its name inside, as the links of package managers do", async () => {
  await link(folders.secret, join(folders.root, "hard"))
  expect(getOrThrow(await (await scoped()).readTextFile("hard", context))).toBe(OUTSIDE_TEXT)
})

test.each([
  { what: "the whole disk", root: () => "/" },
  { what: "the home folder", root: () => homedir() },
  { what: "a link to the home folder", root: () => join(folders.base, "home") },
  { what: "a link to the whole disk", root: () => join(folders.base, "disk") },
  { what: "the home folder by a detour", root: () => `${homedir()}/../${basename(homedir())}/` },
])("$what is no root", async ({ root }) => {
  await symlink(homedir(), join(folders.base, "home"))
  await symlink("/", join(folders.base, "disk"))
  const inner = new NodeExecutionEnv({ cwd: folders.root })
  for (const options of [
    { root: root() },
    { root: folders.root, readRoots: [root()] },
    { root: folders.root, tempRoot: root() },
  ]) {
    const made = await ScopedExecutionEnv.create(inner, options)
    expect(made.ok ? "made" : made.error.code).toBe("permission_denied")
  }
})

test("A folder that holds the home folder is no root", async () => {
  const inner = new NodeExecutionEnv({ cwd: folders.root })
  const made = await ScopedExecutionEnv.create(inner, { root: folders.base, home: folders.root })
  expect(made.ok ? "made" : made.error.code).toBe("permission_denied")
})
