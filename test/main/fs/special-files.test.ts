import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import { nodeFileSystemModule } from "../../../src/main/fs/file-system-module.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"

const onPosix = process.platform === "win32" ? describe.skip : describe
const onLinux = process.platform === "linux" ? describe : describe.skip

let folder: string
/** Keeps the silent FIFO open for writing. */
let silentWriter: number
const server = createServer()

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), "special-files-"))
  fs.mkdirSync(join(folder, "directory"))
  fs.writeFileSync(join(folder, "file"), "content\n")
  if (process.platform === "win32") return
  execFileSync("mkfifo", [join(folder, "fifo"), join(folder, "silent")])
  silentWriter = fs.openSync(join(folder, "silent"), fs.constants.O_RDWR)
  await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve))
  for (const name of ["fifo", "silent", "socket", "directory", "file"]) {
    fs.symlinkSync(name, join(folder, `link-to-${name}`))
    fs.symlinkSync(`link-to-${name}`, join(folder, `link-to-link-to-${name}`))
  }
  for (const name of ["zero", "null", "tty", "stdin"]) fs.symlinkSync(`/dev/${name}`, join(folder, `link-to-${name}`))
})

afterAll(async () => {
  if (process.platform !== "win32") {
    fs.closeSync(silentWriter)
    await new Promise((resolve) => server.close(resolve))
  }
  fs.rmSync(folder, { recursive: true })
})

/** Paths that begin with `/` are of the system, others of the test's folder. */
const spelled = (name: string) => (name.startsWith("/") ? name : join(folder, name))

async function refusalOf(path: string): Promise<string> {
  const opened = await openFileReader(path, BACKGROUND_CONTEXT)
  if (!opened.ok) return `${opened.error.code}: ${opened.error.message}`
  await opened.value.close(BACKGROUND_CONTEXT)
  return "opened"
}

onPosix("a name that is no regular file", () => {
  it.each([
    ["fifo", "FIFO"],
    ["link-to-fifo", "FIFO"],
    ["link-to-link-to-fifo", "FIFO"],
    ["silent", "FIFO"],
    ["link-to-silent", "FIFO"],
    ["socket", "socket"],
    ["link-to-socket", "socket"],
    ["link-to-link-to-socket", "socket"],
    ["/dev/zero", "character device"],
    ["/dev/null", "character device"],
    ["/dev/tty", "character device"],
    ["/dev/../dev/zero", "character device"],
    ["/dev//./zero", "character device"],
    ["link-to-zero", "character device"],
    ["link-to-null", "character device"],
    ["link-to-tty", "character device"],
  ])("is refused with its kind named: %s", async (name, kind) => {
    const path = spelled(name)
    const before = openDescriptors()
    expect(await refusalOf(path)).toBe(`invalid: Not a regular file: ${path} (${kind})`)
    expect(openDescriptors()).toEqual(before)
  })

  it.each(["directory", "link-to-directory", "link-to-link-to-directory", "/dev/fd", "/"])(
    "is refused as a directory: %s",
    async (name) => {
      const before = openDescriptors()
      expect(await refusalOf(spelled(name))).toBe(`is_directory: Is a directory: ${spelled(name)}`)
      expect(openDescriptors()).toEqual(before)
    },
  )

  it.each(["/dev/fd/N", "/dev/../dev/fd/N", "/dev//fd/./N"])(
    "is refused by descriptor, whatever the spelling: %s",
    async (template) => {
      const path = template.replace("N", String(silentWriter))
      expect(await refusalOf(path)).toBe(`invalid: Not a regular file: ${path} (FIFO)`)
    },
  )

  it("is judged by the open descriptor: nothing looks at the name before", async () => {
    for (const [name, calls] of [
      ["file", ["open", "fstat"]],
      ["fifo", ["open", "fstat", "close"]],
      ["directory", ["open", "fstat", "close"]],
      ["missing", ["open"]],
      ["socket", ["open", "stat"]],
    ] as const) {
      const recorded = fakeFileSystemModule()
      const opened = await openFileReader(spelled(name), BACKGROUND_CONTEXT, { fs: recorded.module })
      expect([name, recorded.calls.map((call) => call.name)]).toEqual([name, calls])
      if (opened.ok) await opened.value.close(BACKGROUND_CONTEXT)
    }
  })

  it("is opened so that it neither blocks nor becomes the terminal of this process", async () => {
    const recorded = fakeFileSystemModule()
    await openFileReader(spelled("fifo"), BACKGROUND_CONTEXT, { fs: recorded.module })
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
    expect(recorded.calls[0]?.args[1]).toBe(O_RDONLY | O_NONBLOCK | O_NOCTTY)
  })

  it.each(["fifo", "silent", "directory", "socket"])(
    "is refused when it took the place of a file: %s",
    async (name) => {
      const path = spelled(`swapped-for-${name}`)
      fs.writeFileSync(path, "a file when it was resolved\n")
      const swapping = fakeFileSystemModule({
        beforeCall(call, make) {
          if (call.name === "open") {
            fs.rmSync(path)
            fs.symlinkSync(name, path)
          }
          make()
        },
      })
      const before = openDescriptors()
      const opened = await openFileReader(path, BACKGROUND_CONTEXT, { fs: swapping.module })
      const code = name === "directory" ? "is_directory" : "invalid"
      expect(opened).toMatchObject({ ok: false, error: { code, path } })
      expect(openDescriptors()).toEqual(before)
      fs.rmSync(path)
    },
  )

  it("keeps the words of the failed open when a file has taken its place since", async () => {
    const path = spelled("socket-then-file")
    fs.symlinkSync("socket", path)
    const swapping = fakeFileSystemModule({
      beforeAnswer(call, deliver) {
        if (call.name === "open") {
          fs.rmSync(path)
          fs.symlinkSync("file", path)
        }
        deliver()
      },
    })
    const opened = await openFileReader(path, BACKGROUND_CONTEXT, { fs: swapping.module })
    expect(opened).toMatchObject({ ok: false, error: { message: expect.stringMatching(/\((ENXIO|EOPNOTSUPP)\)$/) } })
    fs.rmSync(path)
  })
})

describe("a name that opens nothing", () => {
  it.each([
    ["", "invalid", "The path is empty"],
    ["missing", "not_found", "No such file or directory: PATH (ENOENT)"],
    ["file/below", "not_directory", "A part of the path is not a directory: PATH (ENOTDIR)"],
    ["nul\0inside", "invalid", "The path holds a NUL character: PATH (ERR_INVALID_ARG_VALUE)"],
    [`${"long".repeat(100)}`, "invalid", "The path is too long: PATH (ENAMETOOLONG)"],
  ])("says why: %j", async (name, code, message) => {
    const path = name === "" ? "" : spelled(name)
    expect(await refusalOf(path)).toBe(`${code}: ${message.replace("PATH", path)}`)
  })

  it("says why where links go in a circle", async () => {
    fs.symlinkSync("circle", spelled("circle"))
    expect(await refusalOf(spelled("circle"))).toBe(
      `invalid: The symlinks of the path go in a circle: ${spelled("circle")} (ELOOP)`,
    )
  })
})

onLinux("a file of procfs or sysfs", () => {
  it.each(["/proc/self/status", "/proc/cpuinfo", "/proc/self/../self/status"])(
    "is a file whose size says nothing: %s",
    async (path) => {
      const reader = getOrThrow(await openFileReader(path, BACKGROUND_CONTEXT))
      expect(reader.info).toMatchObject({ path, size: 0 })
      let position = 0
      for (;;) {
        const bytes = getOrThrow(await reader.read(position, 4_096, BACKGROUND_CONTEXT))
        if (bytes.byteLength === 0) break
        position += bytes.byteLength
      }
      await reader.close(BACKGROUND_CONTEXT)
      expect(position).toBeGreaterThan(100)
    },
  )

  it("may hold fewer bytes than its size says", async ({ skip }) => {
    const path = ["/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled"].find((name) => fs.existsSync(name))
    if (path === undefined) return skip("this kernel shows no such file")
    const reader = getOrThrow(await openFileReader(path, BACKGROUND_CONTEXT))
    expect(reader.info.size).toBe(4_096)
    const bytes = getOrThrow(await reader.read(0, 4_096, BACKGROUND_CONTEXT))
    expect(getOrThrow(await reader.read(bytes.byteLength, 4_096, BACKGROUND_CONTEXT))).toHaveLength(0)
    await reader.close(BACKGROUND_CONTEXT)
    expect(bytes.byteLength).toBeLessThan(4_096)
  })

  it("may have no data now, and says so instead of waiting", async () => {
    const empty = {
      ...nodeFileSystemModule,
      read: (...args: Parameters<typeof nodeFileSystemModule.read>) =>
        args[5](Object.assign(new Error("EAGAIN"), { code: "EAGAIN" }), 0),
    }
    const reader = getOrThrow(await openFileReader("/proc/self/status", BACKGROUND_CONTEXT, { fs: empty }))
    expect(await reader.read(0, 10, BACKGROUND_CONTEXT)).toMatchObject({
      ok: false,
      error: { message: "No data is available now, try again later: /proc/self/status (EAGAIN)" },
    })
    await reader.close(BACKGROUND_CONTEXT)
  })

  it("answers or has no data now: /proc/kmsg", async ({ skip }) => {
    const opened = await openFileReader("/proc/kmsg", BACKGROUND_CONTEXT)
    if (!opened.ok) return skip(`it cannot be opened here: ${opened.error.message}`)
    const bytes = await opened.value.read(0, 10_000, BACKGROUND_CONTEXT)
    await opened.value.close(BACKGROUND_CONTEXT)
    expect(bytes.ok || bytes.error.message).toSatisfy(
      (answer) => answer === true || answer === "No data is available now, try again later: /proc/kmsg (EAGAIN)",
    )
  })
})
