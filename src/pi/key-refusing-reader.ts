import type { Context, FileByteReader, FileError, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, ok } from "../../vendor/pi-harness/index.ts"
import { MAX_SNIFF_BYTES } from "../main/limits.ts"
import { JudgedReader } from "./opened-file.ts"
import { holdsPrivateKey } from "./private-key-content.ts"

/**
 * A reader that looks at the first {@link MAX_SNIFF_BYTES} before it answers any byte, and refuses all when they hold
 * a private key. A read from the start serves for that look, so that the usual reader costs no call more.
 */
export class KeyRefusingReader extends JudgedReader {
  /** The bytes from the start that were looked at. */
  private judgedBytes = 0
  private refused = false

  constructor(
    inner: FileByteReader,
    judgedPath: string,
    private readonly refusal: () => FileError,
  ) {
    super(inner, judgedPath)
  }

  override async read(
    position: number,
    length: number,
    context: Context,
    into?: Uint8Array,
  ): Promise<Result<Uint8Array, FileError>> {
    if (this.refused) return err(this.refusal())
    const answer = await this.inner.read(position, length, context, into)
    if (!answer.ok || answer.value.byteLength === 0 || this.judgedBytes >= MAX_SNIFF_BYTES) return answer
    const bytes = answer.value
    const judged = this.servesAsHead(position, bytes)
      ? this.judge(bytes)
      : await this.judgeHead(position, bytes, context)
    if (judged.ok) return answer
    // The caller's memory holds what it may not see.
    bytes.fill(0)
    return judged
  }

  private servesAsHead(position: number, bytes: Uint8Array): boolean {
    return position === 0 && (bytes.byteLength >= MAX_SNIFF_BYTES || bytes.byteLength >= this.info.size)
  }

  /** Reads the head by itself, as far as the file has it now; what is answered may not reach beyond what was seen. */
  private async judgeHead(position: number, bytes: Uint8Array, context: Context): Promise<Result<void, FileError>> {
    if (position + bytes.byteLength <= this.judgedBytes) return ok(undefined)
    const head = new Uint8Array(MAX_SNIFF_BYTES)
    let filled = 0
    while (filled < MAX_SNIFF_BYTES) {
      const chunk = await this.inner.read(filled, MAX_SNIFF_BYTES - filled, context, head.subarray(filled))
      if (!chunk.ok) return chunk
      if (chunk.value.byteLength === 0) break
      filled += chunk.value.byteLength
    }
    return this.judge(head.subarray(0, filled))
  }

  private judge(bytes: Uint8Array): Result<void, FileError> {
    const head = bytes.subarray(0, MAX_SNIFF_BYTES)
    if (!holdsPrivateKey(head)) {
      this.judgedBytes = Math.max(this.judgedBytes, head.byteLength)
      return ok(undefined)
    }
    this.refused = true
    void this.inner.close(BACKGROUND_CONTEXT)
    return err(this.refusal())
  }
}
