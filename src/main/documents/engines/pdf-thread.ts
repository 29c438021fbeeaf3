import { Worker } from "node:worker_threads"
import type { PdfPage } from "./pdf-document.ts"
import type { PdfiumModule } from "./pdfium.ts"

/** What the thread is started with. */
export interface PdfThreadData {
  module: PdfiumModule
}

/** What the thread is told, once. */
export interface PdfThreadJob {
  /** The document, handed over and not copied. */
  bytes: Uint8Array<ArrayBuffer>
  password: string
  /** Indexes of the pages to read, in this order. */
  indexes: readonly number[]
  maxCharacters: number
}

/** What the thread says: that it takes a job, then each page that it has read. */
export type PdfThreadMessage = "ready" | ReadPage

interface ReadPage {
  index: number
  /** Undefined where the page cannot be loaded. */
  page: PdfPage | undefined
}

/** Undefined where no thread can be started. `entry`: the built file of `pdf-thread-entry.ts`. */
export function startPdfThread(entry: URL, module: PdfiumModule): PdfThread | undefined {
  try {
    return new PdfThread(entry, module)
  } catch {
    return undefined
  }
}

/**
 * A second thread of the document process, with a PDFium of its own, that reads some of a document's pages. Whatever
 * becomes of it is no failure: what it does not bring is read by whoever asked.
 */
export class PdfThread {
  readonly #worker: Worker
  readonly #read = new Map<number, ReadPage>()
  #ready = false
  #asked: ReadonlySet<number> = new Set()
  #wake: () => void = () => undefined

  constructor(entry: URL, module: PdfiumModule) {
    const workerData: PdfThreadData = { module }
    this.#worker = new Worker(entry, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    })
    this.#worker.unref()
    this.#worker.on("message", (message: PdfThreadMessage) => {
      if (message === "ready") this.#ready = true
      else this.#read.set(message.index, message)
      this.#wake()
    })
    const over = () => {
      this.#ready = false
      this.#asked = new Set()
      this.#wake()
    }
    this.#worker.on("error", over)
    this.#worker.on("exit", over)
  }

  /** Whether it has started and takes a job. */
  get ready(): boolean {
    return this.#ready
  }

  /** Begins its one job. */
  begin(job: PdfThreadJob): void {
    this.#ready = false
    this.#asked = new Set(job.indexes)
    this.#worker.postMessage(job, [job.bytes.buffer])
  }

  /** The page of this index once it is read; undefined where the thread was not asked for it, or has come to an end. */
  async take(index: number): Promise<ReadPage | undefined> {
    while (this.#asked.has(index) && !this.#read.has(index)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const read = this.#read.get(index)
    this.#read.delete(index)
    return read
  }
}
