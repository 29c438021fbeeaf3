import type { DocumentProcess } from "./documents/document-process.ts"
import type { ElectronApp, ElectronUtilityProcess, ElectronUtilityProcessModule } from "./electron-ports.ts"
import {
  ELECTRON_METRICS_POLL_MS,
  ELECTRON_SPAWN_BOUND_MS,
  MAX_DOCUMENT_HEAP_MIB,
  MAX_DOCUMENT_RESIDENT_BYTES,
} from "./limits.ts"

/** What {@link startElectronProcess} calls of Electron and of the machine. */
export interface ElectronProcessPorts {
  utilityProcess: ElectronUtilityProcessModule
  app: Pick<ElectronApp, "getAppMetrics">
  /** `process.platform`. */
  platform: NodeJS.Platform
  /** `process.kill`. May throw. */
  killByPid(pid: number, signal: "SIGKILL"): void
  /** Timers that keep no event loop running; each answers how to cancel it. */
  clock: ElectronClock
}

export interface ElectronClock {
  after(ms: number, run: () => void): () => void
  every(ms: number, run: () => void): () => void
}

/** A document process in Electron, which its owner tells of `child-process-gone`. */
export interface ElectronDocumentProcess extends DocumentProcess {
  /** Unique; the name under which Electron's metrics and events know the process. */
  readonly serviceName: string
  /** The app saw the process go; `launch-failed` comes without `spawn` and without `exit`. */
  reportGone(reason: string): void
}

let started = 0

/** Starts the document process at `entry`, an absolute path. Throws what `fork` throws, as before the app is ready. */
export function startElectronProcess(entry: string, ports: ElectronProcessPorts): ElectronDocumentProcess {
  const serviceName = `bounded-read-document-${process.pid}-${++started}`
  const child = ports.utilityProcess.fork(entry, [], {
    serviceName,
    env: childEnvironment(ports.platform),
    // A bare --max-old-space-size is not among the flags that Electron hands on.
    execArgv: [`--js-flags=--max-old-space-size=${MAX_DOCUMENT_HEAP_MIB}`],
    stdio: "ignore",
  })
  // Listened to in the tick of the fork: an `error` without a listener would be thrown in the main process.
  return new UtilityDocumentProcess(child, serviceName, ports)
}

class UtilityDocumentProcess implements ElectronDocumentProcess {
  private readonly listeners = {
    message: [] as ((message: unknown) => void)[],
    exit: [] as ((code: number | null) => void)[],
    error: [] as ((error: Error) => void)[],
  }
  /** Dropped before anyone hears of the exit: a post inside of an exit listener has crashed main processes. */
  private child: ElectronUtilityProcess | undefined
  private spawned = false
  private killAsked = false
  private cancelSpawnBound: () => void
  private cancelPoll: (() => void) | undefined

  constructor(
    child: ElectronUtilityProcess,
    readonly serviceName: string,
    private readonly ports: ElectronProcessPorts,
  ) {
    this.child = child
    child.on("error", (_type, location) => this.emitError(`V8 failed at ${location}`))
    child.on("exit", (code) => this.emitExit(code))
    child.on("message", (message) => {
      if (this.child !== undefined) for (const listener of this.listeners.message) listener(message)
    })
    child.on("spawn", () => {
      this.spawned = true
      this.cancelSpawnBound()
      if (this.killAsked) this.kill()
    })
    // A launch that fails tells nobody in older versions: neither `spawn` nor `exit` ever comes.
    this.cancelSpawnBound = ports.clock.after(ELECTRON_SPAWN_BOUND_MS, () => this.giveUp("did not start"))
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  postMessage(message: unknown): void {
    try {
      this.child?.postMessage(message)
    } catch (thrown) {
      this.emitError(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }

  kill(): void {
    const { child, ports } = this
    this.killAsked = true
    // Before `spawn` a kill does nothing: it is done then.
    if (child === undefined || !this.spawned) return
    const { pid } = child
    // By pid first: Electron's own kill waits up to 2 s on macOS for a process that does not follow a SIGTERM.
    if (ports.platform !== "win32" && pid !== undefined) attempt(() => ports.killByPid(pid, "SIGKILL"))
    attempt(() => child.kill())
  }

  on(event: "message", listener: (message: unknown) => void): void
  on(event: "exit", listener: (code: number | null) => void): void
  on(event: "error", listener: (error: Error) => void): void
  on(event: keyof UtilityDocumentProcess["listeners"], listener: (value: never) => void): void {
    ;(this.listeners[event] as ((value: never) => void)[]).push(listener)
  }

  /** The host of the process runs anyway; a process at work is one whose memory is looked at. */
  keepsParentAlive(working: boolean): void {
    this.cancelPoll?.()
    this.cancelPoll = undefined
    if (working && this.child !== undefined) {
      this.cancelPoll = this.ports.clock.every(ELECTRON_METRICS_POLL_MS, () => this.judgeMemory())
    }
  }

  reportGone(reason: string): void {
    if (reason === "launch-failed") this.giveUp("could not be launched")
    else this.emitExit(null)
  }

  private judgeMemory(): void {
    const metrics = this.ports.app.getAppMetrics()
    // By name as well: a pid may be given to another process.
    const own = metrics.find(({ pid, name }) => pid === this.pid && name === this.serviceName)
    if (own !== undefined && own.memory.workingSetSize * 1024 > MAX_DOCUMENT_RESIDENT_BYTES) this.kill()
  }

  private giveUp(why: string): void {
    this.emitError(`The document process ${why}`)
    // Should it come up after all, nobody would end it.
    this.killAsked = true
    if (!this.spawned) this.emitExit(null)
  }

  private emitError(message: string): void {
    if (this.child !== undefined) for (const listener of this.listeners.error) listener(new Error(message))
  }

  private emitExit(code: number | null): void {
    if (this.child === undefined) return
    if (this.killAsked && !this.spawned) this.killWhenSpawned(this.child)
    this.child = undefined
    this.cancelSpawnBound()
    this.cancelPoll?.()
    for (const listener of this.listeners.exit) listener(code)
  }

  private killWhenSpawned(child: ElectronUtilityProcess): void {
    child.on("spawn", () => attempt(() => child.kill()))
  }
}

function attempt(run: () => unknown): void {
  try {
    run()
  } catch {
    // It is gone already.
  }
}

/** What a process needs to start, and a mark: an empty environment would be the host's, with all its secrets. */
function childEnvironment(platform: NodeJS.Platform): Record<string, string> {
  const names = platform === "win32" ? ["SystemRoot", "windir", "TEMP", "TMP"] : ["TMPDIR", "LANG"]
  const environment: Record<string, string> = { BOUNDED_READ_DOCUMENT_PROCESS: "1" }
  for (const name of names) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}
