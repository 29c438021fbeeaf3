import type { ExtractorJob } from "../extractor-protocol.ts"
import type { Engine, NotebookSink } from "./engine.ts"

/** Engines that need nothing handed in, loaded when the first job of their kind comes; PDFium is handed its bytes. */
const ENGINES: Partial<Record<ExtractorJob["kind"], () => Promise<Engine<NotebookSink>>>> = {
  docx: () => import("./docx.ts").then(({ createDocxEngine }) => createDocxEngine()),
  image: () => import("./image.ts").then(({ createImageEngine }) => createImageEngine()),
  notebook: () => import("./notebook.ts").then(({ createNotebookEngine }) => createNotebookEngine()),
}

/** The engine for such jobs. Rejects where there is none: the document is then `unsupported`. */
export async function loadEngine(kind: ExtractorJob["kind"]): Promise<Engine<NotebookSink>> {
  const load = ENGINES[kind]
  if (load === undefined) throw new Error(`No engine reads ${kind}`)
  return load()
}
