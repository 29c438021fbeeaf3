import { type Context, err, ok, type Result, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import type { Limits } from "../limits.ts"
import { DocumentError, type DocumentRequest, type NotReadReason } from "./document-extractor.ts"
import { maxCharacters } from "./document-job.ts"
import type { ProcessFlavour } from "./document-process.ts"
import { type ExtractionHarvest, runJob } from "./extraction.ts"
import type { ExtractorPool } from "./extractor-pool.ts"
import type { ExtractorJob, JobOutcome } from "./extractor-protocol.ts"
import { ConversationEnded } from "./process-conversation.ts"

/** Part of the budget that the child leaves unused between pages, so that it ends by itself and not by the kill. */
const CHILD_BUDGET_SHARE = 0.9

/** How a job ended: what the engine said, or the one reason why it said nothing. */
export type JobEnd = { outcome: JobOutcome } | { notRead: NotReadReason }

/**
 * One job from the queue to its end, under the deadline and the context's abort. Settles at once on either, whatever
 * the process or the reader does; what came home before stays in `harvest`.
 */
export async function runInProcess(
  pool: ExtractorPool,
  limits: Limits,
  flavour: ProcessFlavour,
  job: ExtractorJob,
  { reader }: { reader: DocumentRequest["reader"] },
  harvest: ExtractionHarvest,
  context: Context,
): Promise<Result<JobEnd, DocumentError>> {
  const aborted = () => err(new DocumentError("aborted", "The read was aborted."))
  if (context.abortSignal?.aborted) return aborted()
  const startedAt = performance.now()
  const stop = new AbortController()
  let release: () => void = () => undefined
  const stopped = new Promise<"deadline" | "abort">((resolve) => {
    const deadline = setTimeout(() => resolve("deadline"), limits.documentDeadlineMs)
    const abort = () => resolve("abort")
    context.abortSignal?.addEventListener("abort", abort, { once: true })
    release = () => {
      clearTimeout(deadline)
      context.abortSignal?.removeEventListener("abort", abort)
    }
  })
  const work = async (): Promise<JobEnd> => {
    const process = await pool.lease(flavour, stop.signal)
    if (process === undefined) return { notRead: "unavailable" }
    const kill = () => process.conversation.endWith("killed")
    stop.signal.addEventListener("abort", kill, { once: true })
    if (stop.signal.aborted) kill()
    try {
      await process.prepared
      const budget = Math.max(0, (limits.documentDeadlineMs - (performance.now() - startedAt)) * CHILD_BUDGET_SHARE)
      const bounds = {
        maxDocumentBytes: job.kind === "image" ? limits.maxImageFileBytes : limits.maxDocumentBytes,
        maxPages: limits.maxDocumentPages,
        maxCharacters: maxCharacters(limits),
        maxImageBytes: job.kind === "docx" ? 0 : job.limits.maxImageBytes,
      }
      const jobContext = withAbortSignal(stop.signal, context)
      const { conversation } = process
      const outcome = await runJob(conversation, job, reader, Math.floor(budget), bounds, harvest, jobContext)
      if (outcome === undefined) {
        kill()
        return { notRead: "unsupported" }
      }
      process.conversation.complete()
      return { outcome }
    } catch (thrown) {
      kill()
      return { notRead: reasonOf(thrown) }
    } finally {
      stop.signal.removeEventListener("abort", kill)
      process.conversation.keepParentAlive(false)
    }
  }
  const end = await Promise.race([work(), stopped])
  release()
  if (end === "abort" || end === "deadline") stop.abort()
  if (end === "abort") return aborted()
  if (end === "deadline") return ok({ notRead: "timeout" })
  if (harvest.readError !== undefined) {
    return err(new DocumentError("read_failed", harvest.readError.message, harvest.readError))
  }
  return ok(end)
}

function reasonOf(thrown: unknown): NotReadReason {
  if (!(thrown instanceof ConversationEnded)) return "unavailable"
  if (thrown.end === "died" || thrown.end === "oversized") return "too-large"
  return thrown.end === "hostile" ? "unsupported" : "unavailable"
}
