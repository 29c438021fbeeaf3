import type { Readable } from "node:stream"
import { BACKGROUND_CONTEXT } from "../../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"
import { HeldBytes } from "./held-bytes.ts"
import { makeTemporaryFile } from "./temporary-names.ts"
import { writeRegularFile } from "./write-regular-file.ts"

/**
 * Keeps the whole output of a command, byte for byte, in a temporary file that is left to the caller. Until
 * {@link begin} it is held: the caller begins once it has grown past its limits. The streams stand still while more than
 * a chunk waits to be written. The file is open only while a batch is written: a command may run for days.
 */
export class ShellSpill {
  /** Where the file could be made. */
  path: string | undefined
  private readonly held: HeldBytes
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  private writing: Promise<void> | undefined
  private hasFailed = false

  constructor(
    heldBytes: number,
    private readonly streams: readonly Readable[],
    private readonly calls: EnvironmentCalls,
    private readonly onPath: (path: string | undefined) => void,
  ) {
    this.held = new HeldBytes(heldBytes, "head")
  }

  get hasBegun(): boolean {
    return this.writing !== undefined
  }

  add(chunk: Uint8Array): void {
    if (this.hasFailed) return
    if (!this.hasBegun) this.held.add(chunk)
    else this.enqueue(chunk)
  }

  begin(): void {
    if (this.hasBegun) return
    this.enqueue(this.held.bytes)
    this.writing = this.writeWaiting()
  }

  /** Settles when all is written, or could not be: the path is then taken back, since half a file is not the output. */
  async end(): Promise<void> {
    if (!this.hasBegun) return
    while (this.waiting.length > 0 && !this.hasFailed) await this.writing
    await this.writing
  }

  private enqueue(chunk: Uint8Array): void {
    this.waiting.push(chunk)
    this.waitingBytes += chunk.byteLength
    if (this.waitingBytes > READ_CHUNK_BYTES) for (const stream of this.streams) stream.pause()
    if (this.writing !== undefined && this.waiting.length === 1)
      this.writing = this.writing.then(() => this.writeWaiting())
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0 && !this.hasFailed) {
      const batch = Buffer.concat(this.waiting)
      this.waiting = []
      this.waitingBytes = 0
      this.resume()
      this.hasFailed = !(await this.write(batch))
    }
    if (!this.hasFailed) return
    this.waiting = []
    this.resume()
    this.path = undefined
    this.onPath(undefined)
  }

  private resume(): void {
    for (const stream of this.streams) stream.resume()
  }

  private async write(batch: Uint8Array): Promise<boolean> {
    if (this.path === undefined) {
      const made = await makeTemporaryFile({ prefix: "output-", suffix: ".log" }, BACKGROUND_CONTEXT, this.calls)
      if (!made.ok) return false
      this.path = made.value
      this.onPath(made.value)
    }
    return (await writeRegularFile(this.path, batch, "append", BACKGROUND_CONTEXT, this.calls)).ok
  }
}
