import type { JobOutcome, NotebookJob } from "../extractor-protocol.ts"
import { type Engine, GatheredBytes, type NotebookSink } from "./engine.ts"
import { cellBlocks, notebookCells } from "./notebook-cells.ts"
import { NotebookExcerpt } from "./notebook-excerpt.ts"
import { type LoadImageEngine, showPictures } from "./notebook-pictures.ts"

const loadImageEngine: LoadImageEngine = async () => (await import("./image.ts")).createImageEngine()

/**
 * The notebook engine. JSON that is not whole, and JSON that is no notebook, is `unsupported`; a list nested so deep that
 * the heap cannot hold it ends the process. The text is put before the first picture is decoded.
 */
export function createNotebookEngine(loadImages: LoadImageEngine = loadImageEngine): Engine<NotebookSink> {
  return {
    begin: (job, size) => {
      if (job.kind !== "notebook") throw new Error(`The notebook engine does not read ${job.kind}`)
      const gathered = new GatheredBytes(size)
      return {
        write: (bytes) => gathered.write(bytes),
        finish: (sink) => readNotebook(job, gathered.bytes, sink, loadImages),
      }
    },
  }
}

async function readNotebook(
  job: NotebookJob,
  bytes: Uint8Array,
  sink: NotebookSink,
  loadImages: LoadImageEngine,
): Promise<JobOutcome> {
  const cells = notebookCells(parsed(bytes))
  if (cells === undefined) return { textTruncated: false, notRead: "unsupported" }
  const excerpt = new NotebookExcerpt(job.window, job.limits.maxCharacters)
  for (const [index, cell] of cells.entries()) excerpt.addCell(cellBlocks(cell, index + 1))
  await sink.notebook(excerpt.finish())
  return job.images ? showPictures(excerpt.pictures, job.limits, sink, loadImages) : { textTruncated: false }
}

/** The JSON in UTF-8, a byte order mark before it or not; `undefined` for anything else. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
