import { builtFile } from "./built-file.ts"
import type { DocumentExtractor } from "./documents/document-extractor.ts"
import { ExtractorPool } from "./documents/extractor-pool.ts"
import { createProcessExtractor } from "./documents/process-extractor.ts"
import type { ElectronClock, ElectronDocumentProcess } from "./electron-document-process.ts"
import { startElectronProcess } from "./electron-document-process.ts"
import type { ElectronApp, ElectronGoneDetails, ElectronUtilityProcessModule } from "./electron-ports.ts"
import {
  DEFAULT_LIMITS,
  type Limits,
  MAX_DOCUMENT_PROCESSES,
  MAX_SPARE_PROCESSES,
  PROCESS_EXIT_BOUND_MS,
  SPARE_PROCESS_IDLE_MS,
} from "./limits.ts"
import { createPdfiumLoader } from "./pdfium-wasm.ts"

export type { ElectronClock } from "./electron-document-process.ts"
export type * from "./electron-ports.ts"

export interface ElectronDocumentExtractorOptions {
  /** Electron's own. */
  utilityProcess: ElectronUtilityProcessModule
  /** Electron's own; ready before the first document. */
  app: ElectronApp
  limits?: Partial<Limits>
  /**
   * Absolute path of the built document process; beside it stand its chunks and `pdfium.wasm`. The package's own by
   * default, which a bundler that takes this package apart does not find: leave the package external, or name it here.
   */
  entry?: string
  maxSpares?: 0 | 1
  platform?: NodeJS.Platform
  killByPid?: (pid: number, signal: "SIGKILL") => void
  clock?: ElectronClock
}

/** A {@link DocumentExtractor} over Electron's utility processes. */
export interface ElectronDocumentExtractor extends DocumentExtractor {
  /** Kills every process of this extractor; settles once they are gone. Later documents are `unavailable`. */
  close(): Promise<void>
  /** Of the processes that have not exited. */
  readonly processIds: readonly number[]
}

/**
 * Reads documents in Electron's utility processes, which isolate crashes, memory and time, not authority: Electron has no
 * permission model for them. All of them end when the app quits.
 */
export function createElectronDocumentExtractor(options: ElectronDocumentExtractorOptions): ElectronDocumentExtractor {
  const { app, utilityProcess } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const entry = options.entry ?? builtFile("document-process.js")
  const ports = {
    utilityProcess,
    app,
    platform: options.platform ?? process.platform,
    killByPid: options.killByPid ?? ((pid: number, signal: "SIGKILL") => void process.kill(pid, signal)),
    clock: options.clock ?? systemElectronClock,
  }
  const alive = new Map<string, ElectronDocumentProcess>()
  const pool = new ExtractorPool({
    start: () => {
      const started = startElectronProcess(entry, ports)
      alive.set(started.serviceName, started)
      started.on("exit", () => alive.delete(started.serviceName))
      return started
    },
    loadEngine: createPdfiumLoader(entry.replace(/[^/\\]*$/, "pdfium.wasm")),
    maxProcesses: MAX_DOCUMENT_PROCESSES,
    maxSpares: options.maxSpares ?? MAX_SPARE_PROCESSES,
    spareIdleMs: SPARE_PROCESS_IDLE_MS,
    exitBoundMs: PROCESS_EXIT_BOUND_MS,
  })
  const onGone = (_event: unknown, { name = "", reason }: ElectronGoneDetails): void =>
    alive.get(name)?.reportGone(reason)
  const onQuit = (): void => pool.killAll()
  app.on("child-process-gone", onGone)
  app.on("will-quit", onQuit)
  return {
    ...createProcessExtractor(pool, limits),
    get processIds() {
      return pool.pids
    },
    close: async () => {
      await pool.close()
      app.removeListener("child-process-gone", onGone)
      app.removeListener("will-quit", onQuit)
    },
  }
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
