import { fork } from "node:child_process"
import { EventEmitter } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { serialize } from "node:v8"

const SHIM = fileURLToPath(new URL("./child-shim.mjs", import.meta.url))
/** Chromium's grace between SIGTERM and SIGKILL. */
const TERMINATE_GRACE_MS = 2_000

/**
 * Electron's `utilityProcess` and `app` over real child processes of Node, with the traps that are known of the real ones.
 * `launchFails`: every fork is one that the operating system refuses. `reportsLaunchFailure`: as Electron 45 does.
 */
export function createFakeElectron({ isReady = true, launchFails = false, reportsLaunchFailure = false } = {}) {
  const app = new EventEmitter()
  const measured = new Map()
  app.getAppMetrics = () =>
    [...measured].map(([pid, name]) => ({ pid, name, type: "Utility", memory: { workingSetSize: residentKib(pid) } }))
  const utilityProcess = {
    fork(modulePath, args = [], options = {}) {
      if (!isReady) throw new TypeError("utilityProcess cannot be created before app is ready.")
      if (!modulePath) throw new Error("Missing UtilityProcess entry script.")
      for (const value of Object.values(options.env ?? {})) {
        if (typeof value !== "string") throw new TypeError("Invalid value for env")
      }
      if (launchFails) {
        const name = options.serviceName
        const details = {
          type: "Utility",
          reason: "launch-failed",
          exitCode: 0,
          name,
          serviceName: "node.mojom.NodeService",
        }
        if (reportsLaunchFailure) setImmediate(() => app.emit("child-process-gone", {}, details))
        return new NeverLaunched()
      }
      return new FakeUtilityProcess(modulePath, args, options, app, measured)
    },
  }
  return { app, utilityProcess }
}

class NeverLaunched extends EventEmitter {
  pid = undefined
  postMessage() {}
  kill() {
    return false
  }
}

class FakeUtilityProcess extends EventEmitter {
  pid = undefined
  #child
  #state = "starting"
  #killed = false

  constructor(modulePath, args, { env = {}, execArgv = [], serviceName }, app, measured) {
    super()
    const isEmpty = Object.keys(env).length === 0
    const jsFlags = execArgv.flatMap((flag) => (flag.startsWith("--js-flags=") ? flag.slice(11).split(" ") : []))
    this.#child = fork(SHIM, [modulePath, ...args], {
      serialization: "advanced",
      // An empty environment does not clear: it is the parent's.
      env: isEmpty ? process.env : env,
      // Of the flags only those of V8 arrive, and only this way.
      execArgv: jsFlags,
      stdio: "ignore",
    })
    this.#child.once("spawn", () => {
      this.pid = this.#child.pid
      this.#state = "running"
      setImmediate(() => this.#state === "running" && measured.set(this.pid, serviceName))
      this.emit("spawn")
    })
    this.#child.on("message", (message) => this.emit("message", message))
    this.#child.on("error", () => undefined)
    this.#child.once("exit", (code, signal) => {
      measured.delete(this.pid)
      this.pid = undefined
      this.#state = "ending"
      const crashed = signal !== null
      this.emit("exit", this.#killed ? 0 : crashed ? 9 : code)
      this.#state = "ended"
      if (crashed) {
        const reason = this.#killed ? "killed" : "crashed"
        app.emit("child-process-gone", {}, { type: "Utility", reason, exitCode: 0, name: serviceName })
      }
    })
  }

  /** @type {typeof EventEmitter.prototype.emit} */
  emit(event, ...args) {
    if (event === "error" && this.listenerCount("error") === 0) throw new Error("ERR_UNHANDLED_ERROR")
    return super.emit(event, ...args)
  }

  postMessage(message, transfer = []) {
    if (this.#state === "ending") throw new Error("A post inside of an exit listener crashes the main process")
    if (transfer.some((port) => port instanceof ArrayBuffer)) throw new TypeError("Port at index 0 is not a valid port")
    try {
      serialize(message)
    } catch {
      throw new Error("An object could not be cloned.")
    }
    if (this.#state !== "ended" && this.#child.connected) this.#child.send(message, undefined, {}, () => undefined)
  }

  kill() {
    if (this.#state !== "running") return false
    this.#killed = true
    this.#child.kill("SIGTERM")
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), TERMINATE_GRACE_MS)
    this.#child.once("exit", () => clearTimeout(timer))
    return true
  }
}

function residentKib(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0)
  } catch {
    return 0
  }
}
