import { readdirSync, readlinkSync } from "node:fs"

/**
 * The files that a process has open, this one where none is named, by descriptor and path, as the kernel names them;
 * empty where it does not tell. Its pipes and sockets are left out: the test runner's come and go.
 */
export function openDescriptors(pid: number | "self" = "self"): string[] {
  if (process.platform !== "linux") return []
  const names: string[] = []
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
      if (target.startsWith("/")) names.push(`${fd} ${target}`)
    } catch {
      // The descriptor by which the folder itself was listed, or one that was closed meanwhile.
    }
  }
  return names.sort()
}
