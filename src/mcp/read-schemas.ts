import { READ_PARAMETERS } from "../main/tools/parameters.ts"

/** JSON Schema of the arguments: the tool's own, which is as plain as the strictest provider wants it. */
export const INPUT_SCHEMA = { ...READ_PARAMETERS, type: "object" as const }

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }
const NOT_READ = ["too-large", "timeout", "encrypted", "no-text", "unsupported", "unavailable"]

/** JSON Schema of a receipt, which is what `structuredContent` holds. Open: later versions may say more. */
export const OUTPUT_SCHEMA = {
  type: "object" as const,
  properties: {
    kind: { type: "string", enum: ["text", "image", "document", "notebook", "binary", "utf-16", "utf-32", "empty"] },
    path: { ...text, description: "Absolute, as opened" },
    bytes: { ...count, description: "Size of the file" },
    mimeType: text,
    encoding: text,
    lines: { ...text, description: 'Lines shown, such as "1-2000"' },
    totalLines: { ...count, description: "Absent where counting stopped before the end" },
    nextOffset: { ...count, description: "Where to go on; absent at the end" },
    nextColumn: count,
    changed: { type: "boolean", description: "The file was changed while it was read" },
    document: {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["pdf", "docx"] },
        read: { type: "boolean", description: "Whether any of it was read" },
        bytes: count,
        pageCount: count,
        pagesRead: { ...text, description: 'Such as "1-3,7"' },
        textTruncated: { type: "boolean" },
        notRead: { type: "string", enum: NOT_READ },
      },
      required: ["kind", "read", "bytes", "textTruncated"],
    },
    image: {
      type: "object",
      properties: {
        mimeType: text,
        width: count,
        height: count,
        originalWidth: count,
        originalHeight: count,
        frames: count,
        converted: { type: "boolean", description: "The bytes shown differ from the file's" },
      },
      required: ["mimeType", "width", "height", "originalWidth", "originalHeight", "converted"],
    },
    notebook: {
      type: "object",
      properties: { cells: count, cellsRead: { ...text, description: 'Such as "3-12"' } },
      required: ["cells"],
    },
  },
  required: ["kind", "path", "bytes"],
}
