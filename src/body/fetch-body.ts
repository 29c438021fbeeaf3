import type { Context, FileByteReader, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, ok, toError } from "../../vendor/pi-harness/index.ts"
import type { NotReadReason } from "../main/documents/document-extractor.ts"
import { abortedError } from "../main/fs/file-error.ts"
import { DEFAULT_BODY_DEADLINE_MS, MAX_QUOTED_ERROR_CHARACTERS } from "../main/limits.ts"
import { type BodyOptions, type BodyReceipt, openBodyReader } from "./open-body-reader.ts"

export interface FetchBodyOptions extends BodyOptions {
  /** What fetches, and decides what may be fetched. `globalThis.fetch` by default. */
  fetch?: (url: string, init: { signal: AbortSignal }) => Promise<Response>
}

/** Why a body that arrived is not one that was wanted, as the end of a sentence. */
const WORDS: Record<NotReadReason, string> = {
  "too-large": "it is larger than may be downloaded",
  timeout: "it did not arrive in time",
  encrypted: "it is encrypted",
  "no-text": "it holds no text",
  unsupported: "it is of another kind",
  unavailable: "the connection broke",
}

/**
 * Fetches `url` and reads the body as {@link openBodyReader} does; the deadline counts from the call on. An answer that is
 * no success, one of another kind than asked for and one that did not arrive whole are errors that say so. The reader is
 * the caller's to close. Never rejects.
 */
export async function fetchBodyReader(
  url: string,
  options: FetchBodyOptions = {},
): Promise<Result<FileByteReader, FileError>> {
  const { fetch = globalThis.fetch, deadlineMs = DEFAULT_BODY_DEADLINE_MS, context = BACKGROUND_CONTEXT } = options
  const startedAt = performance.now()
  const response = await answer(url, fetch, deadlineMs, context)
  if (!response.ok) return response
  if (!response.value.ok) {
    letGo(response.value)
    return err(refused(url, response.value))
  }
  const left = Math.max(1, deadlineMs - (performance.now() - startedAt))
  const opened = await openBodyReader(response.value, { ...options, deadlineMs: left })
  if (!opened.ok) return opened
  const { receipt, reader } = opened.value
  return reader === undefined ? err(notRead(url, receipt)) : ok(reader)
}

async function answer(
  url: string,
  fetch: NonNullable<FetchBodyOptions["fetch"]>,
  deadlineMs: number,
  context: Context,
): Promise<Result<Response, FileError>> {
  const deadline = new AbortController()
  const signals = context.abortSignal === undefined ? [] : [context.abortSignal]
  const signal = AbortSignal.any([deadline.signal, ...signals])
  // A host's fetch may not keep to its signal.
  const stopped = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
  // A longer timer would go off at once.
  const timer = setTimeout(() => deadline.abort(), Math.min(deadlineMs, 2 ** 31 - 1))
  // Called within a promise, so that one that throws is one that rejects.
  const fetched = (async () => responseOf(await fetch(url, { signal })))()
  try {
    return ok(await Promise.race([fetched, stopped]))
  } catch (thrown) {
    // What comes too late is not left to hold its connection.
    if (signal.aborted) fetched.then(letGo, () => undefined)
    if (context.abortSignal?.aborted) return err(abortedError(url))
    if (deadline.signal.aborted) return err(failure(url, `no answer came within ${deadlineMs / 1000} s`))
    const error = toError(thrown)
    // Node's fetch fails with "fetch failed", and the reason behind it.
    const why = error.cause instanceof Error ? error.cause.message : error.message
    return err(failure(url, why.replaceAll(url, shownUrl(url)).slice(0, MAX_QUOTED_ERROR_CHARACTERS), error))
  } finally {
    clearTimeout(timer)
  }
}

/** What a host's fetch came to, which need not be what its type says. */
function responseOf(answer: Response): Response {
  if (typeof answer?.status !== "number") throw new TypeError("fetch answered no Response")
  return answer
}

function letGo({ body }: Response): void {
  Promise.resolve(body?.cancel()).catch(() => undefined)
}

function refused(url: string, { status, statusText }: Response): FileError {
  const code =
    status === 404 || status === 410 ? "not_found" : [401, 403].includes(status) ? "permission_denied" : "unknown"
  return new FileError(
    code,
    `Not fetched: ${shownUrl(url)}: the server answered ${`${status} ${statusText.slice(0, 100)}`.trim()}`,
    url,
  )
}

function notRead(url: string, { notRead = "unsupported", contentType }: BodyReceipt): FileError {
  const labelled = notRead === "unsupported" && contentType !== "" ? ` (${contentType.slice(0, 100)})` : ""
  return failure(url, `${WORDS[notRead]}${labelled}`)
}

function failure(url: string, why: string, cause?: Error): FileError {
  return new FileError("unknown", `Not fetched: ${shownUrl(url)}: ${why}`, url, cause)
}

const MAX_SHOWN_URL_CHARACTERS = 300

/** A URL as messages have it: short, without the name and the password that it may hold. */
function shownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1").slice(0, MAX_SHOWN_URL_CHARACTERS)
}
