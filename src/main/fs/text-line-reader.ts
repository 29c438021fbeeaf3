import type { Context, FileByteReader, Result, TextLine, TextLineReader } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_WHOLE_TEXT_BYTES } from "../limits.ts"
import { ChunkSource } from "./chunk-source.ts"
import { tooLargeError } from "./whole-file-reads.ts"

const LINE_FEED = 0x0a

/**
 * Lines of UTF-8 on demand, ended by LF and nothing else; a BOM at the start is dropped. Holds one chunk and the line
 * it is at. A line over {@link MAX_WHOLE_TEXT_BYTES} cannot be a string: it, and all that follows, is `invalid`. After
 * an aborted `readLine` the next one goes on where that one was. One `readLine` at a time.
 */
export class FileTextLineReader implements TextLineReader {
  private readonly source: ChunkSource
  private chunk: Uint8Array = new Uint8Array(0)
  private position = 0
  /** Of the line that is being read, what stood in earlier chunks. */
  private pieces: Uint8Array[] = []
  private pieceBytes = 0
  private isFirst = true
  private isReading = false
  private isClosed = false

  constructor(
    private readonly reader: FileByteReader,
    options: { toSizeAtOpen: boolean } = { toSizeAtOpen: false },
  ) {
    this.source = new ChunkSource(reader, options)
  }

  async readLine(context: Context): Promise<Result<TextLine | undefined, FileError>> {
    const { path } = this.reader.info
    if (this.isClosed) return err(new FileError("invalid", `The line reader is closed: ${path}`, path))
    if (this.isReading) return err(new FileError("invalid", `A line is being read already: ${path}`, path))
    if (context.abortSignal?.aborted) return err(new FileError("aborted", `Aborted: ${path}`, path))
    this.isReading = true
    try {
      return await this.nextLine(context)
    } finally {
      this.isReading = false
    }
  }

  async close(context: Context): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.pieces = []
    this.chunk = new Uint8Array(0)
    await this.reader.close(context)
  }

  private async nextLine(context: Context): Promise<Result<TextLine | undefined, FileError>> {
    for (;;) {
      const lineFeed = this.chunk.indexOf(LINE_FEED, this.position)
      if (lineFeed >= 0) return ok({ text: this.take(lineFeed, lineFeed + 1), terminated: true })
      this.keepRest()
      if (this.pieceBytes > MAX_WHOLE_TEXT_BYTES) {
        return err(tooLargeError(this.reader.info.path, MAX_WHOLE_TEXT_BYTES))
      }
      const next = await this.source.next(context)
      if (!next.ok) return next
      this.chunk = next.value
      this.position = 0
      if (next.value.byteLength > 0) continue
      return ok(this.pieceBytes > 0 ? { text: this.take(0, 0), terminated: false } : undefined)
    }
  }

  /** The chunk's buffer is about to be overwritten. */
  private keepRest(): void {
    if (this.position === this.chunk.byteLength) return
    const rest = this.chunk.slice(this.position)
    this.pieces.push(rest)
    this.pieceBytes += rest.byteLength
    this.position = this.chunk.byteLength
  }

  /** The line that ends before `end` of the chunk; reading goes on at `next`. */
  private take(end: number, next: number): string {
    const last = this.chunk.subarray(this.position, end)
    const bytes = this.pieces.length === 0 ? last : Buffer.concat([...this.pieces, last])
    this.position = next
    this.pieces = []
    this.pieceBytes = 0
    const decoder = this.isFirst ? withoutBom : withBom
    this.isFirst = false
    return decoder.decode(bytes)
  }
}

const withoutBom = new TextDecoder("utf-8")
const withBom = new TextDecoder("utf-8", { ignoreBOM: true })

/** What a line costs beside its text, so that an array of empty lines is bounded too. */
const LINE_OVERHEAD_BYTES = 32

/**
 * The first `maxLines` lines, or all that the file had when it was opened. `invalid` where text and lines together
 * would cost more than {@link MAX_WHOLE_TEXT_BYTES}.
 */
export async function readLines(
  reader: FileByteReader,
  maxLines: number,
  context: Context,
): Promise<Result<string[], FileError>> {
  const lineReader = new FileTextLineReader(reader, { toSizeAtOpen: true })
  const lines: string[] = []
  let cost = 0
  while (lines.length < maxLines) {
    const line = await lineReader.readLine(context)
    if (!line.ok) return line
    if (line.value === undefined) break
    cost += line.value.text.length + LINE_OVERHEAD_BYTES
    if (cost > MAX_WHOLE_TEXT_BYTES) return err(tooLargeError(reader.info.path, MAX_WHOLE_TEXT_BYTES))
    lines.push(line.value.text)
  }
  return ok(lines)
}
