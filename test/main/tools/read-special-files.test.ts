import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { fakeFileSystemModule } from "../../../src/testing/fake-file-system-module.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"
import { callRead, textOf } from "../../support/read-call.ts"

const onPosix = process.platform === "win32" ? describe.skip : describe
const onLinux = process.platform === "linux" ? describe : describe.skip

let folder: string
/** Keeps the silent FIFO open for writing. */
let silentWriter: number
const server = createServer()

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), "read-special-"))
  if (process.platform === "win32") return
  fs.mkdirSync(join(folder, "directory"))
  execFileSync("mkfifo", [join(folder, "fifo"), join(folder, "silent")])
  silentWriter = fs.openSync(join(folder, "silent"), fs.constants.O_RDWR)
  await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve))
  for (const name of ["fifo", "silent", "socket", "directory"]) fs.symlinkSync(name, join(folder, `link-to-${name}`))
  fs.symlinkSync("/dev/zero", join(folder, "n.txt"))
  fs.symlinkSync("/proc/self/status", join(folder, "link-to-status"))
})

afterAll(async () => {
  if (process.platform !== "win32") {
    fs.closeSync(silentWriter)
    await new Promise((resolve) => server.close(resolve))
  }
  fs.rmSync(folder, { recursive: true })
})

const read = (path: string) => callRead(new NodeExecutionEnv({ cwd: folder }), path)

onPosix("the read tool, of what is no regular file", () => {
  it.each([
    ["fifo", "FIFO"],
    ["link-to-fifo", "FIFO"],
    ["silent", "FIFO"],
    ["link-to-silent", "FIFO"],
    ["socket", "socket"],
    ["link-to-socket", "socket"],
    ["n.txt", "character device"],
    ["/dev/zero", "character device"],
    ["/dev/tty", "character device"],
    ["/dev/../dev/null", "character device"],
  ])("refuses it with its kind named: %s", async (path, kind) => {
    const before = openDescriptors()
    await expect(read(path)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(new RegExp(`^Not a regular file: .*\\(${kind}\\)$`)),
    })
    expect(openDescriptors()).toEqual(before)
  })

  it.each(["directory", "link-to-directory", ".", "/"])("refuses a directory: %s", async (path) => {
    await expect(read(path)).rejects.toMatchObject({ code: "is_directory" })
  })

  it("never reads from it", async () => {
    const recorded = fakeFileSystemModule()
    const env = new NodeExecutionEnv({ cwd: folder, fs: recorded.module })
    await expect(callRead(env, "silent")).rejects.toMatchObject({ code: "invalid" })
    expect(recorded.calls.map((call) => call.name)).toEqual(["open", "fstat", "close"])
  })

  it("refuses a FIFO that took the place of a file between resolve and open", async () => {
    const path = join(folder, "swapped")
    fs.writeFileSync(path, "a file\n")
    const { module } = fakeFileSystemModule({
      beforeCall(call, make) {
        if (call.name === "open") {
          fs.rmSync(path)
          fs.symlinkSync("silent", path)
        }
        make()
      },
    })
    await expect(callRead(new NodeExecutionEnv({ cwd: folder, fs: module }), path)).rejects.toMatchObject({
      code: "invalid",
      message: `Not a regular file: ${path} (FIFO)`,
    })
    fs.rmSync(path)
  })
})

onLinux("the read tool, of files whose size says nothing", () => {
  it.each([
    ["/proc/self/status", "Name:"],
    ["link-to-status", "Name:"],
    ["/proc/cpuinfo", "processor"],
  ])("reads them to their end: %s", async (path, start) => {
    const result = await read(path)
    expect(textOf(result).startsWith(start)).toBe(true)
    expect(result.receipt).toMatchObject({ kind: "text", bytes: 0 })
    expect(result.receipt.changed).toBeUndefined()
  })

  it("takes a size that is too large for a hint", async ({ skip }) => {
    const path = ["/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled"].find((name) => fs.existsSync(name))
    if (path === undefined) return skip("this kernel shows no such file")
    const result = await read(path)
    expect(textOf(result)).toBe(fs.readFileSync(path, "utf8") || `[Empty file: ${path}]`)
    expect(result.receipt.changed).toBeUndefined()
  })

  it("answers or says that there is no data now: /proc/kmsg", async () => {
    const outcome = await read("/proc/kmsg").then(textOf, (error: Error) => error.message)
    expect(outcome).toSatisfy(
      (text: string) => /^<\d+>/.test(text) || /No data is available now|not permitted|No such file|denied/.test(text),
    )
  })
})
