import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { formatSize } from "../../vendor/pi-harness/index.ts"
import { MAX_MODEL_RESPONSE_BYTES } from "../main/limits.ts"
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
    fetch: boundedFetch,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return createAiDocumentModel({
    id: model,
    model: provider.chatModel(model),
    acceptsImages,
    // One request without tools: the provider's own call is all of the SDK that this takes.
    generateText: async ({ model, messages, abortSignal }) => {
      const options = { prompt: messages, ...(abortSignal === undefined ? {} : { abortSignal }) }
      const { content } = await Promise.resolve(model.doGenerate(options)).catch((error: Error) => {
        const { message } = error.cause instanceof ResponseTooLarge ? error.cause : error
        throw new Error(`${new URL(baseUrl).host}: ${message}`, { cause: error })
      })
      return { text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") }
    },
  })
}

class ResponseTooLarge extends Error {
  constructor() {
    super(`it answered more than ${formatSize(MAX_MODEL_RESPONSE_BYTES)}`)
  }
}

/** A response over the bound breaks off there: the provider would hold all of it. */
async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (response.body === null) return response
  let left = MAX_MODEL_RESPONSE_BYTES
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) controller.error(new ResponseTooLarge())
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(bound), response)
}
