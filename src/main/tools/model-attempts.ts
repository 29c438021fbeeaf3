import { type Context, err, ok, type Result, toError, withAbortSignal } from "../../../vendor/pi-harness/index.ts"
import type { Clock } from "../fs/clock.ts"
import { abortedError } from "../fs/file-error.ts"
import { MAX_QUOTED_ERROR_CHARACTERS } from "../limits.ts"
import type { DocumentAnalysisRequest, DocumentModel } from "./document-model.ts"
import { MODEL_UNAVAILABLE, modelTimedOut, NO_ANSWER_TEXT, noModelAnswered, unknownModel } from "./pdf-notices.ts"

/** A model that was tried and did not answer. */
export interface ModelAttempt {
  model: string
  error: string
}

export interface ModelAnswer {
  model: DocumentModel
  text: string
  /** Those that failed before it. */
  attempts: ModelAttempt[]
}

/** No model answered. The message is the only model's own, where there was one, or where all failed for one reason. */
export class NoModelAnswered extends Error {
  readonly attempts: readonly ModelAttempt[]

  constructor(attempts: readonly ModelAttempt[]) {
    const [first, ...others] = attempts
    const same = first !== undefined && others.every(({ error }) => error === first.error)
    super(same ? first.error : noModelAnswered(attempts))
    this.name = "NoModelAnswered"
    this.attempts = attempts
  }
}

/** The models in the order in which they are asked: the one that was named first, the others behind it. */
export function candidates(
  models: readonly DocumentModel[],
  named: string | undefined,
): Result<DocumentModel[], Error> {
  if (named === undefined) return ok([...models])
  const first = models.find(({ id }) => id === named)
  if (first === undefined) {
    return err(
      unknownModel(
        named,
        models.map(({ id }) => id),
      ),
    )
  }
  return ok([first, ...models.filter((model) => model !== first)])
}

/**
 * The first answer. `requestFor` makes what one of them is asked, or says why it cannot be asked. A model that throws,
 * rejects, answers no text or does not answer within `deadlineMs` has failed, and the next is asked; an abort ends it all.
 */
export async function firstAnswer(
  models: readonly DocumentModel[],
  requestFor: (model: DocumentModel) => Promise<Result<DocumentAnalysisRequest, Error>>,
  { deadlineMs, clock }: { deadlineMs: number; clock: Clock },
  context: Context,
): Promise<Result<ModelAnswer, Error>> {
  const attempts: ModelAttempt[] = []
  for (const model of models) {
    const text = await ask(model, requestFor, deadlineMs, clock, context)
    if (context.abortSignal?.aborted) return err(abortedError())
    if (text.ok) return ok({ model, text: text.value, attempts })
    attempts.push({ model: model.id, error: quoted(text.error) })
  }
  return err(new NoModelAnswered(attempts))
}

async function ask(
  model: DocumentModel,
  requestFor: (model: DocumentModel) => Promise<Result<DocumentAnalysisRequest, Error>>,
  deadlineMs: number,
  clock: Clock,
  context: Context,
): Promise<Result<string, Error>> {
  const available = await within(deadlineMs, clock, context, (context) => model.isAvailable?.(context) ?? true)
  if (!available.ok) return available
  if (!available.value) return err(new Error(MODEL_UNAVAILABLE))
  const request = await settled(() => requestFor(model))
  if (!request.ok) return request
  const answered = await within(deadlineMs, clock, context, async (context) =>
    textOf(await model.analyze(request.value, context)),
  )
  return answered.ok ? answered.value : answered
}

/** What it comes to; an extractor of the host's may throw. */
async function settled<T>(call: () => Promise<Result<T, Error>>): Promise<Result<T, Error>> {
  try {
    return await call()
  } catch (thrown) {
    return err(toError(thrown))
  }
}

/** What a model bound by a host came to, which need not be what its type says. */
function textOf(answer: unknown): Result<string, Error> {
  const { ok: answered, value, error } = (answer ?? {}) as { ok?: unknown; value?: unknown; error?: unknown }
  if (answered !== true && error !== undefined) return err(toError(error))
  const { text } = (value ?? {}) as { text?: unknown }
  return answered === true && typeof text === "string" && text.trim() !== "" ? ok(text) : err(new Error(NO_ANSWER_TEXT))
}

/** What a host's function comes to before the deadline and the abort, whether or not it keeps to its context. */
async function within<T>(
  deadlineMs: number,
  clock: Clock,
  context: Context,
  call: (context: Context) => T | Promise<T>,
): Promise<Result<T, Error>> {
  const stop = new AbortController()
  const signals = context.abortSignal === undefined ? [] : [context.abortSignal]
  const signal = AbortSignal.any([stop.signal, ...signals])
  if (signal.aborted) return err(abortedError())
  let settle: (result: Result<T, Error>) => void = () => undefined
  const stopped = new Promise<Result<T, Error>>((resolve) => {
    settle = resolve
  })
  signal.addEventListener("abort", () => settle(err(new Error(modelTimedOut(deadlineMs)))), { once: true })
  // A longer timer would go off at once.
  const cancel = clock.startTimer(() => stop.abort(), Math.min(deadlineMs, 2 ** 31 - 1))
  try {
    const called = (async () => ok(await call(withAbortSignal(signal, context))))()
    return await Promise.race([called, stopped])
  } catch (thrown) {
    return err(toError(thrown))
  } finally {
    cancel()
  }
}

/** An error's words, short, on one line. */
function quoted(error: Error): string {
  return String(error.message)
    .slice(0, MAX_QUOTED_ERROR_CHARACTERS)
    .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ")
}
