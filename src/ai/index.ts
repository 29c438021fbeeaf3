export type { AiSdkVersion, ModelOutput } from "./model-output.ts"
export { type AiReadOutput, type AiReadTool, type AiReadToolOptions, createAiReadTool } from "./read-tool.ts"
