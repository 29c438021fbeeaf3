import { readdirSync, readlinkSync } from "node:fs"

/**
 * The files that this process has open, by descriptor and path, as the kernel names them; empty where it does not tell.
 * Its pipes and sockets are left out: the test runner's come and go.
 */
export function openDescriptors(): string[] {
  if (process.platform !== "linux") return []
  const names: string[] = []
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      if (target.startsWith("/")) names.push(`${fd} ${target}`)
    } catch {
      // The descriptor by which the folder itself was listed.
    }
  }
  return names.sort()
}
