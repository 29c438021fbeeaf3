import { fetchBodyReader } from "../body/fetch-body.ts"
import { createPdfTool as createToolOverUrls, type PdfTool, type PdfToolOptions } from "./tools/pdf.ts"

export interface FetchingPdfToolOptions extends PdfToolOptions {
  /** Fetches http(s) references, and decides what may be fetched. `globalThis.fetch` by default. */
  fetch?: (url: string, init: { signal: AbortSignal }) => Promise<Response>
}

/** The `pdf` tool of `tools/pdf.ts`, which itself reaches no network: http(s) references are downloaded for it. */
export function createPdfTool({ fetch, ...options }: FetchingPdfToolOptions): PdfTool {
  const fetching = fetch === undefined ? {} : { fetch }
  return createToolOverUrls({
    openUrl: (url, bounds) => fetchBodyReader(url, { ...fetching, ...bounds, kinds: ["pdf"] }),
    ...options,
  })
}
