export interface Host {
  app: unknown
  utilityProcess: unknown
  createExtractor(options: object): unknown
  /** One page with the text `Hello, world`. */
  pdf: Uint8Array
  /** Path of the built `pdfium.wasm`. */
  engine: string
}
export const CASES: { title: string; run(host: Host): Promise<void> }[]
