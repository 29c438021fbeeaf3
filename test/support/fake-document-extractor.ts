import type { DocumentExtractor, DocumentRequest, DocumentResult } from "../../src/main/documents/document-extractor.ts"
import { type Context, ok } from "../../vendor/pi-harness/index.ts"

/** An extractor that answers what it was given, call after call the last one again, and keeps what it was asked. */
export class FakeDocumentExtractor implements DocumentExtractor {
  readonly requests: DocumentRequest[] = []
  readonly #answers: Partial<DocumentResult>[]

  constructor(...answers: Partial<DocumentResult>[]) {
    this.#answers = answers
  }

  async extract(request: DocumentRequest, _context: Context) {
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length - 1)]
    this.requests.push(request)
    return ok({ kind: request.kind, bytes: request.reader.info.size, pages: [], textTruncated: false, ...answer })
  }
}
