declare module "mammoth/lib/docx/docx-reader.js" {
  /** What mammoth reads a package through; it asks `exists` before it reads a part, and reads parts as text. */
  export interface PackageParts {
    exists(name: string): boolean
    read(name: string, encoding?: string): Promise<string>
  }
  /** Loosely typed: what stands in it comes from the document. */
  export interface WordElement {
    type: string
    children?: WordElement[]
    [property: string]: unknown
  }
  export interface WordDocument extends WordElement {
    notes: { resolve(reference: WordElement): (WordElement & { body: WordElement[] }) | null }
    comments: (WordElement & { body: WordElement[] })[]
  }
  export function read(parts: PackageParts): Promise<{ value: WordDocument; messages: { message: string }[] }>
}
