import { formatSize, type ImageContent } from "../../vendor/pi-harness/index.ts"
import { sniffImage } from "../main/documents/image-signature.ts"
import type { ReadResult } from "../main/tools/read-result.ts"

/**
 * The result as it is printed: text blocks exactly, an image block as one line that names its type, size and pixels.
 * A line end is added only between blocks, where the one before has none.
 */
export function printedResult(result: ReadResult): string {
  let printed = ""
  for (const block of result.content) {
    if (printed !== "" && !printed.endsWith("\n")) printed += "\n"
    printed += block.type === "text" ? block.text : `${imageLine(block, result)}\n`
  }
  return printed
}

/** One line of JSON: the result as the host gets it, images in base64. */
export function printedJson({ content, details, receipt }: ReadResult): string {
  return `${JSON.stringify({ content, details, receipt })}\n`
}

function imageLine(image: ImageContent, result: ReadResult): string {
  const bytes = Buffer.from(image.data, "base64")
  const pixels = result.receipt.image ?? sniffImage(bytes)
  const facts = [image.mimeType, formatSize(bytes.length)]
  if (pixels?.width !== undefined) facts.push(`${pixels.width} x ${pixels.height} pixels`)
  return `[${facts.join(", ")}]`
}
