import { err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type { Limits } from "../limits.ts"
import { DocumentError, type DocumentRequest, WORD_HAS_NO_PAGES } from "./document-extractor.ts"
import { type ExtractorJob, MAX_PASSWORD_CHARACTERS, MAX_TEXT_CHARACTERS } from "./extractor-protocol.ts"

/** Base64 takes four characters for three bytes. */
export function maxEncodedBytes({ maxImageBase64Bytes }: Limits): number {
  return Math.floor(maxImageBase64Bytes / 4) * 3
}

/** Characters that a call may bring home: the host's limit, within what one message may hold. */
export function maxCharacters({ maxDocumentCharacters }: Limits): number {
  return Math.min(maxDocumentCharacters, MAX_TEXT_CHARACTERS)
}

/** A caller may lower the host's limit, and never raise it. */
function maxPixels({ maxPixels: asked = Number.NaN }: DocumentRequest, { maxRenderedPixels }: Limits): number {
  return Number.isNaN(asked) ? maxRenderedPixels : Math.max(1, Math.floor(Math.min(asked, maxRenderedPixels)))
}

/** What the process is asked to do; pages ascending and once. An error where there are too many, or one that is none. */
export function documentJob(request: DocumentRequest, limits: Limits): Result<ExtractorJob, DocumentError> {
  const { kind, images, password } = request
  const pages = request.pages && [...new Set(request.pages)].sort((a, b) => a - b)
  const { maxDocumentPages } = limits
  if (kind === "docx") {
    if (pages !== undefined) return err(new DocumentError("invalid_pages", WORD_HAS_NO_PAGES))
    return ok({ kind, limits: { maxCharacters: maxCharacters(limits) } })
  }
  if (pages !== undefined && (pages.length === 0 || pages.length > maxDocumentPages)) {
    return err(new DocumentError("invalid_pages", `Between 1 and ${maxDocumentPages} pages can be read in one call`))
  }
  const unsound = pages?.find((page) => !Number.isSafeInteger(page) || page < 1 || page > 0x7fff_ffff)
  if (unsound !== undefined) return err(new DocumentError("invalid_pages", `${unsound} is not the number of a page`))
  const asked = { ...(pages === undefined ? {} : { pages }), images }
  const shared = { maxCharacters: maxCharacters(limits), maxImageBytes: maxEncodedBytes(limits) }
  return ok({
    kind,
    ...asked,
    // No document has a longer one; what is cut opens nothing that the whole would.
    ...(password === undefined ? {} : { password: password.slice(0, MAX_PASSWORD_CHARACTERS) }),
    limits: {
      ...shared,
      maxPages: maxDocumentPages,
      maxPixels: maxPixels(request, limits),
      minPageCharacters: limits.minPageCharacters,
    },
  })
}
