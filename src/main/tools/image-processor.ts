import { type Context, FileError, toError } from "../../../vendor/pi-harness/index.ts"

/** An image that a host's processor made, `data` in base64, or why there is none. Upstream's shape. */
export type ReadImageProcessorResult =
  | { ok: true; data: string; mimeType: string; hints: string[] }
  | { ok: false; message: string }

/** A host's own decoder and resizer, upstream's signature. `bytes` is a `Buffer` that the processor may keep. */
export type ReadImageProcessor = (
  bytes: Uint8Array,
  mimeType: string,
  options: { autoResizeImages: boolean },
  context: Context,
) => Promise<ReadImageProcessorResult>

/**
 * Calls a host's processor and checks what it answers. An abort settles the call at once, with a throw, whatever the
 * processor goes on to do; what the processor throws is thrown on.
 */
export async function callImageProcessor(
  processor: ReadImageProcessor,
  bytes: Buffer,
  mimeType: string,
  autoResizeImages: boolean,
  context: Context,
): Promise<ReadImageProcessorResult> {
  const answer: unknown = await untilAborted(
    (async () => processor(bytes, mimeType, { autoResizeImages }, context))(),
    context,
  )
  if (!isProcessorResult(answer)) throw new TypeError("The host's imageProcessor answered something that is no image")
  return answer
}

function isProcessorResult(answer: unknown): answer is ReadImageProcessorResult {
  if (typeof answer !== "object" || answer === null) return false
  const { ok, data, mimeType, hints, message } = answer as Record<string, unknown>
  if (ok === false) return typeof message === "string"
  const hinted = Array.isArray(hints) && hints.every((hint) => typeof hint === "string")
  return ok === true && typeof data === "string" && typeof mimeType === "string" && hinted
}

/** The promise's outcome, or a throw of `aborted` as soon as the context is. */
async function untilAborted<T>(promise: Promise<T>, context: Context): Promise<T> {
  const signal = context.abortSignal
  if (signal === undefined) return promise
  let onAbort: (() => void) | undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      onAbort = () => reject(new FileError("aborted", "Aborted", undefined, toError(signal.reason)))
      if (signal.aborted) onAbort()
      else signal.addEventListener("abort", onAbort, { once: true })
      promise.then(resolve, reject)
    })
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort)
  }
}
