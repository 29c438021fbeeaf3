import type { ImageContent, TextContent } from "../../vendor/pi-harness/index.ts"

/** Major versions of the AI SDK that this adapter speaks. */
export type AiSdkVersion = 6 | 7

interface TextPart {
  type: "text"
  text: string
}

/** AI SDK 6. */
interface ImageDataPart {
  type: "image-data"
  data: string
  mediaType: string
}

/** AI SDK 7. */
interface FilePart {
  type: "file"
  mediaType: string
  data: { type: "data"; data: string }
}

/** What `toModelOutput` answers: text and images in the shape of the given version. */
export interface ModelOutput<V extends AiSdkVersion> {
  type: "content"
  value: (TextPart | (V extends 6 ? ImageDataPart : FilePart))[]
}

/** The blocks of a read as the parts that the SDK hands to the provider. */
export function modelOutput<V extends AiSdkVersion>(
  content: readonly (TextContent | ImageContent)[],
  version: V,
): ModelOutput<V> {
  const image = version === 6 ? imageDataPart : filePart
  const value = content.map((block) => (block.type === "text" ? { type: "text", text: block.text } : image(block)))
  // The parts are of the version asked for, which the type system cannot follow through a condition.
  return { type: "content", value } as ModelOutput<V>
}

function imageDataPart(block: ImageContent): ImageDataPart {
  return { type: "image-data", data: block.data, mediaType: block.mimeType }
}

function filePart(block: ImageContent): FilePart {
  return { type: "file", mediaType: block.mimeType, data: { type: "data", data: block.data } }
}
