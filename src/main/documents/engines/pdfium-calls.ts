/** A pointer into PDFium's memory, or a handle; 0 is none. */
export type Handle = number

/** The bare `FPDF_*` calls that are used, as every WebAssembly build of PDFium exports them, and its memory. */
export interface PdfiumCalls {
  /** Made anew when the memory grows: never kept across a call. */
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(size: number): Handle; free(pointer: Handle): void }
  _FPDF_InitLibrary(): void
  _FPDF_LoadMemDocument(bytes: Handle, size: number, password: Handle): Handle
  _FPDF_CloseDocument(document: Handle): void
  _FPDF_GetLastError(): number
  _FPDF_GetPageCount(document: Handle): number
  _FPDF_LoadPage(document: Handle, index: number): Handle
  _FPDF_ClosePage(page: Handle): void
  _FPDF_GetPageWidthF(page: Handle): number
  _FPDF_GetPageHeightF(page: Handle): number
  _FPDF_GetPageBoundingBox(page: Handle, rectangle: Handle): number
  _FPDFPage_CountObjects(page: Handle): number
  _FPDFPage_SetMediaBox(page: Handle, left: number, bottom: number, right: number, top: number): void
  _FPDFPage_SetCropBox(page: Handle, left: number, bottom: number, right: number, top: number): void
  _FPDFPage_Flatten(page: Handle, usage: number): number
  _FPDFPage_GetAnnotCount(page: Handle): number
  _FPDFPage_GetAnnot(page: Handle, index: number): Handle
  _FPDFPage_CloseAnnot(annotation: Handle): void
  _FPDFAnnot_GetSubtype(annotation: Handle): number
  _FPDFText_LoadPage(page: Handle): Handle
  _FPDFText_ClosePage(textPage: Handle): void
  _FPDFText_CountChars(textPage: Handle): number
  _FPDFText_GetText(textPage: Handle, start: number, count: number, into: Handle): number
  _FPDFText_CountRects(textPage: Handle, start: number, count: number): number
  _FPDFText_GetRect(textPage: Handle, index: number, left: Handle, top: Handle, right: Handle, bottom: Handle): number
  _FPDFText_HasUnicodeMapError(textPage: Handle, index: number): number
  _FPDFText_GetBoundedText(
    textPage: Handle,
    left: number,
    top: number,
    right: number,
    bottom: number,
    into: Handle,
    units: number,
  ): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, memory: Handle, stride: number): Handle
  _FPDFBitmap_FillRect(bitmap: Handle, left: number, top: number, width: number, height: number, argb: number): void
  _FPDFBitmap_GetBuffer(bitmap: Handle): Handle
  _FPDFBitmap_GetStride(bitmap: Handle): number
  _FPDFBitmap_Destroy(bitmap: Handle): void
  _FPDF_RenderPageBitmap(
    bitmap: Handle,
    page: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
}

/** PDFium could not get memory. The document is too large for it. */
export class OutOfPdfiumMemory extends Error {
  constructor() {
    super("PDFium's memory is full")
    this.name = "OutOfPdfiumMemory"
  }
}

/** So many bytes of PDFium's memory, or a throw. */
export function allocate(pdfium: PdfiumCalls, size: number): Handle {
  const pointer = pdfium.wasmExports.malloc(Math.max(1, size))
  if (pointer === 0) throw new OutOfPdfiumMemory()
  return pointer
}

/** `use` with so many bytes of PDFium's memory that are freed after it. */
export function withMemory<T>(pdfium: PdfiumCalls, size: number, use: (pointer: Handle) => T): T {
  const pointer = allocate(pdfium, size)
  const result = use(pointer)
  pdfium.wasmExports.free(pointer)
  return result
}
