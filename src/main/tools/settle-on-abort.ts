import type { Context, FileError } from "../../../vendor/pi-harness/index.ts"
import type { Clock } from "../fs/clock.ts"
import { abortedError } from "../fs/file-error.ts"
import { ABORT_GRACE_MS } from "../limits.ts"

/**
 * What `work` comes to; once the context is aborted, a rejection with `aborted`. Work that keeps to its context has
 * let go of its file by then, and is waited for; work that does not is left behind after {@link ABORT_GRACE_MS}.
 */
export function settleOnAbort<T>(work: Promise<T>, path: string, context: Context, clock: Clock): Promise<T> {
  const signal = context.abortSignal
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const aborted = (): FileError => abortedError(path)
    let cancel = (): void => {}
    const onAbort = (): void => {
      cancel = clock.startTimer(() => reject(aborted()), ABORT_GRACE_MS)
    }
    const leave = (): void => {
      cancel()
      signal.removeEventListener("abort", onAbort)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener("abort", onAbort, { once: true })
    work.then(
      (value) => {
        leave()
        if (signal.aborted) reject(aborted())
        else resolve(value)
      },
      (error: unknown) => {
        leave()
        reject(signal.aborted ? aborted() : error)
      },
    )
  })
}
