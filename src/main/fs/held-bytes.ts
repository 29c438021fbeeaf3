/** The last bytes, or the first, of what was added: at least `limit` of them, and never more than twice as many. */
export class HeldBytes {
  /** How many were added in all. */
  total = 0
  private buffer = Buffer.alloc(0)
  private length = 0

  constructor(
    private readonly limit: number,
    private readonly retain: "head" | "tail",
  ) {}

  /** Where the held part begins, counted from the first byte that was added. */
  get start(): number {
    return this.retain === "head" ? 0 : this.total - this.length
  }

  /** A view, good until more is added. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  add(bytes: Uint8Array): void {
    this.total += bytes.byteLength
    if (this.retain === "head") {
      const room = this.limit - this.length
      if (room > 0) this.append(bytes.subarray(0, room))
      return
    }
    if (bytes.byteLength >= this.limit) {
      this.length = 0
      this.append(bytes.subarray(bytes.byteLength - this.limit))
      return
    }
    if (this.length + bytes.byteLength > 2 * this.limit) {
      this.buffer.copyWithin(0, this.length - this.limit, this.length)
      this.length = this.limit
    }
    this.append(bytes)
  }

  private append(bytes: Uint8Array): void {
    const needed = this.length + bytes.byteLength
    if (needed > this.buffer.byteLength) {
      const largest = this.retain === "head" ? this.limit : 2 * this.limit
      const grown = Buffer.alloc(Math.min(largest, Math.max(needed, 2 * this.buffer.byteLength)))
      grown.set(this.bytes)
      this.buffer = grown
    }
    this.buffer.set(bytes, this.length)
    this.length = needed
  }
}
