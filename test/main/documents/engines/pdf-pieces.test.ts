import { PNG } from "pngjs"
import { describe, expect, test } from "vitest"
import { cleanText } from "../../../../src/main/documents/engines/clean-text.ts"
import { planPixels } from "../../../../src/main/documents/engines/pdf-render.ts"
import { encodePng } from "../../../../src/main/documents/engines/png-encoder.ts"

describe("what PDFium says becomes text", () => {
  test.each([
    ["a hyphen at the end of a line joins the word", "con\ufffesectetuer", "consectetuer"],
    ["lines end at LF", "a\r\nb\rc\nd", "a\nb\nc\nd"],
    ["control characters go, TAB stays", "a\0\u0002\tb\u007f\u009bc", "a\tbc"],
    ["a lone surrogate is replaced", "a\ud800b\udc00", "a\ufffdb\ufffd"],
    ["a pair stays", "\ud83d\ude00", "\ud83d\ude00"],
    ["blanks at the end go", "a \r\n\r\n", "a"],
  ])("%s", (_title, raw, expected) => {
    expect(cleanText(raw)).toBe(expected)
  })
})

describe("the size of a rendered page", () => {
  test.each<[string, number, number, number, { width: number; height: number } | undefined]>([
    ["is 150 dpi where that fits", 595, 842, 4_000_000, { width: 1239, height: 1754 }],
    ["is within its pixels", 595, 842, 100_000, { width: 265, height: 376 }],
    ["is within the longest side", 1e9, 1e9, 4e9, { width: 10_000, height: 10_000 }],
    ["is one pixel at least", 1e9, 1e-6, 1_000, { width: 1_000, height: 1 }],
    ["is none without a width", 0, 100, 1_000, undefined],
    ["is none below zero", -10, 100, 1_000, undefined],
    ["is none for what is no number", Number.NaN, 100, 1_000, undefined],
    ["is none for infinity", Number.POSITIVE_INFINITY, 100, 1_000, undefined],
    ["is none without pixels", 100, 100, 0, undefined],
  ])("%s", (_title, width, height, pixels, expected) => {
    const planned = planPixels(width, height, pixels)
    expect(planned).toEqual(expected)
    if (planned !== undefined) expect(planned.width * planned.height).toBeLessThanOrEqual(pixels)
  })
})

describe("pixels become PNG", () => {
  test.each([
    ["gray", [10, 10, 10, 0, 200, 200, 200, 255], 0],
    ["colour", [10, 20, 30, 0, 200, 100, 0, 255], 2],
  ])("%s, without the fourth byte and what the stride adds", (_title, pixels, colorType) => {
    const rows = Uint8Array.from([...pixels, 9, 9, 9, 9, ...pixels, 9, 9, 9, 9])
    const { data, ...image } = encodePng(rows, 2, 2, 12)
    expect(image).toEqual({ mimeType: "image/png", width: 2, height: 2 })
    expect(data[25]).toBe(colorType)
    const decoded = PNG.sync.read(Buffer.from(data))
    const opaque = pixels.map((value, at) => (at % 4 === 3 ? 255 : value))
    expect([...decoded.data]).toEqual([...opaque, ...opaque])
  })
})
