import type { DocumentKind } from "../documents/document-extractor.ts"
import { type ImageSignature, sniffImage } from "../documents/image-signature.ts"
import { MAX_SNIFF_BYTES } from "../limits.ts"
import { nameBinary, nameBinaryWithoutNul } from "./binary-signatures.ts"
import type { OfficeArchive } from "./office-archives.ts"
import { isUtf8, isUtf8Text } from "./utf-8.ts"
import { sniffUtf16 } from "./utf-16.ts"
import { sniffZip } from "./zip-contents.ts"

/** What a file is by its first bytes. A claim: nothing behind them was looked at. */
export type SniffedKind =
  | { kind: "document"; document: DocumentKind }
  | { kind: "image"; image: ImageSignature }
  | { kind: "utf-32"; order: "le" | "be" }
  | { kind: "utf-16"; order: "le" | "be"; bom: boolean }
  /** `looksLike` as in "a ZIP archive", where the signature is known; `office` where it is named with its kind. */
  | { kind: "binary"; looksLike?: string; office?: OfficeArchive }
  | { kind: "text" }

/**
 * The kind of the file that begins with `head`; of a longer head only the first {@link MAX_SNIFF_BYTES} count. Never
 * throws, whatever the bytes. What is nothing else is text, however odd.
 */
export function sniff(head: Uint8Array): SniffedKind {
  const first = head.subarray(0, MAX_SNIFF_BYTES)
  const zip = sniffZip(first)
  const document = sniffPdf(first) ? "pdf" : zip?.document
  if (document !== undefined) return { kind: "document", document }
  if (zip?.office !== undefined) return { kind: "binary", looksLike: zip.name, office: zip.office }
  const image = sniffImage(first)
  if (image !== undefined) return { kind: "image", image }
  const bom = sniffUnicodeBom(first)
  if (bom !== undefined) return bom
  const hasNul = first.includes(0)
  const looksLike = hasNul ? nameBinary(first) : isUtf8(first) ? undefined : nameBinaryWithoutNul(first)
  if (looksLike !== undefined) return { kind: "binary", looksLike }
  if (!hasNul) return { kind: "text" }
  const order = sniffUtf16(first)
  return order === undefined ? { kind: "binary" } : { kind: "utf-16", order, bom: false }
}

/** Readers of PDF accept the header anywhere in the first KiB; a note that mentions it there is text all the same. */
const PDF_HEADER_WITHIN_BYTES = 1_024

function sniffPdf(head: Uint8Array): boolean {
  const start = latin1(head.subarray(0, PDF_HEADER_WITHIN_BYTES))
  if (/^(?:\xef\xbb\xbf)?[\t\n\f\r ]*%PDF-\d/.test(start)) return true
  return /%PDF-\d/.test(start) && !isUtf8Text(head)
}

/** Four bytes are looked at before two: a UTF-32LE BOM begins with that of UTF-16LE. */
function sniffUnicodeBom(head: Uint8Array): SniffedKind | undefined {
  const [a, b, c, d] = head
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { kind: "utf-32", order: "le" }
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { kind: "utf-32", order: "be" }
  if (a === 0xff && b === 0xfe) return { kind: "utf-16", order: "le", bom: true }
  if (a === 0xfe && b === 0xff) return { kind: "utf-16", order: "be", bom: true }
  return undefined
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
}
