export * from "../../vendor/pi-harness/index.ts"
export type { CredentialPolicy } from "../pi/credential-names.ts"
export { refusingCredentialReads } from "../pi/credential-reads.ts"
export type { CredentialRule, CredentialTier } from "../pi/credential-rules.ts"
export { CREDENTIAL_RULES } from "../pi/credential-rules.ts"
export { markingSavedOutput, type SavedOutputHolds } from "../pi/saved-output.ts"
export type { ScopedExecutionEnvOptions } from "../pi/scope-settings.ts"
export { ScopedExecutionEnv } from "../pi/scoped-execution-env.ts"
export * from "./documents/document-extractor.ts"
export { openFileReader } from "./fs/file-reader.ts"
export { createLineIndex, type LineIndex, type LineIndexOptions } from "./fs/line-index.ts"
export { NodeExecutionEnv, type NodeExecutionEnvOptions } from "./fs/node-execution-env.ts"
export * from "./limits.ts"
export { createPdfTool, type FetchingPdfToolOptions } from "./pdf-tool.ts"
export type * from "./tools/document-model.ts"
export type { ReadImageProcessor, ReadImageProcessorResult } from "./tools/image-processor.ts"
export { type ModelAttempt, NoModelAnswered } from "./tools/model-attempts.ts"
export type { ReadToolInput } from "./tools/parameters.ts"
export type {
  PdfAnalysisDetails,
  PdfFacts,
  PdfTool,
  PdfToolDetails,
  PdfToolOptions,
  PdfToolResult,
} from "./tools/pdf.ts"
export type { PdfToolInput } from "./tools/pdf-parameters.ts"
export { createReadTool, type ReadTool } from "./tools/read.ts"
export type * from "./tools/read-result.ts"
export type { ReadToolOptions } from "./tools/read-tool-options.ts"
