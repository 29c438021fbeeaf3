import { posix, win32 } from "node:path"

/** The rules of paths on the machine that `absolute` belongs to, which need not be this one. */
export function pathRulesOf(absolute: string): typeof posix {
  return absolute.startsWith("/") ? posix : win32
}

/**
 * Whether the absolute, tidied `path` is `folder` or stands below it, part by part: `/a/ws-evil` is not in `/a/ws`.
 * Compared exactly, so both have to be resolved by the same environment where case or normalization do not count.
 */
export function isWithin(folder: string, path: string): boolean {
  const { sep } = pathRulesOf(folder)
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The absolute `path` is spelled without `.`, `..`, doubled or trailing separators. */
export function isTidy(path: string): boolean {
  const rules = pathRulesOf(path)
  return rules.isAbsolute(path) && rules.normalize(path) === path && (!path.endsWith(rules.sep) || isTopFolder(path))
}

/** `/`, `C:\` and the like. */
export function isTopFolder(path: string): boolean {
  return pathRulesOf(path).parse(path).root === path
}
