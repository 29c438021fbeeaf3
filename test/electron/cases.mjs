import assert from "node:assert/strict"
import { once } from "node:events"
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { READS } from "./reads.mjs"

/** @typedef {import("./cases.d.mts").Host} Host */

const child = (name) => fileURLToPath(new URL(`./children/${name}.mjs`, import.meta.url))
const context = { abortSignal: undefined, value: () => undefined, toString: () => "test" }

function requestFor(bytes) {
  const reader = {
    info: { path: "/in-memory", size: bytes.length, mtimeMs: 0, identity: "0:0" },
    read: async (position, length) => ({
      ok: true,
      value: Uint8Array.from(bytes.subarray(position, position + length)),
    }),
    close: async () => undefined,
  }
  return { kind: "pdf", reader, images: false }
}

function fork({ utilityProcess }, name, options = {}) {
  const forked = utilityProcess.fork(child(name), [], { stdio: "ignore", ...options })
  forked.on("error", () => undefined)
  return forked
}

/** Kills for sure, as the adapter does. */
async function end(forked) {
  const exited = once(forked, "exit")
  if (forked.pid === undefined) return
  process.kill(forked.pid, "SIGKILL")
  await exited
}

const isGone = (pid) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** How `utilityProcess` behaves, which the adapter is built on: shown on the fake and on the real one alike. */
const TRAPS = [
  {
    title: "a process has no pid before it is spawned, and a kill before that does nothing",
    async run(host) {
      const forked = fork(host, "echo")
      assert.equal(forked.pid, undefined)
      assert.equal(forked.kill(), false)
      await once(forked, "spawn")
      assert.equal(typeof forked.pid, "number")
      await end(forked)
      assert.equal(forked.pid, undefined)
      assert.equal(forked.kill(), false)
    },
  },
  {
    title: "messages posted before the spawn arrive in order",
    async run(host) {
      const forked = fork(host, "echo")
      for (let n = 0; n < 5; n++) forked.postMessage(n)
      const echoes = []
      await new Promise((resolve) => {
        forked.on("message", ({ echo }) => {
          if (echoes.push(echo) === 5) resolve()
        })
      })
      assert.deepEqual(echoes, [0, 1, 2, 3, 4])
      await end(forked)
    },
  },
  {
    title: "an empty environment is the host's own, another one replaces it",
    async run(host) {
      for (const [env, inherits] of [
        [{}, true],
        [{ MARK: "1" }, false],
      ]) {
        const forked = fork(host, "echo", { env })
        forked.postMessage("?")
        const [answer] = await once(forked, "message")
        assert.equal("PATH" in answer.env, inherits)
        await end(forked)
      }
      assert.throws(() => fork(host, "echo", { env: { MARK: undefined } }), /env/)
    },
  },
  {
    title: "an exit code is handed on, an uncaught error is 1, a missing entry is a spawn and 1",
    async run(host) {
      for (const [name, code] of [
        ["ends", 2],
        ["throws", 1],
        ["no-such-entry", 1],
      ]) {
        const forked = fork(host, name)
        const [exited] = await once(forked, "exit")
        assert.equal(exited, code, name)
      }
    },
  },
  {
    title: "neither an empty event loop nor an unhandled rejection ends a process",
    async run(host) {
      const forked = fork(host, "stays")
      await once(forked, "spawn")
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.notEqual(forked.pid, undefined)
      await end(forked)
    },
  },
  {
    title: "what cannot be cloned throws at the post, and the process lives on",
    async run(host) {
      const forked = fork(host, "echo")
      assert.throws(() => forked.postMessage(() => undefined))
      assert.throws(() => forked.postMessage(1, [new ArrayBuffer(8)]), TypeError)
      forked.postMessage("still there")
      const [{ echo }] = await once(forked, "message")
      assert.equal(echo, "still there")
      await end(forked)
      assert.equal(forked.postMessage("to nobody"), undefined)
    },
  },
]

/** What the adapter promises on top of it. */
const PROMISES = [
  {
    title: "a PDF is read, and the process is gone afterwards",
    async run({ createExtractor, pdf }) {
      const extractor = createExtractor({ maxSpares: 0 })
      const result = await extractor.extract(requestFor(pdf), context)
      assert.deepEqual(
        result.value.pages.map(({ text }) => text),
        ["Hello, world"],
      )
      await extractor.close()
      assert.deepEqual(extractor.processIds, [])
    },
  },
  {
    title: "six documents at once are all read, two at a time",
    async run({ createExtractor, pdf }) {
      const extractor = createExtractor({ limits: { documentDeadlineMs: 60_000 } })
      const results = await Promise.all(Array.from({ length: 6 }, () => extractor.extract(requestFor(pdf), context)))
      assert.ok(results.every(({ ok, value }) => ok && value.pages.length === 1))
      await extractor.close()
    },
  },
  {
    title: "a process that spins and ignores SIGTERM is ended at the deadline, and its place is free again",
    async run({ createExtractor, pdf, engine }) {
      const folder = await mkdtemp(join(tmpdir(), "spins-"))
      await copyFile(child("spins"), join(folder, "spins.mjs"))
      await symlink(engine, join(folder, "pdfium.wasm"))
      const limits = { documentDeadlineMs: 1_000 }
      const extractor = createExtractor({ entry: join(folder, "spins.mjs"), maxSpares: 0, limits })
      const [first, second, third] = [0, 1, 2].map(() => extractor.extract(requestFor(pdf), context))
      assert.equal((await first).value.notRead, "timeout")
      assert.equal((await second).value.notRead, "timeout")
      // It waited for a place, and that counts.
      assert.equal((await third).value.notRead, "timeout")
      assert.equal((await extractor.extract(requestFor(pdf), context)).value.notRead, "timeout")
      const pids = extractor.processIds
      await extractor.close()
      await rm(folder, { recursive: true })
      assert.ok(pids.every(isGone))
    },
  },
  {
    title: "an abort in the tick of the start settles at once and leaves no process",
    async run({ createExtractor, pdf }) {
      const extractor = createExtractor({ maxSpares: 0 })
      const abort = new AbortController()
      const aborted = extractor.extract(requestFor(pdf), { ...context, abortSignal: abort.signal })
      abort.abort()
      assert.equal((await aborted).error.code, "aborted")
      await extractor.close()
      assert.deepEqual(extractor.processIds, [])
    },
  },
  {
    title: "a missing entry is unavailable at that call only",
    async run({ createExtractor, pdf }) {
      const broken = createExtractor({ entry: child("no-such-entry"), maxSpares: 0 })
      assert.equal((await broken.extract(requestFor(pdf), context)).value.notRead, "unavailable")
      await broken.close()
      const whole = createExtractor({ maxSpares: 0 })
      assert.equal((await whole.extract(requestFor(pdf), context)).value.notRead, undefined)
      await whole.close()
    },
  },
  {
    title: "all processes end when the app quits",
    async run({ app, createExtractor, pdf }) {
      const extractor = createExtractor({ limits: { documentDeadlineMs: 60_000 } })
      const pending = extractor.extract(requestFor(pdf), context)
      app.emit("will-quit")
      const result = await pending
      assert.equal(result.value.notRead, "unavailable")
      assert.equal((await extractor.extract(requestFor(pdf), context)).value.notRead, "unavailable")
      await extractor.close()
      assert.deepEqual(extractor.processIds, [])
    },
  },
]

/** @type {{ title: string, run: (host: Host) => Promise<void> }[]} */
export const CASES = [...TRAPS, ...PROMISES, ...READS]
