import { link, lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { refusingCredentialReads } from "../../src/pi/credential-reads.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import type { ExecutionEnv, FileError, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow, withAbortSignal } from "../../vendor/pi-harness/index.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { makeScopeFolders, OUTSIDE_TEXT, openPaths } from "../support/scope-folders.ts"

let folders: ScopeFolders
let env: ScopedExecutionEnv
beforeEach(async () => {
  folders = await makeScopeFolders()
  const inner = new NodeExecutionEnv({ cwd: folders.root })
  env = getOrThrow(
    await ScopedExecutionEnv.create(inner, { root: folders.root, readRoots: [join(folders.base, "ws-evil")] }),
  )
  await symlink(folders.outside, join(folders.root, "l"))
  await symlink(folders.secret, join(folders.root, "f"))
  await symlink(join(folders.outside, "none"), join(folders.root, "d"))
})
afterEach(() => folders.remove())

type Call = (env: ExecutionEnv, path: string) => Promise<Result<unknown, FileError>>

const CHANGES: Readonly<Record<string, Call>> = {
  writeFile: (e, path) => e.writeFile(path, "x", context),
  appendFile: (e, path) => e.appendFile(path, "x", context),
  createDir: (e, path) => e.createDir(path, undefined, context),
  "createDir, not recursive": (e, path) => e.createDir(path, { recursive: false }, context),
  remove: (e, path) => e.remove(path, { recursive: true, force: true }, context),
  "renameFile from": (e, path) => e.renameFile(path, "moved", context),
  "renameFile to": (e, path) => e.renameFile("in.txt", path, context),
}
const LOOKS: Readonly<Record<string, Call>> = {
  fileInfo: (e, path) => e.fileInfo(path, context),
  exists: (e, path) => e.exists(path, context),
  listDir: (e, path) => e.listDir(path, context),
  canonicalPath: (e, path) => e.canonicalPath(path, context),
}

async function snapshot(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(folder, name)
      return (await lstat(path)).isFile() ? `${name}: ${await readFile(path, "utf8")}` : name
    }),
  )
}

const OUTSIDE_NAMES = [
  "../outside/secret.txt",
  "../outside/new",
  "l/secret.txt",
  "l/new",
  "l/deep/new/er",
  "../ws-evil-2",
  "..",
  "/",
]

describe.each(Object.entries({ ...CHANGES, ...LOOKS }))("%s", (verb, call) => {
  test.each(OUTSIDE_NAMES)("does not reach %s", async (path) => {
    const before = await snapshot(folders.outside)
    const result = await call(env, path)
    expect(result.ok ? result.value : result.error.code).toBe("permission_denied")
    expect(await snapshot(folders.outside)).toEqual(before)
  })

  test.runIf(verb in CHANGES)("does not change what may only be read, nor the root", async () => {
    const before = await snapshot(join(folders.base, "ws-evil"))
    for (const path of ["../ws-evil/secret.txt", "../ws-evil/new"]) {
      expect((await call(env, path)).ok).toBe(false)
    }
    if (!verb.startsWith("createDir")) expect((await call(env, folders.root)).ok).toBe(false)
    expect(await snapshot(join(folders.base, "ws-evil"))).toEqual(before)
  })
})

describe("A last link", () => {
  test.each(["f", "d"])("that leads out is not written through: %s", async (name) => {
    const before = await snapshot(folders.outside)
    for (const call of [CHANGES.writeFile, CHANGES.appendFile]) expect((await call?.(env, name))?.ok).toBe(false)
    expect(await snapshot(folders.outside)).toEqual(before)
  })

  test("is removed and moved itself", async () => {
    expect((await env.renameFile("f", "g", context)).ok).toBe(true)
    expect((await env.remove("g", undefined, context)).ok).toBe(true)
    expect((await env.remove("l/", { recursive: true }, context)).ok).toBe(true)
    expect(await readFile(folders.secret, "utf8")).toBe(OUTSIDE_TEXT)
  })

  test("that leads to a file within is written through, by the file's own name", async () => {
    await symlink("a/in.txt", join(folders.root, "w"))
    expect((await env.writeFile("w", "new", context)).ok).toBe(true)
    expect(await readFile(join(folders.root, "a/in.txt"), "utf8")).toBe("new")
    expect((await lstat(join(folders.root, "w"))).isSymbolicLink()).toBe(true)
  })
})

test("A file that has a name outside too is not changed there", async () => {
  await link(folders.secret, join(folders.root, "hard"))
  expect((await env.appendFile("hard", "+", context)).ok).toBe(true)
  expect((await env.writeFile("hard", "new", context)).ok).toBe(true)
  expect(await readFile(folders.secret, "utf8")).toBe(OUTSIDE_TEXT)
  expect(await readFile(join(folders.root, "hard"), "utf8")).toBe("new")
})

test("Appends at the same time all arrive, and leave nothing behind", async () => {
  const appends = Array.from({ length: 20 }, (_, i) => env.appendFile("log", `${i}\n`, context))
  for (const result of await Promise.all(appends)) expect(result.ok).toBe(true)
  const lines = (await readFile(join(folders.root, "log"), "utf8")).trimEnd().split("\n").map(Number)
  expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect((await readdir(folders.root)).filter((name) => name.endsWith(".tmp"))).toEqual([])
})

test("What an aborted context asks for is answered so, and nothing stays open", async () => {
  const aborted = withAbortSignal(AbortSignal.abort(), context)
  const answers = await Promise.all([
    env.readTextFile("in.txt", aborted),
    env.openFileReader("in.txt", aborted),
    env.writeFile("x", "x", aborted),
    env.appendFile("in.txt", "x", aborted),
    env.listDir(".", aborted),
    refusingCredentialReads(env).readTextFile("in.txt", aborted),
  ])
  expect(answers.map((answer) => (answer.ok ? "ok" : answer.error.code))).toEqual(Array(6).fill("aborted"))
  await expect
    .poll(async () => (await openPaths()).filter((path) => path.startsWith(folders.base)), { timeout: 30_000 })
    .toEqual([])
})

test("An abort in the middle of an opening closes what was opened", async () => {
  for (const guard of [
    (e: ExecutionEnv) => e,
    (e: ExecutionEnv) => refusingCredentialReads(e, { home: folders.outside }),
  ]) {
    const guarded = guard(env)
    for (let turns = 0; turns < 12; turns++) {
      const controller = new AbortController()
      const reading = guarded.readTextFile("a/in.txt", withAbortSignal(controller.signal, context))
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
      const result = await reading
      if (!result.ok) expect(result.error.code).toBe("aborted")
    }
  }
  await expect
    .poll(async () => (await openPaths()).filter((path) => path.startsWith(folders.base)), { timeout: 30_000 })
    .toEqual([])
})

describe("What the guards do not know", () => {
  class Capable extends NodeExecutionEnv {
    async readRaw(): Promise<string> {
      return OUTSIDE_TEXT
    }
    watch = async () => OUTSIDE_TEXT
  }
  test.each(["scoped", "refusing"])("answers not_supported, %s", async (guard) => {
    const inner = new Capable({ cwd: folders.root })
    const guarded: object =
      guard === "scoped"
        ? getOrThrow(await ScopedExecutionEnv.create(inner, { root: folders.root }))
        : refusingCredentialReads(inner)
    for (const name of ["readRaw", "watch"]) {
      const method: unknown = Reflect.get(guarded, name)
      const answer: unknown = typeof method === "function" ? await method.call(guarded) : undefined
      expect(answer).toMatchObject({ ok: false, error: { code: "not_supported" } })
    }
  })
})

describe("A shell", () => {
  test("is not there", async () => {
    const result = await env.exec("cat ../outside/secret.txt", undefined, context)
    expect(result.ok ? "ran" : result.error.code).toBe("shell_unavailable")
  })

  test("is delegated where the host says so, in a folder within", async () => {
    const inner = new NodeExecutionEnv({ cwd: folders.root })
    const options = { root: folders.root, delegateUnguardedShell: true }
    const delegating = getOrThrow(await ScopedExecutionEnv.create(inner, options))
    const result = await delegating.exec("exit 3", undefined, context)
    expect(result.ok ? result.value.exitCode : result.error.code).toBe(3)
    const outside = await delegating.exec("true", { cwd: folders.outside }, context)
    expect(outside.ok ? "ran" : outside.error.code).toBe("spawn_error")
  })
})

test("Temporary files are made in the declared folder, or in the root, and nowhere else", async () => {
  const tempRoot = join(folders.base, "tmp")
  await mkdir(tempRoot)
  await writeFile(join(tempRoot, "x"), "x")
  const inner = new NodeExecutionEnv({ cwd: folders.root })
  const declared = getOrThrow(await ScopedExecutionEnv.create(inner, { root: folders.root, tempRoot }))
  for (const [by, folder] of [
    [declared, tempRoot],
    [env, folders.root],
  ] as const) {
    expect(getOrThrow(await by.createTempDir("p-", context)).startsWith(join(folder, "p-"))).toBe(true)
    expect(getOrThrow(await by.createTempFile({ suffix: ".txt" }, context)).startsWith(folder)).toBe(true)
    for (const prefix of ["../x", "/x", "a/b", "x\0", "..\\x"]) {
      const made = await by.createTempDir(prefix, context)
      expect(made.ok ? made.value : made.error.code).toBe("invalid")
    }
  }
})

test("A wrong argument is an answer, never a throw", async () => {
  for (const path of [undefined, null, 5, {}, []]) {
    for (const guarded of [env, refusingCredentialReads(env)]) {
      for (const call of Object.values({ ...CHANGES, ...LOOKS })) {
        const result = await call(guarded, path as unknown as string)
        expect(result.ok).toBe(false)
      }
      expect((await guarded.readTextFile(path as unknown as string, context)).ok).toBe(false)
    }
  }
})
