import type { DocumentExtractor } from "../documents/document-extractor.ts"
import type { LineIndex } from "../fs/line-index.ts"
import type { Limits } from "../limits.ts"
import type { ReadImageProcessor } from "./image-processor.ts"

/** What a host chooses for its read tool. Everything has a default that holds the bounds. */
export interface ReadToolOptions {
  /** A host's own decoder and resizer, in place of this package's. Gets a `Buffer`. */
  imageProcessor?: ReadImageProcessor
  /** Handed to {@link imageProcessor}. Default true. */
  autoResizeImages?: boolean
  /** Reads documents and images in a process of its own; without it documents answer `unavailable`. */
  documentExtractor?: DocumentExtractor
  /** Default true. False: the model takes no images, and is told of them in words. */
  acceptsImages?: boolean
  /** Default true: hints may name a command. False: the agent has no shell, and none does. */
  shell?: boolean
  /** A part of the limits; the rest stays at its default. */
  limits?: Partial<Limits>
  /** Where line positions are remembered between reads: the tool's own by default, one to share, `false` for none. */
  lineIndex?: LineIndex | false
}
