import type { FileReaderInfo } from "../../../vendor/pi-harness/index.ts"

/**
 * Whether two answers of `fstat` are of the same file in the same state. A file that another was renamed over has one
 * name less: that tells it even where its times were stamped within one tick of the kernel's clock.
 */
export function isSameState(one: FileReaderInfo, other: FileReaderInfo): boolean {
  return (
    one.identity === other.identity &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.links === other.links
  )
}
