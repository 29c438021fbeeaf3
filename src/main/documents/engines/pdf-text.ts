import { cleanText, cutText } from "./clean-text.ts"
import { type Handle, type PdfiumCalls, withMemory } from "./pdfium-calls.ts"

/** Of a page, in its own units; `top` is above `bottom`. */
export interface PageBox {
  left: number
  top: number
  right: number
  bottom: number
}

export interface PageText {
  text: string
  /** Characters that all of the text counts for; with more than were asked for, `text` is cut. */
  length: number
  /** So much of the text has no Unicode mapping that it is not what the page shows. */
  unreadable: boolean
}

/** Subtypes of annotations that add nothing to the page: links, and the notes that pop up. */
const LINK = 2
const POPUP = 16
/** A page with more is taken to hold others too. */
const MAX_ANNOTATIONS_LOOKED_AT = 1_000
/** Bounded text with less than this share of the characters has dropped ink that is off the page. */
const BOUNDED_SHARE = 0.98
/** 40 of 3,564 real pages have more, nearly all of them really unreadable. */
const UNMAPPED_SHARE = 0.3
/** Evenly spread over the page: enough to tell three in ten from none, at a microsecond each. */
const MAX_CHARACTERS_PROBED = 400
const UTF16_UNIT_BYTES = 2
const DOUBLE_BYTES = 8

/** The page's visible box; undefined where the document has none that makes sense. */
export function readPageBox(pdfium: PdfiumCalls, page: Handle): PageBox | undefined {
  return withMemory(pdfium, 16, (pointer) => {
    if (pdfium._FPDF_GetPageBoundingBox(page, pointer) === 0) return undefined
    const view = new DataView(pdfium.HEAPU8.buffer, pointer, 16)
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true))
    const box = { left: left ?? 0, top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0 }
    const sound = Object.values(box).every(Number.isFinite) && box.right > box.left && box.top > box.bottom
    return sound ? box : undefined
  })
}

/**
 * Draws annotations into the page: the values of forms and the words of notes become its text. Flattening loses boxes
 * that the page inherits, so they are taken before and set after it. Answers whether the page must be loaded anew.
 */
export function flattenAnnotations(pdfium: PdfiumCalls, page: Handle, box: PageBox | undefined): boolean {
  const count = pdfium._FPDFPage_GetAnnotCount(page)
  let more = count > MAX_ANNOTATIONS_LOOKED_AT
  for (let i = 0; i < count && !more; i++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    const subtype = pdfium._FPDFAnnot_GetSubtype(annotation)
    pdfium._FPDFPage_CloseAnnot(annotation)
    more = subtype !== LINK && subtype !== POPUP
  }
  if (!more) return false
  pdfium._FPDFPage_Flatten(page, 0)
  if (box !== undefined) {
    pdfium._FPDFPage_SetMediaBox(page, box.left, box.bottom, box.right, box.top)
    pdfium._FPDFPage_SetCropBox(page, box.left, box.bottom, box.right, box.top)
  }
  return true
}

/** The text of a loaded page, at most `maxCharacters` of it. */
export function readPageText(
  pdfium: PdfiumCalls,
  page: Handle,
  box: PageBox | undefined,
  maxCharacters: number,
): PageText {
  const textPage = pdfium._FPDFText_LoadPage(page)
  if (textPage === 0) return { text: "", length: 0, unreadable: false }
  const count = Math.max(0, pdfium._FPDFText_CountChars(textPage))
  const all = count === 0 ? "" : readAll(pdfium, textPage, Math.min(count, maxCharacters))
  const mayReachOut = box !== undefined && count <= maxCharacters && !isWithin(pdfium, textPage, box)
  const bounded = mayReachOut ? readBounded(pdfium, textPage, box, all.length) : all
  const raw = mayReachOut && inked(bounded) < BOUNDED_SHARE * inked(all) ? bounded : all
  const unreadable = count > 0 && unmappedShare(pdfium, textPage, count) > UNMAPPED_SHARE
  pdfium._FPDFText_ClosePage(textPage)
  const text = cleanText(raw)
  return {
    text: cutText(text, maxCharacters),
    length: Math.max(count, text.length),
    unreadable,
  }
}

function readAll(pdfium: PdfiumCalls, textPage: Handle, count: number): string {
  // Two units a character: one outside the basic plane takes a pair.
  return withMemory(pdfium, (count * 2 + 1) * UTF16_UNIT_BYTES, (into) => {
    const units = pdfium._FPDFText_GetText(textPage, 0, count, into)
    return decode(pdfium, into, Math.min(units, count * 2 + 1))
  })
}

/** Whether all pieces of lines lie within the box: a quarter of what the bounded text costs, which is then all of it. */
function isWithin(pdfium: PdfiumCalls, textPage: Handle, box: PageBox): boolean {
  const count = pdfium._FPDFText_CountRects(textPage, 0, -1)
  return withMemory(pdfium, 4 * DOUBLE_BYTES, (pointer) => {
    const [left, top, right, bottom] = [0, 1, 2, 3].map((at) => pointer + at * DOUBLE_BYTES) as Rectangle
    for (let index = 0; index < count; index++) {
      pdfium._FPDFText_GetRect(textPage, index, left, top, right, bottom)
      const edges = new Float64Array(pdfium.HEAPU8.buffer, pointer, 4)
      const inside =
        (edges[0] ?? NaN) >= box.left &&
        (edges[1] ?? NaN) <= box.top &&
        (edges[2] ?? NaN) <= box.right &&
        (edges[3] ?? NaN) >= box.bottom
      if (!inside) return false
    }
    return true
  })
}

type Rectangle = [left: Handle, top: Handle, right: Handle, bottom: Handle]

function readBounded(pdfium: PdfiumCalls, textPage: Handle, box: PageBox, expected: number): string {
  const { left, top, right, bottom } = box
  // Not asked for its length first, which takes as long: it is a part of a text whose length is known.
  const room = expected * 2 + 2
  return withMemory(pdfium, room * UTF16_UNIT_BYTES, (into) => {
    const units = pdfium._FPDFText_GetBoundedText(textPage, left, top, right, bottom, into, room)
    return decode(pdfium, into, Math.min(units, room))
  })
}

/** `units` of UTF-16, the closing NUL among them or not. */
function decode(pdfium: PdfiumCalls, pointer: Handle, units: number): string {
  const bytes = pdfium.HEAPU8.slice(pointer, pointer + Math.max(0, units) * UTF16_UNIT_BYTES)
  const text = new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes)
  return text.endsWith("\0") ? text.slice(0, -1) : text
}

function inked(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 32) count += 1
  return count
}

function unmappedShare(pdfium: PdfiumCalls, textPage: Handle, count: number): number {
  const probes = Math.min(count, MAX_CHARACTERS_PROBED)
  let unmapped = 0
  for (let i = 0; i < probes; i++) {
    if (pdfium._FPDFText_HasUnicodeMapError(textPage, Math.floor((i * count) / probes)) === 1) unmapped += 1
  }
  return unmapped / probes
}
