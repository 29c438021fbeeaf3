import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The path of a file that is built beside the entries of the package. This module may itself stand in their chunks. */
export function builtFile(name: string): string {
  const folder = dirname(fileURLToPath(import.meta.url))
  return join(basename(folder) === "chunks" ? dirname(folder) : folder, name)
}
