import { builtFile } from "./built-file.ts"
import type { ElectronClock, ElectronDocumentProcess } from "./electron-document-process.ts"
import { startElectronProcess } from "./electron-document-process.ts"
import type { ElectronApp, ElectronGoneDetails, ElectronUtilityProcessModule } from "./electron-ports.ts"
import {
  createPooledExtractor,
  failureTeller,
  type PooledExtractor,
  type PooledExtractorOptions,
} from "./pooled-extractor.ts"

export type { ElectronClock } from "./electron-document-process.ts"
export type * from "./electron-ports.ts"

export interface ElectronDocumentExtractorOptions extends PooledExtractorOptions {
  /** Electron's own. */
  utilityProcess: ElectronUtilityProcessModule
  /** Electron's own; ready before the first document. */
  app: ElectronApp
  /**
   * Absolute path of the built document process; beside it stand its chunks and `pdfium.wasm`. The package's own by
   * default, which a bundler that takes this package apart does not find: leave the package external, or name it here.
   */
  entry?: string
  platform?: NodeJS.Platform
  killByPid?: (pid: number, signal: "SIGKILL") => void
  clock?: ElectronClock
}

/** A `DocumentExtractor` over Electron's utility processes. */
export type ElectronDocumentExtractor = PooledExtractor

/**
 * Reads documents in Electron's utility processes, which isolate crashes, memory and time, not authority: Electron has no
 * permission model for them. All of them end when the app quits.
 */
export function createElectronDocumentExtractor(options: ElectronDocumentExtractorOptions): ElectronDocumentExtractor {
  const { app, utilityProcess } = options
  const entry = options.entry ?? builtFile("document-process.js")
  const ports = {
    utilityProcess,
    app,
    platform: options.platform ?? process.platform,
    killByPid: options.killByPid ?? ((pid: number, signal: "SIGKILL") => void process.kill(pid, signal)),
    clock: options.clock ?? systemElectronClock,
  }
  const tell = failureTeller(options)
  const alive = new Map<string, ElectronDocumentProcess>()
  const start = (): ElectronDocumentProcess => {
    const started = startElectronProcess(entry, ports)
    alive.set(started.serviceName, started)
    started.on("error", ({ message }) => tell(message))
    started.on("exit", () => alive.delete(started.serviceName))
    return started
  }
  const onGone = (_event: unknown, { name = "", reason }: ElectronGoneDetails): void =>
    alive.get(name)?.reportGone(reason)
  return createPooledExtractor(
    entry,
    start,
    (killAll) => {
      app.on("child-process-gone", onGone)
      app.on("will-quit", killAll)
      return () => {
        app.removeListener("child-process-gone", onGone)
        app.removeListener("will-quit", killAll)
      }
    },
    options,
  )
}

const systemElectronClock: ElectronClock = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}
