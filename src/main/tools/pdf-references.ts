import { hasWindowsPaths } from "./windows-paths.ts"

/** What a reference to a PDF means, judged on its text alone. */
export type PdfReference =
  /** A path as it was given: `~`, `file://` and other spellings included. */
  | { kind: "path"; path: string }
  | { kind: "url"; url: string }
  /** A file that the host received for the agent. */
  | { kind: "media"; id: string }
  /** `why` ends the sentence that names the reference. */
  | { kind: "unsupported"; why: string }

/** A scheme as in `ftp:`. One letter is a drive; white space after the colon is a title: `Report: final.pdf`. */
const SCHEME = /^([a-z][a-z0-9+.-]+):(?!\s|$)/i
const MEDIA_ID = /^media:\/\/inbound\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,199})$/

/** Never throws. `cwd`: of the environment, which tells whether paths are those of Windows. */
export function parsePdfReference(reference: string, cwd: string): PdfReference {
  const scheme = SCHEME.exec(reference)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return { kind: "path", path: reference }
    case "file":
      return { kind: "path", path: reference }
    case "http":
    case "https":
      return parseUrl(reference)
    case "media": {
      const id = MEDIA_ID.exec(reference)?.[1]
      return id === undefined
        ? { kind: "unsupported", why: "only media://inbound/<id> is a reference to media" }
        : { kind: "media", id }
    }
    case "data":
      return { kind: "unsupported", why: "data: URLs are refused. Save it to a file and pass its path" }
    default:
      return {
        kind: "unsupported",
        why: `${scheme}: is not a scheme that is read. Use a path, a file:// URL or an http(s):// URL${otherwise(cwd)}`,
      }
  }
}

function parseUrl(reference: string): PdfReference {
  if (!URL.canParse(reference)) return { kind: "unsupported", why: "it is no URL" }
  const { username, password } = new URL(reference)
  return username === "" && password === ""
    ? { kind: "url", url: reference }
    : { kind: "unsupported", why: "a URL with a user name or a password is not fetched" }
}

/** How to name a file that is called so. */
function otherwise(cwd: string): string {
  return hasWindowsPaths(cwd) ? "" : "; for a file of that name, put ./ before it"
}
