import type { ChildProcess, ForkOptions } from "node:child_process"
import { dirname, join } from "node:path"
import { addonFolders } from "./addon-folders.ts"
import type { DocumentProcess, ProcessFlavour } from "./documents/document-process.ts"
import { LastWords } from "./last-words.ts"
import { MAX_DOCUMENT_HEAP_MIB } from "./limits.ts"

/**
 * Heap that is there from the start, MiB: otherwise what comes before a job, the engine and its practice, is collected in
 * the middle of it, which took 8 to 13 ms.
 */
const HEAP_START_FLAGS = ["--initial-old-space-size=64", "--min-semi-space-size=8"]

/** `child_process.fork`, as far as it is used here. */
export type Fork = (entry: string, args: string[], options: ForkOptions) => ChildProcess

/** From this version on the permission model has no "experimental" in its name; Node 22 before it has the other. */
const STABLE_PERMISSION = [22, 13] as const

/**
 * Starts the document process at `entry`, alone with its own files, its channel and an empty environment. One that ends
 * by itself without a message had no document yet: `tell` gets its last words, which say what is wrong with the host.
 */
export function startNodeProcess(
  fork: Fork,
  entry: string,
  flavour: ProcessFlavour,
  tell?: (message: string) => void,
): DocumentProcess {
  const child = fork(entry, [], {
    serialization: "advanced",
    env: minimalEnvironment(),
    execArgv: nodeFlags(entry, flavour),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    windowsHide: true,
  })
  // Read whether or not anyone asks: a child waits where its pipe is full.
  const lastWords = new LastWords()
  child.stderr?.on("data", (bytes: Buffer) => lastWords.add(bytes))
  child.stderr?.on("error", () => undefined)
  let endIsExpected = false
  let failure: string | undefined
  const fail = (how: string) => {
    if (!endIsExpected) failure ??= how
  }
  child.once("message", () => {
    endIsExpected = true
  })
  child.on("error", (error) => fail(error.message))
  child.on("exit", (code, signal) => fail(signal ?? `exit code ${code}`))
  // By then all of its words have been read.
  child.on("close", () => {
    if (failure !== undefined) tell?.(`The document process did not start (${failure})${after(lastWords.toString())}`)
  })
  const keepsParentAlive = (alive: boolean) => {
    const stderr = failure === undefined ? (child.stderr as { ref?(): void; unref?(): void } | null) : null
    const held = [child, child.channel, stderr]
    for (const handle of held) (alive ? handle?.ref : handle?.unref)?.call(handle)
  }
  return {
    get pid() {
      return child.exitCode === null && child.signalCode === null ? child.pid : undefined
    },
    postMessage: (message) => {
      // A channel that closes meanwhile is seen by the exit, which always follows.
      if (child.connected) child.send(message as object, undefined, {}, () => undefined)
    },
    kill: () => {
      endIsExpected = true
      child.kill("SIGKILL")
    },
    on: (event: string, listener: (...args: never[]) => void) => {
      child.on(event, listener as () => void)
    },
    keepsParentAlive,
  }
}

function after(words: string): string {
  return words === "" ? "" : `: ${words}`
}

/** Windows starts no program without its own folder; nothing else of the host's environment is anyone's business. */
function minimalEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env
  return process.platform === "win32" && SystemRoot !== undefined ? { SystemRoot } : {}
}

/** Flags for this very Node: heap, permissions, and no warning about either. */
export function nodeFlags(entry: string, flavour: ProcessFlavour, version: string = process.versions.node): string[] {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const stable = major > STABLE_PERMISSION[0] || (major === STABLE_PERMISSION[0] && minor >= STABLE_PERMISSION[1])
  return [
    `--max-old-space-size=${MAX_DOCUMENT_HEAP_MIB}`,
    ...HEAP_START_FLAGS,
    "--no-warnings",
    stable ? "--permission" : "--experimental-permission",
    `--allow-fs-read=${entry}`,
    `--allow-fs-read=${join(dirname(entry), "document-thread.js")}`,
    `--allow-fs-read=${join(dirname(entry), "chunks", "*")}`,
    "--allow-worker",
    ...(flavour === "addons"
      ? ["--allow-addons", ...addonFolders().map((path) => `--allow-fs-read=${join(path, "*")}`)]
      : []),
  ]
}
