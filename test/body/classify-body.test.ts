import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { type BodyKind, classifyBody } from "../../src/body/classify-body.ts"

const text = (value: string) => new TextEncoder().encode(value)
const bytes = (...values: (number | string)[]) =>
  Uint8Array.from(values.flatMap((value) => (typeof value === "string" ? [...text(value)] : [value])))
/** Reproducible bytes without a NUL, spread evenly, as a compressed or encrypted stream may begin. */
function noise(length: number): Uint8Array {
  let state = 12_345
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 1 + ((state >>> 16) % 255)
  })
}

const ROWS: [title: string, contentType: string | null, head: Uint8Array, expected: BodyKind][] = [
  ["HTML", "text/html; charset=utf-8", text("<!doctype html><p>hello"), "text"],
  ["text without a label", null, text("hello"), "text"],
  ["text served as octet-stream", "application/octet-stream", text("a,b,c\n1,2,3\n"), "text"],
  ["an empty body", "text/html", text(""), "text"],
  ["RTF", "application/rtf", text("{\\rtf1\\ansi hello}"), "text"],
  ["PostScript", "application/postscript", text("%!PS-Adobe-3.0\nshowpage\n"), "text"],
  ["SVG", "image/svg+xml", text('<svg xmlns="http://www.w3.org/2000/svg"/>'), "text"],
  ["an HTML error page labelled as a PDF", "application/pdf", text("<html><h1>404"), "text"],
  ["a log with colours", "text/plain", bytes(0x1b, "[31mred", 0x1b, "[0m\r\n"), "text"],
  [
    "GBK with its charset named",
    "text/html; charset=gbk",
    bytes(...Array(40).fill(0xc4), ...Array(40).fill(0xe3)),
    "text",
  ],
  ["Latin-1 with a few accents and no charset", "text/html", bytes("caf", 0xe9, " and cr", 0xe8, "me"), "text"],
  ["UTF-16 with a BOM", "text/plain", bytes(0xff, 0xfe, "h", 0, "i", 0), "text"],
  ["a charset nobody knows", 'text/html; charset="nonsense"', text("hello"), "text"],
  ["a PDF", "application/pdf", text("%PDF-1.7\n"), "pdf"],
  ["a PDF served as octet-stream", "application/octet-stream", text("%PDF-1.4\n"), "pdf"],
  ["a PDF with no type", null, text("%PDF-2.0\n"), "pdf"],
  ["a PDF labelled as text", "text/plain", text("%PDF-1.4\n"), "pdf"],
  ["a PNG", "image/png", bytes(0x89, "PNG\r\n", 0x1a, "\n", 0, 0, 0, 13, "IHDR"), "image"],
  ["a JPEG labelled as text", "text/plain", bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16, "JFIF", 0), "image"],
  ["a ZIP", "application/octet-stream", bytes("PK", 3, 4, 20, 0, 0, 0, 8, 0), "archive"],
  ["gzip", "application/gzip", gzipSync("hello"), "archive"],
  ["opaque bytes labelled as a tar", "application/x-tar", bytes(0, 1, 2, 3, 200, 201), "archive"],
  ["a body labelled text that holds a NUL", "text/plain", bytes("hello", 0, "world"), "binary"],
  ["opaque bytes without a NUL, labelled text", "text/html", noise(4096), "binary"],
  ["control characters alone", "text/plain", bytes(...Array(64).fill(2)), "binary"],
  ["an ELF executable", "text/plain", bytes(0x7f, "ELF", 2, 1, 1, 0), "binary"],
]

describe("classifyBody", () => {
  it.each(ROWS)("tells %s", (_, contentType, head, expected) => {
    expect(classifyBody(contentType, head)).toBe(expected)
  })
})
