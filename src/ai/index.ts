export { type AiDocumentModelOptions, createAiDocumentModel } from "../main/tools/ai-document-model.ts"
export type { AiSdkVersion, ModelOutput } from "./model-output.ts"
export { type AiReadOutput, type AiReadTool, type AiReadToolOptions, createAiReadTool } from "./read-tool.ts"
