import { MAX_RENDERED_SIDE_PIXELS } from "../../limits.ts"
import type { EncodedImage } from "./engine.ts"
import { type Handle, OutOfPdfiumMemory, type PdfiumCalls } from "./pdfium-calls.ts"
import { encodePng } from "./png-encoder.ts"

const POINTS_PER_INCH = 72
/** Enough to read a scan by; more only costs tokens. */
const MAX_DPI = 150
/** 32 bits a pixel, the last byte unused. */
const BITMAP_BGRX = 3
const WHITE = 0xffffffff
const RENDER_ANNOTATIONS = 0x01
const RENDER_RGB_ORDER = 0x10
/** Each try takes at most this share of the pixels of the one before, where its PNG was too large. */
const MAX_STEP_DOWN = 0.7
const MAX_TRIES = 6

/** Whole pixels within `maxPixels` and the longest side; undefined for a size that no page has. */
export function planPixels(
  widthPoints: number,
  heightPoints: number,
  maxPixels: number,
): { width: number; height: number } | undefined {
  if (!(widthPoints > 0 && heightPoints > 0 && Number.isFinite(widthPoints * heightPoints)) || maxPixels < 1) {
    return undefined
  }
  const scale = Math.min(
    MAX_DPI / POINTS_PER_INCH,
    MAX_RENDERED_SIDE_PIXELS / Math.max(widthPoints, heightPoints),
    Math.sqrt(maxPixels / (widthPoints * heightPoints)),
  )
  const whole = (points: number, max: number) => Math.min(Math.max(1, Math.floor(points * scale)), Math.max(1, max))
  const width = whole(widthPoints, Math.min(maxPixels, MAX_RENDERED_SIDE_PIXELS))
  return { width, height: whole(heightPoints, Math.floor(maxPixels / width)) }
}

/** A loaded page as PNG of at most `maxPixels` and `maxBytes`; undefined where it has no size, or never gets small enough. */
export function renderPage(
  pdfium: PdfiumCalls,
  page: Handle,
  maxPixels: number,
  maxBytes: number,
): EncodedImage | undefined {
  const widthPoints = pdfium._FPDF_GetPageWidthF(page)
  const heightPoints = pdfium._FPDF_GetPageHeightF(page)
  let budget = maxPixels
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const size = planPixels(widthPoints, heightPoints, budget)
    if (size === undefined) return undefined
    const image = renderAt(pdfium, page, size.width, size.height)
    if (image.data.byteLength <= maxBytes) return image
    budget = Math.floor(size.width * size.height * Math.min(MAX_STEP_DOWN, (0.9 * maxBytes) / image.data.byteLength))
  }
  return undefined
}

function renderAt(pdfium: PdfiumCalls, page: Handle, width: number, height: number): EncodedImage {
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BITMAP_BGRX, 0, 0)
  if (bitmap === 0) throw new OutOfPdfiumMemory()
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_ANNOTATIONS | RENDER_RGB_ORDER)
  const stride = pdfium._FPDFBitmap_GetStride(bitmap)
  const start = pdfium._FPDFBitmap_GetBuffer(bitmap)
  const image = encodePng(pdfium.HEAPU8.subarray(start, start + stride * height), width, height, stride)
  pdfium._FPDFBitmap_Destroy(bitmap)
  return image
}
