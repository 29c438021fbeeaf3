export interface Host {
  app: unknown
  utilityProcess: unknown
  createExtractor(options: object): unknown
  /** One page with the text `Hello, world`. */
  pdf: Uint8Array
  /** Path of the built `pdfium.wasm`. */
  engine: string
  /** What the package exports. */
  library: Pick<
    typeof import("../../src/main/index.ts"),
    "createReadTool" | "NodeExecutionEnv" | "ScopedExecutionEnv" | "BACKGROUND_CONTEXT" | "withAbortSignal"
  >
  /** Electron's `original-fs`, or what stands in for it. */
  fs: unknown
}
export const CASES: { title: string; run(host: Host): Promise<void> }[]
