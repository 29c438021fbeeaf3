/** What a process may load: `plain` engines are JavaScript and WebAssembly alone, `addons` may load native code. */
export type ProcessFlavour = "plain" | "addons"

/**
 * One process that decodes what others wrote, as its parent sees it. So small that Electron's `UtilityProcess` fits it.
 * Messages posted before the process listens are kept for it, in order. Nothing here throws.
 */
export interface DocumentProcess {
  /** Undefined before `spawn` and after `exit`. */
  readonly pid: number | undefined
  /** Copies `message`; posting to an ended process does nothing. */
  postMessage(message: unknown): void
  /** Ends the process at once and without asking it; a wish before `spawn` is kept. May be called again. */
  kill(): void
  on(event: "message", listener: (message: unknown) => void): void
  /** Once, after which nothing comes any more; the code has no meaning of its own. */
  on(event: "exit", listener: (code: number | null) => void): void
  /** The process could not be started, or its channel broke. */
  on(event: "error", listener: (error: Error) => void): void
  /** Whether the process keeps the event loop of its parent running. It does until told otherwise. */
  keepsParentAlive?(alive: boolean): void
}

/** Starts a process of the package's own entry. May throw: the document is then `unavailable`. */
export type StartDocumentProcess = (flavour: ProcessFlavour) => DocumentProcess
