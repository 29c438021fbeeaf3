import { homedir } from "node:os"
import { fileURLToPath } from "node:url"

/**
 * The other spellings of a path, in the order in which they are tried once the path as given names no file: first what
 * an expansion makes of it (`~`, `file://`, a leading `@` left off), then the spellings that macOS gives to names. Each
 * group is tried as a whole, without what came before.
 */
export function otherSpellings(path: string): { expansions: string[]; spellings: string[] } {
  const expansions = without([path], expand(path))
  const bases = [path, ...expansions]
  return { expansions, spellings: without(bases, bases.flatMap(macSpellings)) }
}

/** A path as given, spelled so that no environment expands it: `~/x` is then a folder called `~`. */
export function literalPath(path: string): string {
  return /^~|^file:/i.test(path) ? `./${path}` : path
}

function expand(path: string): string[] {
  const stripped = path.startsWith("@") ? [path.slice(1)] : []
  return [path, ...stripped]
    .flatMap((base) => [base, ...expandHome(base), ...expandUrl(base)])
    .filter((it) => it !== "")
}

function expandHome(path: string): string[] {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return []
  return [homedir() + path.slice(1)]
}

function expandUrl(path: string): string[] {
  if (!/^file:\/\//i.test(path)) return []
  try {
    return [fileURLToPath(path)]
  } catch {
    return []
  }
}

const NARROW_NO_BREAK_SPACE = "\u202f"
const RIGHT_SINGLE_QUOTE = "\u2019"

/**
 * macOS writes screenshots with U+202F before AM and PM and U+2019 for an apostrophe, and some of its volumes keep names
 * in NFD; models write the plain characters. The other way round a model copies the special ones out of a listing.
 */
function macSpellings(path: string): string[] {
  const narrow = path.replaceAll(/ ([AP]M)(?![A-Za-z])/gi, `${NARROW_NO_BREAK_SPACE}$1`)
  const curly = (it: string): string => it.replaceAll("'", RIGHT_SINGLE_QUOTE)
  const decomposed = [narrow, path.normalize("NFD"), curly(path), curly(path.normalize("NFD"))]
  const combined = [narrow.normalize("NFD"), curly(narrow), curly(narrow.normalize("NFD"))]
  const plain = path.replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ").replaceAll(/[\u2018\u2019]/g, "'")
  return [...decomposed, ...combined, plain, path.normalize("NFC"), plain.normalize("NFC")]
}

function without(known: readonly string[], spellings: readonly string[]): string[] {
  return [...new Set(spellings)].filter((spelling) => !known.includes(spelling))
}
