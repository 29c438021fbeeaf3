import { readFile } from "node:fs/promises"

/**
 * Of `pdfium.wasm` in `@embedpdf/pdfium` 2.15.1, as `scripts/inline-pdfium.mjs` makes it ready. Another file is not started:
 * it was not tried on hostile documents.
 */
const PDFIUM_WASM_SHA256 = "b793f32f2f243eee6431d9b26680595fb62886155c6e0fdda110c62a2e44e8db"

/** A loader that reads the engine's bytes once and remembers them; a failure is not remembered. Rejects on one. */
export function createPdfiumLoader(path: string | URL): () => Promise<Uint8Array> {
  let loaded: Promise<Uint8Array> | undefined
  return () => {
    loaded ??= loadPdfium(path).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

async function loadPdfium(path: string | URL): Promise<Uint8Array> {
  const bytes = new Uint8Array(await readFile(path))
  // Not on this thread: hashing 4.6 MB would hold it for some 10 ms.
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex")
  if (digest !== PDFIUM_WASM_SHA256) throw new Error(`Not the pdfium.wasm that was tried: ${digest}`)
  return bytes
}
