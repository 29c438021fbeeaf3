import { type ChildProcess, fork as forkProcess } from "node:child_process"
import { builtFile } from "./built-file.ts"
import type { DocumentExtractor } from "./documents/document-extractor.ts"
import { ExtractorPool } from "./documents/extractor-pool.ts"
import { createProcessExtractor } from "./documents/process-extractor.ts"
import {
  DEFAULT_LIMITS,
  type Limits,
  MAX_DOCUMENT_PROCESSES,
  MAX_SPARE_PROCESSES,
  PROCESS_EXIT_BOUND_MS,
  SPARE_PROCESS_IDLE_MS,
} from "./limits.ts"
import { startNodeProcess } from "./node-document-process.ts"
import { createPdfiumLoader } from "./pdfium-wasm.ts"

export interface NodeDocumentExtractorOptions {
  limits?: Partial<Limits>
  /** The built entry of the document process; beside it stand its chunks and `pdfium.wasm`. The package's own by default. */
  entry?: string
  /** Starts processes; `child_process.fork` by default. */
  fork?: (entry: string, args: string[], options: Parameters<typeof forkProcess>[2]) => ChildProcess
  /** 0 for a host that reads one document and ends. */
  maxSpares?: 0 | 1
}

/** A {@link DocumentExtractor} over child processes. It keeps no host running, and no process outlives the host. */
export interface NodeDocumentExtractor extends DocumentExtractor {
  /** Kills every process of this extractor; settles once they are gone. Later documents are `unavailable`. */
  close(): Promise<void>
  /** Of the processes that have not exited. */
  readonly processIds: readonly number[]
}

export function createNodeDocumentExtractor(options: NodeDocumentExtractorOptions = {}): NodeDocumentExtractor {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const entry = options.entry ?? builtFile("document-process.js")
  const fork = options.fork ?? forkProcess
  const pool = new ExtractorPool({
    start: (flavour) => startNodeProcess(fork, entry, flavour),
    loadEngine: createPdfiumLoader(entry.replace(/[^/\\]*$/, "pdfium.wasm")),
    maxProcesses: MAX_DOCUMENT_PROCESSES,
    maxSpares: options.maxSpares ?? MAX_SPARE_PROCESSES,
    spareIdleMs: SPARE_PROCESS_IDLE_MS,
    exitBoundMs: PROCESS_EXIT_BOUND_MS,
  })
  // A host that ends in an orderly way kills them here; after a crash they see their channel close.
  const killAll = () => pool.killAll()
  process.on("exit", killAll)
  return {
    ...createProcessExtractor(pool, limits),
    get processIds() {
      return pool.pids
    },
    close: async () => {
      await pool.close()
      process.off("exit", killAll)
    },
  }
}
