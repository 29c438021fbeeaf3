import type * as fs from "node:fs"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import type { FileSystemModule } from "./file-system-module.ts"
import { lendMemory, takeBackMemory } from "./lent-memory.ts"
import type { OpenFiles } from "./open-files.ts"
import type { Callback, ReadTurns } from "./read-turns.ts"

/** What every call on a file goes through. */
export interface FileCalls {
  fs: FileSystemModule
  turns: ReadTurns
  openFiles: OpenFiles
}

/**
 * An open descriptor, which holds a place among the open files. It is closed only when no call is under way on it:
 * its number could otherwise come to mean another file, and a call that is late would read that one.
 */
export class Descriptor {
  private underWay = 0
  private isClosing = false
  private isClosed = false

  constructor(
    private readonly fd: number,
    readonly path: string,
    private readonly calls: FileCalls,
  ) {}

  fstat(context: Context): Promise<Result<fs.BigIntStats, FileError>> {
    return this.call(context, (fd, done) => this.calls.fs.fstat(fd, { bigint: true }, done))
  }

  /**
   * Fills `view` from its start with what stands at byte `position`; the answer is the filled part of it. Its memory is
   * noted as lent from now on: a read that waits for its turn is going to write to it as well.
   */
  read(view: Uint8Array, position: number, context: Context): Promise<Result<Uint8Array, FileError>> {
    const length = view.byteLength
    let begun = false
    lendMemory(view)
    const answer = this.call<Uint8Array>(context, (fd, done) => {
      this.calls.fs.read(fd, view, 0, length, position, (error, count) => {
        takeBackMemory(view)
        if (error) done(error, view)
        else if (count === length) done(null, view)
        else if (Number.isInteger(count) && count >= 0 && count < length) done(null, view.subarray(0, count))
        else
          done(new FileError("unknown", `A read of ${length} bytes answered ${count}: ${this.path}`, this.path), view)
      })
      begun = true
    })
    if (begun) return answer
    return answer.then((result) => {
      if (!begun) takeBackMemory(view)
      return result
    })
  }

  /** On Linux: the link by which the kernel names what is open, resolved, as procfs spells it. */
  link(context: Context): Promise<Result<string, FileError>> {
    return this.call(context, (fd, done) => this.calls.fs.readlink(`/proc/self/fd/${fd}`, done))
  }

  /**
   * Settles when the descriptor is closed, or at once when the context is aborted or a call is under way on it: it is
   * then closed when the operating system has answered. A second close does nothing. An error says that what was
   * written may be lost; the descriptor is gone either way.
   */
  async close(context: Context): Promise<Result<void, FileError>> {
    if (this.isClosing) return ok(undefined)
    this.isClosing = true
    return this.underWay === 0 ? await this.closeNow(context) : ok(undefined)
  }

  /** Any other call on the descriptor, `begin` by its number, under the same rules. */
  call<T>(context: Context, begin: (fd: number, done: Callback<T>) => void): Promise<Result<T, FileError>> {
    const { path } = this
    return this.calls.turns.run<T>(
      (done) => {
        if (this.isClosing) throw new FileError("invalid", `The file was closed: ${path}`, path)
        this.underWay++
        try {
          begin(this.fd, (error, value) => {
            this.underWay--
            done(error, value)
            this.closeIfDue()
          })
        } catch (thrown) {
          this.underWay--
          this.closeIfDue()
          throw thrown
        }
      },
      { context, path, caller: this },
    )
  }

  private closeIfDue(): void {
    if (this.isClosing && this.underWay === 0) void this.closeNow(BACKGROUND_CONTEXT)
  }

  private closeNow(context: Context): Promise<Result<void, FileError>> {
    if (this.isClosed) return Promise.resolve(ok(undefined))
    this.isClosed = true
    const { path } = this
    return this.calls.turns.run<void>(
      (done) =>
        this.calls.fs.close(this.fd, (error) => {
          this.calls.openFiles.leave()
          done(error ?? null, undefined)
        }),
      { context, path, caller: this, mustRun: true },
    )
  }
}
