import type { Context, ExecutionEnv, FileByteReader, FileError, Result } from "../../vendor/pi-harness/index.ts"
import { ok } from "../../vendor/pi-harness/index.ts"
import { cannotJudge } from "./opened-file.ts"

/** A process sees a handful; past this they are looked at anew. */
const MAX_DEVICES = 256

/**
 * The devices to which a real path was seen to lead. The kernel names a file of another
 * mount namespace, or of a mount that is gone, by a path that means another file here: `/proc/<pid>/root` leads to
 * such files. They are on a device of their own, so one look for each device tells.
 */
export class KnownDevices {
  private readonly known = new Set<string>()

  /** `path` if it leads to the file that `reader` has open, as far as its device tells. */
  async confirm(
    reader: FileByteReader,
    path: string,
    inner: ExecutionEnv,
    context: Context,
  ): Promise<Result<string, FileError>> {
    const device = deviceOf(reader)
    if (this.known.has(device)) return ok(path)
    const there = await inner.openFileReader(path, context)
    if (!there.ok) return cannotJudge(path, there.error)
    await there.value.close(context)
    // Not the inode: the file may have been replaced since, as editors do.
    if (deviceOf(there.value) !== device) return cannotJudge(path)
    if (this.known.size >= MAX_DEVICES) this.known.clear()
    this.known.add(device)
    return ok(path)
  }
}

function deviceOf({ info: { identity } }: FileByteReader): string {
  return identity.slice(0, identity.indexOf(":"))
}
