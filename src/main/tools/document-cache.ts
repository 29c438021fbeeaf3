import type { FileReaderInfo } from "../../../vendor/pi-harness/index.ts"
import type { DocumentResult } from "../documents/document-extractor.ts"

/** What a result depends on beside the file. */
export interface ExtractionKey {
  pages: string | undefined
  password: string | undefined
  images: boolean
}

/** A character of a string may take two bytes. */
const CHARACTER_BYTES = 2

/**
 * Results of extractions, so that reading on inside a document does not extract it again. Least recently used out first;
 * `maxBytes` in all, and what is larger alone is not kept. A file that was changed is another one.
 */
export class DocumentCache {
  readonly #maxBytes: number
  readonly #results = new Map<string, { result: DocumentResult; bytes: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(info: FileReaderInfo, key: ExtractionKey): DocumentResult | undefined {
    const name = nameOf(info, key)
    const found = this.#results.get(name)
    if (found === undefined) return undefined
    this.#results.delete(name)
    this.#results.set(name, found)
    return found.result
  }

  set(info: FileReaderInfo, key: ExtractionKey, result: DocumentResult): void {
    const name = nameOf(info, key)
    this.#drop(name)
    const bytes = sizeOf(result)
    if (bytes > this.#maxBytes) return
    this.#results.set(name, { result, bytes })
    this.#bytes += bytes
    for (const oldest of this.#results.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#results.get(name)?.bytes ?? 0
    this.#results.delete(name)
  }
}

function nameOf({ identity, size, mtimeMs, mtimeNs, ctimeNs }: FileReaderInfo, key: ExtractionKey): string {
  const file = [identity, size, mtimeMs, String(mtimeNs), String(ctimeNs)]
  return JSON.stringify([...file, key.pages ?? null, key.password ?? null, key.images])
}

function sizeOf({ pages }: DocumentResult): number {
  return pages.reduce((sum, { text, image }) => sum + text.length * CHARACTER_BYTES + (image?.data.byteLength ?? 0), 0)
}
