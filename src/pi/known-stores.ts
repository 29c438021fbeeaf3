import { join } from "node:path"
import type { CredentialRule } from "./credential-rules.ts"

/** What is looked at of a disk. Neither rejects. */
export interface StoreLookups {
  /** Of the regular file that a path leads to. */
  identity(path: string): Promise<string | undefined>
  /** The names in a folder; none where it is not one. */
  list(path: string): Promise<string[]>
}

/** A store of more files than this is known by its first ones, and by name. */
const MAX_FILES_IN_STORE = 512
const MAX_FILES_LOOKED_AT = 8_192
const MAX_FOLDER_DEPTH = 3

/** Not below the home folder, or without an end, or of no use by identity. */
const LOOKED_UP_BY_NAME_ALONE: ReadonlySet<string> = new Set(["processes", "devices", "kernel-settings"])

/** The identities of what the rules name below the home folder and, where they are absolute, on this disk. */
export async function knownStores(
  rules: readonly CredentialRule[],
  home: string,
  lookups: StoreLookups,
): Promise<Map<string, CredentialRule>> {
  const found = new Map<string, CredentialRule>()
  let left = MAX_FILES_LOOKED_AT
  for (const rule of rules) {
    if (LOOKED_UP_BY_NAME_ALONE.has(rule.id)) continue
    for (const name of rule.names) {
      if (name.includes("<pid>")) continue
      let inStore = MAX_FILES_IN_STORE
      for await (const path of pathsOf(name, home, lookups)) {
        if (inStore-- <= 0 || left-- <= 0) break
        const identity = await lookups.identity(path)
        if (identity !== undefined && !found.has(identity)) found.set(identity, rule)
      }
    }
  }
  return found
}

async function* pathsOf(name: string, home: string, lookups: StoreLookups): AsyncGenerator<string> {
  const isFolder = name.endsWith("/**")
  const written = isFolder ? name.slice(0, -3) : name
  const isAbsolute = written.startsWith("/")
  const parts = written
    .replace(/^~\//, "")
    .split("/")
    .filter((part) => part !== "")
  for await (const path of expand(isAbsolute ? "/" : home, parts, lookups)) {
    if (isFolder) yield* filesIn(path, MAX_FOLDER_DEPTH, lookups)
    else yield path
  }
}

async function* expand(folder: string, parts: readonly string[], lookups: StoreLookups): AsyncGenerator<string> {
  const [part, ...rest] = parts
  if (part === undefined) {
    yield folder
    return
  }
  if (!part.includes("*")) {
    yield* expand(join(folder, part), rest, lookups)
    return
  }
  const pieces = part.split("*").map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
  const test = new RegExp(`^${pieces.join(".*")}$`, "isu")
  for (const name of await lookups.list(folder)) {
    if (test.test(name)) yield* expand(join(folder, name), rest, lookups)
  }
}

async function* filesIn(folder: string, depth: number, lookups: StoreLookups): AsyncGenerator<string> {
  for (const name of await lookups.list(folder)) {
    const path = join(folder, name)
    yield path
    if (depth > 1) yield* filesIn(path, depth - 1, lookups)
  }
}
