import { MAX_SCAN_BUFFERS, READ_CHUNK_BYTES } from "../limits.ts"
import { NEWLINE_COUNTER_WASM } from "./newline-counter-wasm.ts"

/** The memory that files are read into, and what looks for line feeds in it. Addresses are indices of `memory`. */
export interface NewlineCounter {
  /** {@link MAX_SCAN_BUFFERS} x 2 x {@link READ_CHUNK_BYTES}. Never grown, so no view of it is ever detached. */
  readonly memory: Uint8Array
  /** Line feeds (byte 0x0A) in `[start, end)`. */
  count(start: number, end: number): number
  /** Address of the `nth` line feed (from 1) in `[start, end)`, or -1. */
  find(start: number, end: number, nth: number): number
}

/**
 * Counts with 16-byte instructions, without a copy; by a plain loop where `engine` is missing or does not
 * know them. Costs 2 MiB and under a millisecond.
 */
export function createNewlineCounter(engine: WebAssemblyEngine | undefined = processEngine): NewlineCounter {
  const code = Buffer.from(NEWLINE_COUNTER_WASM, "base64")
  if (engine?.validate(code)) {
    const { memory, count, find } = new engine.Instance(new engine.Module(code)).exports
    return { memory: new Uint8Array(memory.buffer), count, find }
  }
  const memory = new Uint8Array(MAX_SCAN_BUFFERS * 2 * READ_CHUNK_BYTES)
  return {
    memory,
    count: (start, end) => countNewlines(memory, start, end),
    find: (start, end, nth) => findNewline(memory, start, end, nth),
  }
}

/** The part of `WebAssembly` that is used, with the types of what newline-counter.wat exports. */
export interface WebAssemblyEngine {
  validate(code: Uint8Array): boolean
  Module: new (code: Uint8Array) => object
  Instance: new (
    module: object,
  ) => {
    exports: {
      memory: { buffer: ArrayBuffer }
      count: NewlineCounter["count"]
      find: NewlineCounter["find"]
    }
  }
}

/** Missing in a process without a just-in-time compiler. */
const processEngine = (globalThis as { WebAssembly?: WebAssemblyEngine }).WebAssembly

/** {@link NewlineCounter.count} over any bytes. */
export function countNewlines(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let total = 0
  for (let at = start; at < end; at++) if (bytes[at] === 0x0a) total++
  return total
}

/** {@link NewlineCounter.find} over any bytes. */
export function findNewline(bytes: Uint8Array, start: number, end: number, nth: number): number {
  let left = nth
  for (let at = start; at < end; at++) if (bytes[at] === 0x0a && --left === 0) return at
  return -1
}
