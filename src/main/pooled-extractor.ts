import { toError } from "../../vendor/pi-harness/index.ts"
import type { DocumentExtractor } from "./documents/document-extractor.ts"
import type { StartDocumentProcess } from "./documents/document-process.ts"
import { ExtractorPool } from "./documents/extractor-pool.ts"
import { createProcessExtractor } from "./documents/process-extractor.ts"
import {
  type Limits,
  limitsFrom,
  MAX_DOCUMENT_PROCESSES,
  MAX_SPARE_PROCESSES,
  PROCESS_EXIT_BOUND_MS,
  SPARE_PROCESS_IDLE_MS,
} from "./limits.ts"
import { createPdfiumLoader } from "./pdfium-wasm.ts"

/** What every host of document processes is asked for. */
export interface PooledExtractorOptions {
  limits?: Partial<Limits> | undefined
  /** 0 for a host that reads one document and ends. */
  maxSpares?: 0 | 1 | undefined
  /**
   * For the host's log: told why a document process did not come up, in printable text of at most some 8 KiB. What it was
   * to read is `unavailable`. What this throws is dropped.
   */
  onProcessFailure?: ((message: string) => void) | undefined
}

/** The listener of a host, which cannot fail whoever tells it. */
export function failureTeller({ onProcessFailure }: PooledExtractorOptions): (message: string) => void {
  return (message) => {
    try {
      onProcessFailure?.(message)
    } catch {}
  }
}

/** A {@link DocumentExtractor} over processes of its own, with all that it may have. */
export interface PooledExtractor extends Required<DocumentExtractor> {
  /** Kills every process of this extractor; settles once they are gone. Later documents are `unavailable`. */
  close(): Promise<void>
  /** Of the processes that have not exited. */
  readonly processIds: readonly number[]
}

/**
 * The extractor over the document process at `entry`, beside which stand its chunks and `pdfium.wasm`. `whenHostEnds` is
 * told what kills every process at once, and answers how to take that back.
 */
export function createPooledExtractor(
  entry: string,
  start: StartDocumentProcess,
  whenHostEnds: (killAll: () => void) => () => void,
  options: PooledExtractorOptions,
): PooledExtractor {
  const { limits, maxSpares = MAX_SPARE_PROCESSES } = options
  const tell = failureTeller(options)
  const loadEngine = createPdfiumLoader(entry.replace(/[^/\\]*$/, "pdfium.wasm"))
  const pool = new ExtractorPool({
    start: (flavour) => {
      try {
        return start(flavour)
      } catch (error) {
        tell(`The document process did not start: ${toError(error).message}`)
        throw error
      }
    },
    loadEngine: () =>
      loadEngine().catch((error: unknown) => {
        tell(`The document engine could not be loaded: ${toError(error).message}`)
        throw error
      }),
    maxProcesses: MAX_DOCUMENT_PROCESSES,
    maxSpares,
    spareIdleMs: SPARE_PROCESS_IDLE_MS,
    exitBoundMs: PROCESS_EXIT_BOUND_MS,
  })
  const forget = whenHostEnds(() => pool.killAll())
  return {
    ...createProcessExtractor(pool, limitsFrom(limits)),
    get processIds() {
      return pool.pids
    },
    close: async () => {
      await pool.close()
      forget()
    },
  }
}
