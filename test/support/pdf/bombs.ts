import { buildPdf, pageObjects, stream } from "../build-pdf.ts"

/** A document whose page takes longer than anyone waits: a tiling pattern with cells of a thousandth of a point. */
export function spinningPdf(): Buffer {
  const objects = pageObjects([
    { content: "/Pattern cs /P1 scn 0 0 612 792 re f", resources: "/Pattern << /P1 50 0 R >>" },
  ])
  const cell =
    "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>"
  objects.set(50, stream(cell, "1 0 0 rg 0 0 1 1 re f"))
  return buildPdf(objects)
}
