import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import { SHELL_UPDATE_INTERVAL_MS } from "../../../src/main/limits.ts"
import type { Context, ShellExecOptions, ShellOutputUpdate, ShellOutputView } from "../../../vendor/pi-harness/index.ts"
import {
  applyShellOutputUpdate,
  BACKGROUND_CONTEXT,
  getOrThrow,
  withAbortSignal,
} from "../../../vendor/pi-harness/index.ts"

let root: string
let env: NodeExecutionEnv

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "node-shell-"))
  env = new NodeExecutionEnv({ cwd: root })
})
afterEach(async () => {
  await env.cleanup(BACKGROUND_CONTEXT)
  rmSync(root, { recursive: true, force: true })
})

async function run(command: string, options: ShellExecOptions = {}, context: Context = BACKGROUND_CONTEXT) {
  const updates: ShellOutputUpdate[] = []
  let view: ShellOutputView | undefined
  const result = await env.exec(
    command,
    {
      ...options,
      onUpdate: (update, given) => {
        updates.push(update)
        view = applyShellOutputUpdate(view, update)
        options.onUpdate?.(update, given)
      },
    },
    context,
  )
  return { result, updates, view, text: view?.text ?? "" }
}

const tail = (maxBytes: number, maxLines: number): ShellExecOptions => ({ capture: { limits: { maxBytes, maxLines } } })

/** Settles once nothing answers to the process id any more. */
async function whenGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
      // A killed process answers until it is reaped; in a container without an init it is never.
      if (process.platform === "linux" && readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) return
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe("a command", () => {
  it.each([
    ["echo out; echo err >&2", 0, /^(out\nerr\n|err\nout\n)$/],
    ["exit 3", 3, /^$/],
    ["kill -9 $$", 137, /^$/],
    ["kill -TERM $$", 143, /^$/],
    ["cat; echo after", 0, /^after\n$/],
    ["printf '\\033[31mred\\033[0m\\r\\n\\0x\\377\\tend'", 0, /^\[31mred\[0m\nx\ufffd\tend$/],
    ["printf '\\357\\273\\277bom'", 0, /^bom$/],
    ["printf '\\303'; sleep 0.05; printf '\\251'", 0, /^é$/],
    ["nosuchcommand-x 2>/dev/null", 127, /^$/],
  ])("%s ends with %i", async (command, exitCode, output) => {
    const { result, text } = await run(command)
    expect(result).toMatchObject({ ok: true, value: { exitCode } })
    expect(text).toMatch(output)
  })

  it("runs in the folder that was asked for, with the variables that were", async () => {
    getOrThrow(await env.createDir("sub", undefined, BACKGROUND_CONTEXT))
    const bare = await run('pwd; echo "$A-$B-$HOME"', { cwd: "sub", env: { A: "1" }, inheritEnv: false })
    expect(bare.text).toMatch(/\/sub\n1--\n$/)
    env = new NodeExecutionEnv({ cwd: root, shellEnv: { A: "0", B: "2" } })
    const inheriting = await run('echo "$A-$B-$PATH"', { env: { A: "1" } })
    expect(inheriting.text).toBe(`1-2-${process.env.PATH}\n`)
  })

  it.each<[string, ShellExecOptions, string]>([
    ["pwd", { cwd: "gone" }, "spawn_error"],
    ["echo a\0b", {}, "spawn_error"],
    [`true ${"x".repeat(3_000_000)}`, {}, "spawn_error"],
    ["true", { timeout: 0 }, "timeout"],
    ["true", { timeout: Number.NaN }, "timeout"],
    ["true", { timeout: 1e9 }, "timeout"],
    ["true", tail(0, 1), "unknown"],
    ["true", tail(Number.POSITIVE_INFINITY, 1), "unknown"],
    ["true", tail(1, 1.5), "unknown"],
  ])("that cannot be run as asked is refused (%#)", async (command, options, code) => {
    expect((await run(command, options)).result).toMatchObject({ ok: false, error: { code, name: "ExecutionError" } })
  })

  it("is not started without a shell", async () => {
    env = new NodeExecutionEnv({ cwd: root, shellPath: join(root, "nosuchshell") })
    expect((await run("true")).result).toMatchObject({ ok: false, error: { code: "shell_unavailable" } })
  })

  it("says which limit was in force where more was asked for than may be held", async () => {
    const { result } = await run("echo x", tail(Number.MAX_SAFE_INTEGER, 10))
    expect(getOrThrow(result).truncation).toMatchObject({ truncated: false, maxBytes: 16 * 1024 * 1024 })
  })
})

describe("output", () => {
  it("of 100 MB is counted, held to its limits and told in few updates", async () => {
    const { result, text, updates, view } = await run("yes | head -c 100000000", tail(51_200, 2000))
    const { truncation } = getOrThrow(result)
    expect(truncation).toMatchObject({ totalLines: 50_000_000, totalBytes: 100_000_000, outputLines: 2000 })
    expect(text).toBe(`${"y\n".repeat(1999)}y`)
    expect(view?.truncation).toEqual(truncation)
    expect(updates[0]?.kind).toBe("replace")
  })

  it("of one endless line keeps its end, cut between characters", async () => {
    const { result, text } = await run("yes é | tr -d '\\n' | head -c 3000000", tail(101, 10))
    expect(text).toBe("é".repeat(50))
    expect(getOrThrow(result)).toMatchObject({
      lastLineBytes: 3_000_000,
      truncation: { lastLinePartial: true, outputBytes: 100, totalLines: 1 },
    })
  })

  it.each(["head", "tail"] as const)("is the fold of its updates, at the %s", async (retain) => {
    const limits = { maxBytes: 40, maxLines: 4, retain }
    const seconds = (SHELL_UPDATE_INTERVAL_MS + 20) / 1000
    const command = `for i in 1 2 3 4 5 6 7; do echo "line $i"; sleep ${seconds}; done`
    const { result, text, updates, view } = await run(command, { capture: { limits } })
    const lines = retain === "head" ? [1, 2, 3, 4] : [4, 5, 6, 7]
    expect(text).toBe(lines.map((n) => `line ${n}`).join("\n"))
    expect({ ...view, text: undefined }).toEqual({ ...getOrThrow(result), text: undefined, exitCode: undefined })
    expect(updates[0]?.kind).toBe("replace")
  })

  it("goes whole to a file once it has grown past its limits, byte for byte", async () => {
    const command = "printf '\\r\\377\\0'; seq 1 200000"
    const { result, view } = await run(command, { capture: { limits: { maxBytes: 100, maxLines: 5 }, spill: true } })
    const path = getOrThrow(result).spillPath ?? ""
    expect(view?.spillPath).toBe(path)
    const whole = `\r\xff\0${Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("")}`
    expect(readFileSync(path, "latin1") === whole).toBe(true)
    rmSync(dirname(path), { recursive: true })
  })

  it("within its limits leaves no file", async () => {
    const { result } = await run("echo hi", { capture: { limits: { maxBytes: 100, maxLines: 5 }, spill: true } })
    expect(getOrThrow(result).spillPath).toBeUndefined()
  })

  it("ends with the shell, whatever a background process holds", async () => {
    const { result, text } = await run("sleep 300 & echo $!")
    expect(getOrThrow(result).exitCode).toBe(0)
    process.kill(Number(text), "SIGKILL")
    const endless = await run("yes & echo $! >pid; sleep 0.05", tail(100, 5))
    expect(getOrThrow(endless.result).exitCode).toBe(0)
    // Its pipe is closed: it ends by itself.
    await whenGone(Number(readFileSync(join(root, "pid"), "utf8")))
  })
})

describe("a command is killed with all that it started", () => {
  const family = "trap '' TERM; sleep 300 & echo $!; echo ready; wait; sleep 300"

  it("on abort", async () => {
    const controller = new AbortController()
    const context = withAbortSignal(controller.signal, BACKGROUND_CONTEXT)
    let seen = ""
    const onUpdate = (update: ShellOutputUpdate) => {
      seen += "text" in update ? update.text : update.kind === "replace" ? update.output.text : ""
      if (seen.includes("ready")) controller.abort()
    }
    const { result, text } = await run(family, { onUpdate }, context)
    expect(result).toMatchObject({ ok: false, error: { code: "aborted" } })
    await whenGone(Number(text.split("\n")[0]))
    expect((await run("echo never", {}, context)).result).toMatchObject({ ok: false, error: { code: "aborted" } })
  })

  it("on timeout", async () => {
    const { result, text } = await run(family, { timeout: 2 })
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } })
    expect(text).toContain("ready")
    await whenGone(Number(text.split("\n")[0]))
  })

  it("when onUpdate throws, which is not called again", async () => {
    let calls = 0
    const onUpdate = () => {
      calls++
      throw new Error("no")
    }
    const { result, text } = await run("echo $$; sleep 300", { onUpdate })
    expect(result).toMatchObject({ ok: false, error: { code: "callback_error" } })
    expect(calls).toBe(1)
    await whenGone(Number(text))
  })

  it("on cleanup, and ends as killed commands do", async () => {
    const onUpdate = () => void env.cleanup(BACKGROUND_CONTEXT)
    expect((await run("echo go; sleep 300", { onUpdate })).result).toMatchObject({ ok: true, value: { exitCode: 137 } })
  })
})
