import type { Context, FileByteReader, FileReaderInfo, Result } from "../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../vendor/pi-harness/index.ts"
import { abortedError } from "../main/fs/file-error.ts"
import { lendMemory, takeBackMemory } from "../main/fs/lent-memory.ts"
import { misuseOfRead } from "../main/fs/read-arguments.ts"
import { READ_CHUNK_BYTES } from "../main/limits.ts"

/** Fills `view` with the bytes of a file from byte `position` on; it is never asked for bytes past the size. */
export type FillBytes = (position: number, view: Uint8Array) => void

/** What an open file is, and may become while it is read. */
export interface FakeFileState {
  /** Bytes that can be read. */
  size: number
  fill: FillBytes
  /** What `fstat` says, where it differs from {@link size}: 0 for a file of procfs. */
  statedSize: number | undefined
  identity: string
  mtimeNs: bigint
  ctimeNs: bigint
}

export interface FakeFileOptions extends Partial<FakeFileState> {
  path?: string
  /** Bytes or text of the file; instead of `size` and `fill`. */
  content?: Uint8Array | string
  /** Every read answers between 1 byte and all that was asked for, by this seed. */
  shortReads?: number
  /** Asked before every read is answered: an error is its answer, and it waits as long as a promise does. */
  beforeRead?: (read: FakeRead) => undefined | FileError | Promise<undefined | FileError>
}

/** One read as it was asked for. */
export interface FakeRead {
  /** 1 for the first. */
  nth: number
  position: number
  length: number
  /** The memory that is filled. */
  view: Uint8Array
  /** Bytes answered; absent while the read is under way and when it failed. */
  answered?: number
}

/** One second after the epoch: long at rest. */
const MTIME_NS = 1_000_000_000n

/**
 * A file that is nowhere: of any size, programmable, recording. It keeps the promises of the real reader: answers come
 * in a later turn of the event loop, an abort settles at once while the read goes on and still fills its memory, and
 * the descriptor counts as closed once no read is under way.
 */
export class FakeFileByteReader implements FileByteReader {
  readonly info: FileReaderInfo
  readonly reads: FakeRead[] = []
  /** Most reads that were ever under way at once. */
  mostUnderWay = 0
  refreshes = 0
  closes = 0
  /** Where set, what `refresh` answers. */
  refreshError: FileError | undefined
  private readonly state: FakeFileState
  private readonly random: () => number
  private underWay = 0

  constructor(private readonly options: FakeFileOptions = {}) {
    const content = typeof options.content === "string" ? new TextEncoder().encode(options.content) : options.content
    this.state = {
      size: options.size ?? content?.byteLength ?? 0,
      fill:
        options.fill ?? ((position, view) => view.set(content?.subarray(position, position + view.byteLength) ?? [])),
      statedSize: options.statedSize,
      identity: options.identity ?? "1:1",
      mtimeNs: options.mtimeNs ?? MTIME_NS,
      ctimeNs: options.ctimeNs ?? options.mtimeNs ?? MTIME_NS,
    }
    this.random = randomFrom(options.shortReads ?? 0)
    this.info = this.stated()
  }

  /** Closed, and no read is under way any more: nothing is left of it. */
  get isReleased(): boolean {
    return this.closes > 0 && this.underWay === 0
  }

  /** The file grows, shrinks or is written to, at once; `info` stays what it was at the open. */
  change(state: Partial<FakeFileState>): void {
    Object.assign(this.state, state)
  }

  async read(
    position: number,
    length: number,
    context: Context,
    into?: Uint8Array,
  ): Promise<Result<Uint8Array, FileError>> {
    const { path } = this.info
    const misuse = misuseOfRead(position, length, into)
    if (misuse !== undefined) return err(new FileError("invalid", misuse, path))
    if (context.abortSignal?.aborted) return err(abortedError(path))
    if (this.closes > 0) return err(new FileError("invalid", `The file was closed: ${path}`, path))
    const bounded = Math.min(length, READ_CHUNK_BYTES)
    const view = into === undefined ? new Uint8Array(bounded) : into.subarray(0, bounded)
    const read: FakeRead = { nth: this.reads.length + 1, position, length, view }
    this.reads.push(read)
    this.underWay++
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay)
    return untilAborted(this.answer(read), context, path)
  }

  async refresh(context: Context): Promise<Result<FileReaderInfo, FileError>> {
    this.refreshes++
    await nextTurn()
    if (context.abortSignal?.aborted) return err(abortedError(this.info.path))
    return this.refreshError === undefined ? ok(this.stated()) : err(this.refreshError)
  }

  async close(_context: Context): Promise<void> {
    this.closes++
    await nextTurn()
  }

  private async answer(read: FakeRead): Promise<Result<Uint8Array, FileError>> {
    const { view, position } = read
    lendMemory(view)
    await nextTurn()
    const failure = await this.options.beforeRead?.(read)
    takeBackMemory(view)
    this.underWay--
    if (failure !== undefined) return err(failure)
    const available = Math.max(0, Math.min(view.byteLength, this.state.size - position))
    const count = this.options.shortReads === undefined ? available : Math.ceil(available * this.random())
    const filled = view.subarray(0, count)
    if (count > 0) this.state.fill(position, filled)
    read.answered = count
    return ok(filled)
  }

  private stated(): FileReaderInfo {
    const { size, statedSize, identity, mtimeNs, ctimeNs } = this.state
    const path = this.options.path ?? "/fake/file"
    return { path, size: statedSize ?? size, mtimeMs: Number(mtimeNs) / 1_000_000, identity, mtimeNs, ctimeNs }
  }
}

/** The same bytes over and over: a log of any size. */
export function repeating(pattern: Uint8Array | string): FillBytes {
  const bytes = typeof pattern === "string" ? new TextEncoder().encode(pattern) : pattern
  return (position, view) => {
    const start = position % bytes.byteLength
    view.set(bytes.subarray(start, start + view.byteLength))
    let filled = Math.min(bytes.byteLength - start, view.byteLength)
    if (filled < view.byteLength) view.set(bytes.subarray(0, view.byteLength - filled), filled)
    filled = Math.min(filled + bytes.byteLength, view.byteLength)
    // From here on what is filled repeats with the pattern's length, and whole repeats of it are copied on.
    const first = bytes.byteLength - start
    while (filled < view.byteLength) {
      const whole = filled - first
      view.copyWithin(filled, first, first + Math.min(whole, view.byteLength - filled))
      filled = Math.min(filled + whole, view.byteLength)
    }
  }
}

/** Numbers over 0 and up to 1, the same for the same seed (a linear congruential generator modulo 2^32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 2 ** 32
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function untilAborted<T>(
  answer: Promise<Result<T, FileError>>,
  context: Context,
  path: string,
): Promise<Result<T, FileError>> {
  const signal = context.abortSignal
  if (signal === undefined) return answer
  return new Promise((resolve) => {
    const onAbort = () => resolve(err(abortedError(path)))
    signal.addEventListener("abort", onAbort, { once: true })
    void answer.then((result) => {
      signal.removeEventListener("abort", onAbort)
      resolve(result)
    })
  })
}
