import type { FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import type { LineFeeds } from "../fs/line-feeds.ts"
import type { TextDecoding } from "./text-window-decode.ts"
import type { LineScan, ScanStop } from "./text-window-scan.ts"
import type { BeyondEnd, Counted, TextWindowRequest } from "./text-window-types.ts"

/** What the two ways to read a window, by lines and by column, are given. */
export interface WindowReading {
  scan: LineScan
  feeds: LineFeeds
  decoding: TextDecoding
  request: TextWindowRequest
  /** Bytes of the BOM that the file begins with. */
  byteOrderMark: number
  /** Passes what is left of the file, and then asks for the file's state while the window is decoded. */
  passRest(): Promise<Result<ScanStop, FileError>>
}

/** Goes to the start of line `offset`, or says that there is none. */
export async function reachLine({
  scan,
  request,
}: WindowReading): Promise<Result<Counted<BeyondEnd> | undefined, FileError>> {
  const reached = await scan.passLine(request.offset - 1)
  if (!reached.ok) return reached
  if (reached.value === "line-feed") return ok(undefined)
  const totalExact = reached.value === "end"
  return ok({ kind: "beyond-end", totalLines: scan.newlines + 1, totalExact, bytesRead: scan.position })
}
