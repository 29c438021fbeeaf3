import { homedir } from "node:os"
import type { Context, ExecutionEnv, Result } from "../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../vendor/pi-harness/index.ts"
import { isTopFolder, isWithin, pathRulesOf } from "./path-containment.ts"

type Answer<T> = Promise<Result<T, FileError>>

export type Access = "read" | "write"

/** A folder that may be reached: as the host spelled it, made absolute, and as it resolved when the scope was made. */
export interface ScopeFolder {
  spelled: string
  canonical: string
  access: Access
}

/** Where a name stands: in the folder `folder`, resolved and within the scope. The name itself is not looked at. */
export interface Place {
  folder: string
  /** `folder` and the name. */
  path: string
}

/** Answers which paths are within the folders of a scope, by what the inner environment resolves them to. */
export class Scope {
  constructor(
    private readonly inner: ExecutionEnv,
    readonly folders: readonly ScopeFolder[],
  ) {}

  /** Whether an absolute, resolved path is within. */
  holds(canonical: string, access: Access): boolean {
    return this.folders.some(
      (folder) => (access === "read" || folder.access === "write") && isWithin(folder.canonical, canonical),
    )
  }

  /** Whether an absolute path is spelled as if it were within: only then is it opened before it is resolved. */
  seemsToHold(absolute: string): boolean {
    return this.folders.some(({ canonical, spelled }) => isWithin(canonical, absolute) || isWithin(spelled, absolute))
  }

  /**
   * Whether a name that stands nowhere leads out of the scope once its escapes or its URL are decoded. Nothing here
   * decodes names, so it leads nowhere; whoever asked is told the right reason.
   */
  decodesToOutside(path: string, cwd: string): boolean {
    const rules = pathRulesOf(cwd)
    let decoded = path
    for (let round = 0; round < MAX_DECODING_ROUNDS; round++) {
      const next = decodeOnce(decoded)
      if (next === decoded) return false
      decoded = next
      if (!this.seemsToHold(rules.resolve(cwd, decoded))) return true
    }
    return false
  }

  isFolderItself(absolute: string): boolean {
    return this.folders.some(({ canonical, spelled }) => canonical === absolute || spelled === absolute)
  }

  /**
   * The resolved path, within the scope. What does not resolve is judged by the deepest folder above it that does: it
   * is `permission_denied` when that is outside, whether or not it exists, and the inner environment's error otherwise.
   */
  async resolve(absolute: string, access: Access, context: Context): Answer<string> {
    const canonical = await this.inner.canonicalPath(absolute, context)
    if (canonical.ok) return this.holds(canonical.value, access) ? canonical : err(outsideError(absolute, access))
    if (canonical.error.code === "aborted") return canonical
    const rules = pathRulesOf(absolute)
    for (let at = absolute; ; ) {
      const above = rules.dirname(at)
      if (above === at) return err(outsideError(absolute, access))
      const resolved = await this.inner.canonicalPath(above, context)
      if (resolved.ok) return this.holds(resolved.value, access) ? canonical : err(outsideError(absolute, access))
      if (resolved.error.code === "aborted") return resolved
      at = above
    }
  }

  /** Where the absolute, tidied name stands, for calls that do not follow it. The scope's own folders stand in none. */
  async place(absolute: string, access: Access, context: Context): Answer<Place> {
    const rules = pathRulesOf(absolute)
    if (isTopFolder(absolute)) return err(outsideError(absolute, access))
    const folder = await this.resolve(rules.dirname(absolute), access, context)
    return folder.ok ? ok(placeIn(folder.value, rules.basename(absolute))) : folder
  }

  /** Whether a resolved path still resolves to itself: no link was put on the way meanwhile. */
  async stillStands(canonical: string, access: Access, context: Context): Answer<void> {
    const again = await this.inner.canonicalPath(canonical, context)
    if (!again.ok) return again
    return again.value === canonical && this.holds(canonical, access)
      ? ok(undefined)
      : err(outsideError(canonical, access))
  }
}

/** What was encoded more often than this is taken for a name. */
const MAX_DECODING_ROUNDS = 3

function decodeOnce(path: string): string {
  const plain = path.replace(/^file:\/\/(localhost(?=\/))?/i, "").replaceAll("\\", "/")
  try {
    return decodeURIComponent(plain)
  } catch {
    // Overlong or torn sequences: the parts that a lax decoder takes for dots and slashes.
    return plain
      .replace(/%c0%ae/gi, ".")
      .replace(/%(2e)/gi, ".")
      .replace(/%(c0%af|2f|5c)/gi, "/")
  }
}

export function placeIn(folder: string, name: string): Place {
  return { folder, path: pathRulesOf(folder).join(folder, name) }
}

export function outsideError(path: string, access: Access): FileError {
  const verb = access === "read" ? "read" : "changed"
  return new FileError("permission_denied", `Outside the folders that may be ${verb}: ${path}`, path)
}

/** A folder for a scope. Refused where it is all of the disk, or is or holds the home folder: that is no scope. */
export async function scopeFolder(
  path: string,
  access: Access,
  inner: ExecutionEnv,
  context: Context,
  home: string = homedir(),
): Answer<ScopeFolder> {
  if (typeof path !== "string" || path === "") return err(new FileError("invalid", "A folder of the scope has no path"))
  const spelled = await inner.absolutePath(path, context)
  if (!spelled.ok) return spelled
  const canonical = await inner.canonicalPath(spelled.value, context)
  if (!canonical.ok) return canonical
  const folder: ScopeFolder = { spelled: spelled.value, canonical: canonical.value, access }
  // Names that are not Unicode all read alike: the folder could not be told from one beside it.
  if (canonical.value.includes("\uFFFD")) return tooWide(folder, "its name is not Unicode text")
  if (isTopFolder(canonical.value)) return tooWide(folder, "it is the whole disk")
  const homes = [home, await inner.canonicalPath(home, context)]
  for (const at of homes) {
    const homePath = typeof at === "string" ? at : at.ok ? at.value : undefined
    if (homePath !== undefined && homePath !== "" && isWithin(canonical.value, homePath)) {
      return tooWide(folder, "it is the home folder, or holds it")
    }
  }
  const info = await inner.fileInfo(canonical.value, context)
  if (!info.ok) return info
  if (info.value.kind === "directory") return ok(folder)
  return err(new FileError("not_directory", `Not a folder: ${path}`, spelled.value))
}

function tooWide({ spelled }: ScopeFolder, reason: string): Result<never, FileError> {
  const words = `Not a scope for an agent, ${reason}: ${spelled}. Name the folder of the project.`
  return err(new FileError("permission_denied", words, spelled))
}
