export * from "../../vendor/pi-harness/index.ts"
export * from "./documents/document-extractor.ts"
export * from "./limits.ts"
export type * from "./tools/read-result.ts"
