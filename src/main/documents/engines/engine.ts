import type { ExtractorJob, JobOutcome, RenderedNotebook } from "../extractor-protocol.ts"

/** Where an engine puts what it has finished. Every promise settles once the parent holds it, or soon will. */
export interface EngineSink {
  /** Once, before any page. */
  opened(pageCount: number): Promise<void>
  /** Ascending by page. `poor`: the text is too little of what the page shows. */
  page(page: number, text: string, textTruncated: boolean, poor?: boolean): Promise<void>
  /** The picture of a page that was put before, or of an image job with page 0. */
  image(page: number, image: EncodedImage): Promise<void>
  /** Milliseconds of the job's budget that are left; to be asked between pages. */
  remainingMs(): number
}

/** A sink that takes notebooks too. */
export interface NotebookSink extends EngineSink {
  /** Once, before any picture; those are put with their number in the notebook in place of a page. */
  notebook(notebook: RenderedNotebook): Promise<void>
}

export interface EncodedImage {
  data: Uint8Array
  mimeType: "image/png" | "image/jpeg" | "image/webp" | "image/gif"
  width: number
  height: number
}

/** One document on its way into an engine. */
export interface EngineSession<Sink extends EngineSink = EngineSink> {
  /** The next bytes of the document. The engine copies them where it wants them. */
  write(bytes: Uint8Array): void
  /** All bytes are written: reads the document. A throw is answered for the engine as `unsupported`. */
  finish: (sink: Sink) => Promise<JobOutcome>
}

/** One engine behind one function. It lives in a process that is used once, and never cleans up after itself. */
export interface Engine<Sink extends EngineSink = EngineSink> {
  /** `size`: bytes that will be written at most. */
  begin(job: ExtractorJob, size: number): EngineSession<Sink>
  /** Warms itself up on a document of ours, in steps of some 20 ms, for as long as `mayGoOn`. */
  practise?(mayGoOn: () => boolean): Promise<void>
}

/** The bytes of a document, gathered in one buffer: for engines that want them whole. */
export class GatheredBytes {
  readonly #all: Uint8Array
  #filled = 0

  constructor(size: number) {
    this.#all = new Uint8Array(size)
  }

  write(bytes: Uint8Array): void {
    this.#all.set(bytes, this.#filled)
    this.#filled += bytes.byteLength
  }

  get bytes(): Uint8Array {
    return this.#all.subarray(0, this.#filled)
  }
}
