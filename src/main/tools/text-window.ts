import type { Context, FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { ok } from "../../../vendor/pi-harness/index.ts"
import { isSameState } from "../fs/file-state.ts"
import { lineFeedsOf } from "../fs/line-feeds.ts"
import { LinePositionsRecorder } from "../fs/line-positions.ts"
import type { ScanBuffer } from "../fs/scan-buffer.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"
import { Chunks } from "./text-window-chunks.ts"
import { readLinePart } from "./text-window-column.ts"
import { TextDecoding } from "./text-window-decode.ts"
import { readWholeLines } from "./text-window-lines.ts"
import { LineScan, type ScanStop } from "./text-window-scan.ts"
import type { TextWindowOutcome, TextWindowRequest } from "./text-window-types.ts"

/**
 * The lines of a file that `request` asks for, in one pass: bytes are counted, not decoded, up to the window and behind
 * it. Holds one window and the buffer, whatever the file's size and however long its lines.
 *
 * `head` is what was read of the file already: the start of `buffer.halves[0]`, 3 bytes or more where the file has
 * them. The caller keeps `buffer` and `reader`, and may give both back as soon as this has settled, a read ahead may
 * then still be under way. Fails as `reader` fails.
 */
export async function readTextWindow(
  reader: FileByteReader,
  buffer: ScanBuffer,
  head: Uint8Array,
  request: TextWindowRequest,
  context: Context,
): Promise<Result<TextWindowOutcome, FileError>> {
  const { index, encoding, limits, onProgress, clock = () => performance.now() } = request
  const began = clock()
  const scanBegan = index?.now() ?? 0
  const { info } = reader
  const feeds = lineFeedsOf(encoding, buffer)
  const decoding = new TextDecoding(encoding)
  const known = index?.find(info, feeds.unit)
  const recorder = new LinePositionsRecorder()
  const scan = new LineScan({
    chunks: new Chunks({ reader, halves: buffer.halves, head, readAhead: known === undefined, context }),
    end: info.size > 0 ? info.size : Number.POSITIVE_INFINITY,
    feeds,
    known,
    pass: (place) => {
      if (known !== undefined) return
      recorder.pass(place)
      onProgress?.(place.position, info.size)
    },
    isLate: () => clock() - began >= limits.countingDeadlineMs,
  })
  let refreshing: ReturnType<NonNullable<FileByteReader["refresh"]>> | undefined
  const passRest = async (): Promise<Result<ScanStop, FileError>> => {
    const passed = await scan.passAll()
    if (passed.ok) refreshing = reader.refresh?.(context)
    return passed
  }
  const reading = { scan, feeds, decoding, request, passRest, byteOrderMark: decoding.byteOrderMark(head) }
  const read =
    request.column === undefined ? await readWholeLines(reading) : await readLinePart(reading, request.column)
  if (!read.ok) return read
  const outcome = read.value
  const refreshed = await (refreshing ?? reader.refresh?.(context))
  if (refreshed?.ok === false) return refreshed
  const changed = refreshed !== undefined && !isSameState(info, refreshed.value)
  const wasScanned = known === undefined && refreshed !== undefined && scan.position > READ_CHUNK_BYTES
  if (wasScanned && !changed && outcome.kind !== "empty" && outcome.totalExact) {
    index?.keep(info, feeds.unit, recorder.finish(scan), scanBegan)
  }
  return ok({ ...outcome, changed })
}
