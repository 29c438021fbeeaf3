import { countNewlines, findNewline } from "./newline-counter.ts"
import type { ScanBuffer } from "./scan-buffer.ts"

/** What a line feed is: the byte 0x0A, or the UTF-16 code unit 000A at an even position. */
export type LineFeedUnit = "byte" | "utf-16le" | "utf-16be"

/** Looks for the line feeds of one encoding. Views begin at a position of the file that a unit begins at. */
export interface LineFeeds {
  readonly unit: LineFeedUnit
  /** Bytes of a unit: 1 or 2. */
  readonly width: number
  /** Line feeds in `view`. */
  count(view: Uint8Array): number
  /** Index of the first byte of the `nth` line feed (from 1) in `view`, or -1. */
  find(view: Uint8Array, nth: number): number
  /** Whether a line feed begins at `index`; false outside of `view`. */
  isAt(view: Uint8Array, index: number): boolean
}

/** Every encoding but UTF-16 has its line feeds at the bytes 0x0A, and no other character holds that byte. */
export function lineFeedsOf(encoding: string, buffer?: ScanBuffer): LineFeeds {
  if (encoding === "utf-16le") return wideLineFeeds("utf-16le", 0x0a, 0x00)
  if (encoding === "utf-16be") return wideLineFeeds("utf-16be", 0x00, 0x0a)
  return {
    unit: "byte",
    width: 1,
    count: (view) => buffer?.countNewlines(view) ?? countNewlines(view),
    find: (view, nth) => buffer?.indexOfNewline(view, nth) ?? findNewline(view, 0, view.length, nth),
    isAt: (view, index) => view[index] === 0x0a,
  }
}

function wideLineFeeds(unit: LineFeedUnit, first: number, second: number): LineFeeds {
  return {
    unit,
    width: 2,
    count(view) {
      let total = 0
      for (let at = 1; at < view.length; at += 2) if (view[at] === second && view[at - 1] === first) total++
      return total
    },
    find(view, nth) {
      let left = nth
      for (let at = 1; at < view.length; at += 2) {
        if (view[at] === second && view[at - 1] === first && --left === 0) return at - 1
      }
      return -1
    },
    isAt: (view, index) => view[index] === first && view[index + 1] === second,
  }
}
