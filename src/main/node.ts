import { type ChildProcess, fork as forkProcess } from "node:child_process"
import { builtFile } from "./built-file.ts"
import { startNodeProcess } from "./node-document-process.ts"
import {
  createPooledExtractor,
  failureTeller,
  type PooledExtractor,
  type PooledExtractorOptions,
} from "./pooled-extractor.ts"

export interface NodeDocumentExtractorOptions extends PooledExtractorOptions {
  /** The built entry of the document process; beside it stand its chunks and `pdfium.wasm`. The package's own by default. */
  entry?: string
  /** Starts processes; `child_process.fork` by default. */
  fork?: (entry: string, args: string[], options: Parameters<typeof forkProcess>[2]) => ChildProcess
}

/** A `DocumentExtractor` over child processes. It keeps no host running, and no process outlives the host. */
export type NodeDocumentExtractor = PooledExtractor

export function createNodeDocumentExtractor(options: NodeDocumentExtractorOptions = {}): NodeDocumentExtractor {
  const { entry = builtFile("document-process.js"), fork = forkProcess } = options
  const tell = failureTeller(options)
  return createPooledExtractor(
    entry,
    (flavour) => startNodeProcess(fork, entry, flavour, tell),
    (killAll) => {
      // A host that ends in an orderly way kills them here; after a crash they see their channel close.
      process.on("exit", killAll)
      return () => process.off("exit", killAll)
    },
    options,
  )
}
