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
}

/** A {@link DocumentExtractor} over processes of its own. */
export interface PooledExtractor extends DocumentExtractor {
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
  { limits, maxSpares = MAX_SPARE_PROCESSES }: PooledExtractorOptions,
): PooledExtractor {
  const pool = new ExtractorPool({
    start,
    loadEngine: createPdfiumLoader(entry.replace(/[^/\\]*$/, "pdfium.wasm")),
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
