import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { openPath } from "../../../src/main/tools/open-path.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import type { ExecutionEnv, FileError } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError as Failure, withAbortSignal } from "../../../vendor/pi-harness/index.ts"

let folder: string
let env: NodeExecutionEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-path-"))
  env = new NodeExecutionEnv({ cwd: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A folder of its own with files that hold their names. */
async function folderWith(...names: string[]): Promise<string> {
  const own = await mkdtemp(join(folder, "case-"))
  for (const name of names) await writeFile(join(own, name), name)
  return own
}

/** What is opened for `path`: the file's name as it holds it, and the path to use again. */
async function opened(path: string, cwd = folder): Promise<{ holds: string; path: string }> {
  const found = await openPath(new NodeExecutionEnv({ cwd }), path, BACKGROUND_CONTEXT, new FakeClock())
  if (!found.ok) throw found.error
  const { reader } = found.value
  const bytes = await reader.read(0, 1_000, BACKGROUND_CONTEXT)
  await reader.close(BACKGROUND_CONTEXT)
  return { holds: bytes.ok ? new TextDecoder().decode(bytes.value) : "", path: found.value.path }
}

async function failure(path: string, cwd = folder): Promise<FileError> {
  const found = await openPath(new NodeExecutionEnv({ cwd }), path, BACKGROUND_CONTEXT, new FakeClock())
  if (found.ok) throw new Error(`${path} was opened`)
  return found.error
}

describe("A path as it is given", () => {
  it.each([
    ["U+202F", "Shot 9.41\u202fAM.txt"],
    ["U+00A0", "a\u00a0b.txt"],
    ["a leading @", "@scope.txt"],
    ["a leading ~", "~notes.txt"],
    ["NFD", "e\u0301te\u0301.txt"],
    ["a curly quote", "it\u2019s.txt"],
    ["a colon", "12:30.log"],
    ["a percent sign", "100%25.txt"],
    ["spaces at both ends", " a "],
    ["nothing but a space", " "],
    ["a backslash", "a\\b.txt"],
    ["a line feed", "a\nb"],
    ["a name of Windows with an extension", "aux.c"],
  ])("opens the file whose name really holds %s", async (_, name) => {
    // Beside it stands what the other spellings would lead to.
    const others = [
      name.replace("@", ""),
      name.normalize("NFC"),
      name.replaceAll(/\s/gu, " "),
      name.replace("\u2019", "'"),
    ]
    const cwd = await folderWith(...new Set([...others.filter((it) => it !== ""), name]))
    expect(await opened(name, cwd)).toEqual({ holds: name, path: name })
    expect(await opened(join(cwd, name))).toEqual({ holds: name, path: join(cwd, name) })
  })

  it("opens a folder really called ~ before the home folder", async () => {
    const cwd = await folderWith()
    await mkdir(join(cwd, "~"))
    await writeFile(join(cwd, "~", "a.txt"), "here")
    expect(await opened("~/a.txt", cwd)).toEqual({ holds: "here", path: "~/a.txt" })
  })
})

describe("A path that names no file as it is given", () => {
  it.each([
    ["@a.txt", "a.txt"],
    ["Shot at 9.41 AM.png", "Shot at 9.41\u202fAM.png"],
    ["Shot at 9.41 pm.png", "Shot at 9.41\u202fpm.png"],
    ["caf\u00e9.txt", "cafe\u0301.txt"],
    ["it's.txt", "it\u2019s.txt"],
    ["Capture d'\u00e9cran.png", "Capture d\u2019e\u0301cran.png"],
    ["d'\u00e9t\u00e9 9.41 AM.png", "d\u2019e\u0301te\u0301 9.41\u202fAM.png"],
    ["a\u00a0b.txt", "a b.txt"],
    ["it\u2019s.txt", "it's.txt"],
    ["cafe\u0301.txt", "caf\u00e9.txt"],
    ["@it's.txt", "it\u2019s.txt"],
  ])("opens, for %j, the file %j", async (asked, name) => {
    const cwd = await folderWith(name)
    expect(await opened(asked, cwd)).toEqual({ holds: name, path: join(cwd, name) })
  })

  it("may be a file URL, with or without a leading @", async () => {
    const cwd = await folderWith("a b%20c.txt")
    const path = join(cwd, "a b%20c.txt")
    const url = pathToFileURL(path).href
    expect(await opened(url)).toEqual({ holds: "a b%20c.txt", path })
    expect(await opened(`@${url}`)).toEqual({ holds: "a b%20c.txt", path })
  })

  it.each(["file://other.host/a.txt", "file:///a%2fb", "file://", "file:///%"])(
    "stays missing where it is no URL of a file: %s",
    async (url) => {
      expect((await failure(url)).code).toMatch(/^(not_found|not_directory|is_directory)$/)
    },
  )

  it("may begin in the home folder", async () => {
    expect((await failure("~")).code).toBe("is_directory")
    expect((await failure("@~/")).code).toBe("is_directory")
    const up = relative(homedir(), await folderWith("a.txt"))
    expect((await opened(`~/${up}/a.txt`)).holds).toBe("a.txt")
  })

  it("is an error where its other spellings name several files", async () => {
    const cwd = await folderWith("it\u2019s caf\u00e9.txt", "it\u2019s cafe\u0301.txt")
    const error = await failure("it's caf\u00e9.txt", cwd)
    expect(error.code).toBe("not_found")
    expect(error.message).toContain("Several have a similar one")
    expect(error.message).toContain(JSON.stringify(join(cwd, "it\u2019s cafe\u0301.txt")))
  })

  it("opens the one file that several spellings name", async () => {
    const cwd = await folderWith("it\u2019s caf\u00e9.txt")
    await symlink("it\u2019s caf\u00e9.txt", join(cwd, "it\u2019s cafe\u0301.txt"))
    expect((await opened("it's caf\u00e9.txt", cwd)).holds).toBe("it\u2019s caf\u00e9.txt")
  })

  it("says that it is a directory where its spelling is one", async () => {
    const cwd = await folderWith()
    await mkdir(join(cwd, "sub"))
    expect((await failure("@sub", cwd)).code).toBe("is_directory")
    expect((await failure(".", cwd)).code).toBe("is_directory")
    expect((await failure("sub/", cwd)).code).toBe("is_directory")
  })
})

describe("A missing file", () => {
  it.each([
    ["redme.md", ["README.md", "other.txt"], ["README.md"]],
    ["Readme.MD", ["readme.md"], ["readme.md"]],
    ["config.yml", ["config.yaml", "config.json", "conf.txt", "main.ts"], ["config.yaml", "config.json"]],
    ["src.ts:12", ["src.ts", "a.ts"], ["src.ts"]],
    ["src.ts:12:5", ["src.ts"], ["src.ts"]],
    ["my_file.txt", ["my-file.txt", "my file.txt"], ["my file.txt", "my-file.txt"]],
    ["a1.txt", ["a2.txt", "a3.txt", "a4.txt", "a5.txt"], ["a2.txt", "a3.txt", "a4.txt"]],
    ["x", ["yyyyyyyy"], []],
    ["tets.txt", ["test.txt"], ["test.txt"]],
  ])("called %s tells up to 3 near names", async (asked, names, near) => {
    const cwd = await folderWith(...names)
    const error = await failure(asked, cwd)
    const list = near.map((name) => JSON.stringify(name)).join(", ")
    const end = near.length === 0 ? "" : `. Similar names in that folder: ${list}`
    expect(error.code).toBe("not_found")
    expect(error.message).toBe(`No such file or directory: ${join(cwd, asked)} (ENOENT)${end}`)
  })

  it("tells no near name that is a folder, and quotes those that hold control characters", async () => {
    const cwd = await folderWith("note\u001b[31m.txt")
    await mkdir(join(cwd, "note.txts"))
    expect((await failure("note[31m.txt", cwd)).message).toContain('"note\\u001b[31m.txt"')
    expect((await failure("note[31m.txt", cwd)).message).not.toContain("txts")
  })

  it("in a missing folder is an error without names", async () => {
    const error = await failure("no/such/file.txt")
    expect(error.message).toBe(`No such file or directory: ${join(folder, "no/such/file.txt")} (ENOENT)`)
  })

  it("tells no names where the folder takes too long to list", async () => {
    const clock = new FakeClock()
    const slow = overlay(env, {
      listDir: (_path, context) =>
        new Promise((resolve) => {
          context.abortSignal?.addEventListener("abort", () => resolve(err(new Failure("aborted", "Aborted"))))
          clock.advance(2_000)
        }),
    })
    const found = await openPath(slow, "missing.txt", BACKGROUND_CONTEXT, clock)
    expect(found).toMatchObject({
      ok: false,
      error: { code: "not_found", message: expect.stringMatching(/\(ENOENT\)$/) },
    })
    expect(clock.pendingTimers).toBe(0)
  })

  it("settles an abort while the folder is listed", async () => {
    const controller = new AbortController()
    const slow = overlay(env, {
      listDir: async () => {
        controller.abort()
        return err(new Failure("aborted", "Aborted"))
      },
    })
    const context = withAbortSignal(controller.signal, BACKGROUND_CONTEXT)
    const found = await openPath(slow, "missing.txt", context, new FakeClock())
    expect(found).toMatchObject({ ok: false, error: { code: "aborted" } })
  })

  it("tells only the names that the environment lists", async () => {
    const cwd = await folderWith("secret.txt")
    const guarded = overlay(new NodeExecutionEnv({ cwd }), { listDir: async () => ({ ok: true, value: [] }) })
    const found = await openPath(guarded, "secrets.txt", BACKGROUND_CONTEXT, new FakeClock())
    expect(found.ok ? "" : found.error.message).not.toContain("secret.txt")
  })
})

describe("A path of a Windows device, of the kernel or of a stream", () => {
  const EVERYWHERE = [
    "\\\\?\\C:\\a.txt",
    "\\\\?\\UNC\\server\\share\\a.txt",
    "\\\\.\\PhysicalDrive0",
    "\\\\.\\pipe\\x",
    "\\??\\C:\\a.txt",
    "CON",
    "NUL",
    "COM1",
    "LPT9:",
    "a.txt::$DATA",
    "a.txt:x:$DATA",
  ]
  const ON_WINDOWS = [
    "con",
    "aux.c",
    "C:\\x\\nul.txt",
    "C:/x/NUL",
    "com1 .txt",
    "COM\u00b9",
    "conin$",
    "a.txt:stream",
    "C:\\a.txt:stream",
    "x\\con:\\y",
    "//?/C:/a.txt",
    "//./pipe/x",
    "/??/C:/a.txt",
    "\\/?\\C:\\a.txt",
  ]

  it.each(EVERYWHERE)("is refused before any call of the file system: %s", async (path) => {
    const calls: string[] = []
    const found = await openPath(counting("/home/a", calls), path, BACKGROUND_CONTEXT, new FakeClock())
    expect(found).toMatchObject({ ok: false, error: { code: "invalid" } })
    expect(calls).toEqual([])
  })

  it.each([...EVERYWHERE, ...ON_WINDOWS])("is refused so where paths are Windows paths: %s", async (path) => {
    const calls: string[] = []
    const found = await openPath(counting("C:\\work", calls), path, BACKGROUND_CONTEXT, new FakeClock())
    expect(found).toMatchObject({ ok: false, error: { code: "invalid" } })
    expect(calls).toEqual([])
  })

  it.each(["C:\\work\\a.txt", "a.txt", "\\\\server\\share\\a.txt", "console.log", "x\\nullable.ts", "D:a.txt"])(
    "is not what an ordinary Windows path is: %s",
    async (path) => {
      const calls: string[] = []
      await openPath(counting("C:\\work", calls), path, BACKGROUND_CONTEXT, new FakeClock())
      expect(calls).not.toEqual([])
    },
  )

  it("is refused as the expansion of another path", async () => {
    const calls: string[] = []
    await openPath(counting("C:\\work", calls), "@\\\\.\\pipe\\x", BACKGROUND_CONTEXT, new FakeClock())
    expect(calls.filter((path) => path.startsWith("\\\\.\\"))).toEqual([])
  })
})

/** The same environment with some methods of its own. */
function overlay(base: NodeExecutionEnv, methods: Partial<ExecutionEnv>): ExecutionEnv {
  return new Proxy<ExecutionEnv>(base, {
    get: (target, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

/** An environment without files that notes the paths it is asked for. */
function counting(cwd: string, calls: string[]): ExecutionEnv {
  const missing = async (path: string) => {
    calls.push(path)
    return err(new Failure("not_found", "Missing", path))
  }
  return new Proxy<ExecutionEnv>(env, {
    get: (_, name) =>
      name === "cwd" ? cwd : name === "absolutePath" ? async (path: string) => ({ ok: true, value: path }) : missing,
  })
}
