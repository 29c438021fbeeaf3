import { createRequire } from "node:module"
import { join, sep } from "node:path"

/** What sharp loads: itself, its native parts, and what tells it which of them. */
const SHARP_PACKAGES = ["sharp", "@img", "detect-libc", "semver"]

let folders: string[] | undefined

/**
 * The folders that a process with sharp must be able to read; none where sharp is not installed. Looked up once, as an
 * import would. pnpm spreads packages over folders that link to each other: there it is the folder of them all.
 */
export function addonFolders(): string[] {
  folders ??= findFolders()
  return folders
}

function findFolders(): string[] {
  let main: string
  try {
    main = createRequire(import.meta.url).resolve("sharp")
  } catch {
    return []
  }
  const inner = main.lastIndexOf(`${sep}node_modules${sep}`)
  const packages = join(main.slice(0, inner), "node_modules")
  const pnpm = packages.indexOf(`${sep}.pnpm${sep}`)
  if (pnpm >= 0) return [join(packages.slice(0, pnpm), ".pnpm")]
  return SHARP_PACKAGES.map((name) => join(packages, name))
}
