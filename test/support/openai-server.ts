import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

/** What a server was asked, as OpenAI's chat completions have it. */
export interface ChatRequest {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { role: string; content: string | ChatPart[] }[] }
}

export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename?: string; file_data: string } }

/** A local server that speaks OpenAI's chat completions, and keeps what it was asked. */
export interface OpenAiServer {
  baseUrl: string
  requests: ChatRequest[]
  /** What the next requests are answered: the words of the model, a status, or nothing ever. */
  answer: string | number | "never"
  close(): Promise<void>
}

export async function startOpenAiServer(): Promise<OpenAiServer> {
  const requests: ChatRequest[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ChatRequest["body"]
    requests.push({ path: request.url ?? "", headers: request.headers, body })
    response.setHeader("content-type", "application/json")
    if (started.answer === "never") return
    if (typeof started.answer === "number") {
      response
        .writeHead(started.answer)
        .end(JSON.stringify({ error: { message: "the quota is used up", type: "quota" } }))
      return
    }
    const choice = { index: 0, message: { role: "assistant", content: started.answer }, finish_reason: "stop" }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    response.end(
      JSON.stringify({ id: "1", object: "chat.completion", created: 0, model: body.model, choices: [choice], usage }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const started: OpenAiServer = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    answer: "It is about nothing.",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return started
}
