import { nameBinary } from "../main/tools/binary-signatures.ts"
import { sniff } from "../main/tools/sniff.ts"

/** What a fetched body is. */
export type BodyKind = "text" | "pdf" | "image" | "archive" | "binary"

/**
 * The kind of a body that begins with `head` (its first 8 KiB, or all of a shorter one). The bytes decide: a server's
 * `contentType` names the character set of text, and tells an archive from other bytes that no signature names.
 * RTF, PostScript and SVG are text. Never throws.
 */
export function classifyBody(contentType: string | null | undefined, head: Uint8Array): BodyKind {
  const sniffed = sniff(head)
  switch (sniffed.kind) {
    case "document":
      return sniffed.document === "pdf" ? "pdf" : "archive"
    case "image":
      return "image"
    case "utf-16":
    case "utf-32":
      return "text"
    case "binary":
      return opaqueKind(contentType, sniffed.looksLike)
    case "text":
      return isReadable(head, charsetOf(contentType)) ? "text" : opaqueKind(contentType, nameBinary(head))
  }
}

const ARCHIVE_NAMES = /archive|compress|package|Office|book|OpenDocument|workbook|presentation/
const ARCHIVE_TYPES =
  /^application\/(?:zip|gzip|x-(?:gzip|tar|bzip2?|xz|7z-compressed|rar-compressed)|vnd\.rar|zstd)\b/i

function opaqueKind(contentType: string | null | undefined, name: string | undefined): "archive" | "binary" {
  if (name !== undefined) return ARCHIVE_NAMES.test(name) ? "archive" : "binary"
  return ARCHIVE_TYPES.test(contentType ?? "") ? "archive" : "binary"
}

/** Bytes without a NUL may still be compressed or encrypted: then most of what they decode to is damage or controls. */
function isReadable(head: Uint8Array, charset: string): boolean {
  const text = decoderOf(charset).decode(head, { stream: true })
  let unreadable = 0
  for (let at = 0; at < text.length; at++) if (isUnreadable(text.charCodeAt(at))) unreadable++
  return unreadable * 2 <= text.length
}

/** U+FFFD, and C0 and C1 controls but BEL to CR and ESC, which terminals' logs are full of. */
function isUnreadable(code: number): boolean {
  if (code === 0xfffd) return true
  if (code < 0x20) return !((code >= 0x07 && code <= 0x0d) || code === 0x1b)
  return code >= 0x7f && code < 0xa0
}

function charsetOf(contentType: string | null | undefined): string {
  return /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType ?? "")?.[1] ?? "utf-8"
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
