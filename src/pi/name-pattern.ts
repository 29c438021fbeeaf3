import { foldName } from "./folded-names.ts"

type PartTest = string | RegExp

/** A name of a {@link CredentialRule}, made ready to compare. */
export interface NamePattern {
  parts: readonly PartTest[]
  /** Counted from the top of the disk. */
  isAbsolute: boolean
  /** Means a folder and all that is in it. */
  isFolder: boolean
}

/** `undefined` for one that names nothing. */
export function namePattern(name: string): NamePattern | undefined {
  const isFolder = name.endsWith("/**")
  const isAbsolute = /^(\/|[A-Za-z]:[\\/])/.test(name)
  const written = (isFolder ? name.slice(0, -3) : name).replace(/^[A-Za-z]:/, "")
  const parts = written.split(/[\\/]/).filter((part) => part !== "" && part !== ".")
  return parts.length === 0 ? undefined : { parts: parts.map(partTest), isAbsolute, isFolder }
}

/** The same for a path that stands for itself, whatever characters it is made of. */
export function pathPattern(foldedPath: readonly string[], isFolder: boolean): NamePattern | undefined {
  return foldedPath.length === 0 ? undefined : { parts: foldedPath, isAbsolute: true, isFolder }
}

function partTest(part: string): PartTest {
  if (part === "<pid>") return /^(?:\d+|self|thread-self)$/
  if (!part.includes("*")) return foldName(part)
  const source = part
    .split("*")
    .map((piece) => foldUnended(piece).replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join(".*")
  return new RegExp(`^${source}$`, "su")
}

/** A piece may end with a dot that belongs to it. */
function foldUnended(piece: string): string {
  return foldName(`${piece}x`).slice(0, -1)
}

/** Folders by which the top of a disk is reached a second time on macOS. */
const SECOND_TOPS = [[], ["private"], ["system", "volumes", "data"]] as const

/** Whether folded parts are, or are within, what the pattern names. */
export function patternMatches(pattern: NamePattern, path: readonly string[]): boolean {
  const { parts, isAbsolute, isFolder } = pattern
  const last = path.length - parts.length
  if (isAbsolute) {
    return SECOND_TOPS.some(
      (top) =>
        startsWith(path, top) &&
        (isFolder ? top.length <= last : top.length === last) &&
        partsMatch(parts, path, top.length),
    )
  }
  for (let at = isFolder ? 0 : Math.max(0, last); at <= last; at++) {
    if (partsMatch(parts, path, at)) return true
  }
  return false
}

/** Whether the path is a folder that a name of several parts begins with: to move it would take what it holds along. */
export function isAbovePattern(pattern: NamePattern, path: readonly string[]): boolean {
  const { parts, isAbsolute } = pattern
  for (let count = 1; count < parts.length; count++) {
    const at = path.length - count
    if (at < 0 || (isAbsolute && at !== 0)) continue
    if (partsMatch(parts.slice(0, count), path, at)) return true
  }
  return false
}

function startsWith(path: readonly string[], top: readonly string[]): boolean {
  return top.every((part, i) => path[i] === part)
}

function partsMatch(parts: readonly PartTest[], path: readonly string[], at: number): boolean {
  return parts.every((test, i) => {
    const part = path[at + i]
    return part !== undefined && (typeof test === "string" ? test === part : test.test(part))
  })
}
