import { mkdir, mkdtemp, readdir, readlink, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What only files outside a scope hold. */
export const OUTSIDE_TEXT = "OUTSIDE-SECRET"
/** What files inside hold. */
export const INSIDE_TEXT = "inside text"

/** Two real folders side by side: one to be the root of a scope, one that must not be reached. */
export interface ScopeFolders {
  base: string
  root: string
  outside: string
  /** Outside, a file with {@link OUTSIDE_TEXT}. */
  secret: string
  remove(): Promise<void>
}

export async function makeScopeFolders(parent: string = tmpdir()): Promise<ScopeFolders> {
  const base = await realpath(await mkdtemp(join(parent, "scope-")))
  const folders = {
    base,
    root: join(base, "ws"),
    outside: join(base, "outside"),
    secret: join(base, "outside/secret.txt"),
  }
  await mkdir(join(folders.root, "a/b/c"), { recursive: true })
  await mkdir(join(folders.outside, "deep/er"), { recursive: true })
  await mkdir(join(base, "ws-evil"))
  for (const path of ["ws/in.txt", "ws/a/in.txt", "ws/a/b/in.txt", "ws/a/b/c/in.txt"]) {
    await writeFile(join(base, path), INSIDE_TEXT)
  }
  for (const path of ["outside/secret.txt", "outside/in.txt", "outside/deep/er/secret.txt", "ws-evil/secret.txt"]) {
    await writeFile(join(base, path), OUTSIDE_TEXT)
  }
  return { ...folders, remove: () => rm(base, { recursive: true, force: true }) }
}

/** What this process has open, as the kernel names it. Linux alone tells. */
export async function openPaths(): Promise<string[]> {
  if (process.platform !== "linux") return []
  const paths: string[] = []
  for (const fd of await readdir("/proc/self/fd")) {
    // The descriptor that the listing itself had is gone.
    paths.push(await readlink(`/proc/self/fd/${fd}`).catch(() => ""))
  }
  return paths
}
