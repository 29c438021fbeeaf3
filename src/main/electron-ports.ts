/** What this package uses of Electron, by shape: its own `utilityProcess` and `app` fit, and nothing here loads it. */

/** A process started by {@link ElectronUtilityProcessModule.fork}. */
export interface ElectronUtilityProcess {
  /** Undefined before `spawn` and after `exit`. */
  readonly pid: number | undefined
  postMessage(message: unknown): void
  /** False, and without effect, before `spawn` and after `exit`. */
  kill(): boolean
  on(event: "spawn", listener: () => void): unknown
  on(event: "exit", listener: (code: number) => void): unknown
  on(event: "message", listener: (message: unknown) => void): unknown
  on(event: "error", listener: (type: "FatalError", location: string, report: string) => void): unknown
}

export interface ElectronForkOptions {
  env?: Record<string, string>
  execArgv?: string[]
  stdio?: "ignore"
  serviceName?: string
}

export interface ElectronUtilityProcessModule {
  fork(modulePath: string, args?: string[], options?: ElectronForkOptions): ElectronUtilityProcess
}

/** One process in the app's metrics. */
export interface ElectronProcessMetric {
  pid: number
  /** The `serviceName` that the process was forked with. */
  name?: string
  /** In KiB. */
  memory: { workingSetSize: number }
}

export interface ElectronGoneDetails {
  reason: string
  name?: string
}

export interface ElectronApp {
  getAppMetrics(): ElectronProcessMetric[]
  on(event: "will-quit", listener: () => void): unknown
  on(event: "child-process-gone", listener: (event: unknown, details: ElectronGoneDetails) => void): unknown
  removeListener(event: "will-quit", listener: () => void): unknown
  removeListener(event: "child-process-gone", listener: (event: unknown, details: ElectronGoneDetails) => void): unknown
}
