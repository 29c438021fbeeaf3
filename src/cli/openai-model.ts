import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { createAiDocumentModel } from "../main/tools/ai-document-model.ts"
import type { DocumentModel } from "../main/tools/document-model.ts"

export interface OpenAiEndpoint {
  /** Up to and with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | undefined
  /** As the endpoint calls it. */
  model: string
  acceptsImages: boolean
}

/** A model behind an endpoint that speaks OpenAI's chat completions. */
export function openAiModel({ baseUrl, apiKey, model, acceptsImages }: OpenAiEndpoint): DocumentModel {
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return createAiDocumentModel({
    id: model,
    model: provider.chatModel(model),
    acceptsImages,
    // One request without tools: the provider's own call is all of the SDK that this takes.
    generateText: async ({ model, messages, abortSignal }) => {
      const { content } = await model.doGenerate({
        prompt: messages,
        ...(abortSignal === undefined ? {} : { abortSignal }),
      })
      return { text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") }
    },
  })
}
