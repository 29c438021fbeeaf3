import type { Context, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { err, ok } from "../../../vendor/pi-harness/index.ts"
import { MAX_SCAN_BUFFERS, READ_CHUNK_BYTES } from "../limits.ts"
import { abortedError } from "./file-error.ts"
import { isMemoryLent, whenMemoryIsFree } from "./lent-memory.ts"
import type { NewlineCounter } from "./newline-counter.ts"
import { countNewlines, createNewlineCounter, findNewline } from "./newline-counter.ts"

/** Two chunks of memory, lent to one read of a file: while one half is looked at, the other is read into. */
export interface ScanBuffer {
  /** {@link READ_CHUNK_BYTES} each, one behind the other. */
  readonly halves: readonly [Uint8Array, Uint8Array]
  /** Line feeds in `view`, fastest where that is a view of a half. */
  countNewlines(view: Uint8Array): number
  /** Index of the `nth` line feed (from 1) of `view`, or -1. */
  indexOfNewline(view: Uint8Array, nth: number): number
  /**
   * The borrower is done with it and with every view of it. It is lent on once nothing writes to it: an aborted read
   * is settled for its caller while the operating system may still write. May be called twice.
   */
  release(): void
}

export interface ScanBuffers {
  /** A buffer, once one is free: first come, first served. An abort settles at once, and then none was taken. */
  lease(context: Context): Promise<Result<ScanBuffer, FileError>>
}

/** Buffers of their own, for tests. Their memory is made with the first lease. */
export function createScanBuffers(createCounter: () => NewlineCounter = createNewlineCounter): ScanBuffers {
  return new Buffers(createCounter)
}

class Buffers implements ScanBuffers {
  private counter: NewlineCounter | undefined
  private readonly free = Array.from({ length: MAX_SCAN_BUFFERS }, (_, slot) => slot)
  /** In the order they came; a Set keeps the order of insertion. */
  private readonly waiting = new Set<(buffer: ScanBuffer) => void>()

  constructor(private readonly createCounter: () => NewlineCounter) {}

  async lease(context: Context): Promise<Result<ScanBuffer, FileError>> {
    const signal = context.abortSignal
    if (signal?.aborted) return err(abortedError())
    const slot = this.free.pop()
    if (slot !== undefined) return ok(this.lend(slot))
    return new Promise((resolve) => {
      const take = (buffer: ScanBuffer): void => {
        signal?.removeEventListener("abort", giveUp)
        resolve(ok(buffer))
      }
      const giveUp = (): void => {
        this.waiting.delete(take)
        resolve(err(abortedError()))
      }
      this.waiting.add(take)
      signal?.addEventListener("abort", giveUp, { once: true })
    })
  }

  private lend(slot: number): ScanBuffer {
    this.counter ??= this.createCounter()
    return new LentBuffer(this.counter, slot, () => this.takeBack(slot))
  }

  private takeBack(slot: number): void {
    const [next] = this.waiting
    if (next === undefined) {
      this.free.push(slot)
    } else {
      this.waiting.delete(next)
      next(this.lend(slot))
    }
  }
}

class LentBuffer implements ScanBuffer {
  readonly halves: readonly [Uint8Array, Uint8Array]
  private readonly region: Uint8Array
  private released = false

  constructor(
    private readonly counter: NewlineCounter,
    slot: number,
    private readonly giveBack: () => void,
  ) {
    const start = slot * 2 * READ_CHUNK_BYTES
    this.region = counter.memory.subarray(start, start + 2 * READ_CHUNK_BYTES)
    this.halves = [this.region.subarray(0, READ_CHUNK_BYTES), this.region.subarray(READ_CHUNK_BYTES)]
  }

  countNewlines(view: Uint8Array): number {
    if (view.buffer !== this.counter.memory.buffer) return countNewlines(view)
    return this.counter.count(view.byteOffset, view.byteOffset + view.length)
  }

  indexOfNewline(view: Uint8Array, nth: number): number {
    if (view.buffer !== this.counter.memory.buffer) return findNewline(view, 0, view.length, nth)
    const found = this.counter.find(view.byteOffset, view.byteOffset + view.length, nth)
    return found < 0 ? -1 : found - view.byteOffset
  }

  release(): void {
    if (this.released) return
    this.released = true
    if (isMemoryLent(this.region)) void whenMemoryIsFree(this.region).then(this.giveBack)
    else this.giveBack()
  }
}

/** The buffers of the whole process: it holds no more than these however many reads are under way. */
const processBuffers = createScanBuffers()

/** {@link ScanBuffers.lease} of the process's buffers. */
export function leaseScanBuffer(context: Context): Promise<Result<ScanBuffer, FileError>> {
  return processBuffers.lease(context)
}
