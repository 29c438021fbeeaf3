import { parentPort, workerData } from "node:worker_threads"
import { MAX_PDF_THREAD_WASM_BYTES } from "../../limits.ts"
import { openDocument, readPage } from "./pdf-document.ts"
import { practisePdfium } from "./pdf-practice.ts"
import type { PdfThreadData, PdfThreadJob, PdfThreadMessage } from "./pdf-thread.ts"
import { startPdfium } from "./pdfium.ts"
import { allocate } from "./pdfium-calls.ts"

// The second thread of the document process. Whatever it throws ends it, and the first one reads on alone.
const { module } = workerData as PdfThreadData
const pdfium = await startPdfium(module, MAX_PDF_THREAD_WASM_BYTES)
const post = (message: PdfThreadMessage) => parentPort?.postMessage(message)
let begun = false
parentPort?.once("message", ({ bytes, password, indexes, maxCharacters }: PdfThreadJob) => {
  begun = true
  const start = allocate(pdfium, bytes.byteLength)
  pdfium.HEAPU8.set(bytes, start)
  const document = openDocument(pdfium, start, bytes.byteLength, password)
  if (document === 0) throw new Error("What was opened before cannot be opened again")
  for (const index of indexes) post({ index, page: readPage(pdfium, document, index, maxCharacters) })
})
post("ready")
await practisePdfium(pdfium, () => !begun)
