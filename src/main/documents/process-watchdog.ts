import { Worker } from "node:worker_threads"
import { MAX_DOCUMENT_RESIDENT_BYTES, MEMORY_POLL_MS } from "../limits.ts"

/** A job that was not ended by its parent this long after its budget has no parent. */
const ORPHAN_GRACE_MS = 5_000

/**
 * The thread's program: one string, so that it needs no file of its own. It polls because the main thread may
 * be inside WebAssembly for as long as a document likes, and takes the parent's death from the parent's pid.
 */
const PROGRAM = `
const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads")
const { shared, maxResidentBytes, pollMs } = workerData
const parent = process.ppid
parentPort.postMessage("looking")
for (;;) {
  Atomics.wait(shared, 1, 0, pollMs)
  const endsAt = Atomics.load(shared, 0)
  const late = endsAt > 0 && process.uptime() * 1000 > endsAt
  if (late || process.ppid !== parent || process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, "SIGKILL")
}
`

export interface ProcessWatchdog {
  /** Settles once the thread looks; rejects where it could not be started. */
  looking: Promise<void>
  /** The job that begins now has so much time; some seconds later the process ends itself, whoever else is still there. */
  limitTime(budgetMs: number): void
}

/**
 * Starts the thread that kills this process once it holds more than {@link MAX_DOCUMENT_RESIDENT_BYTES}, once its parent
 * is gone, or once its time is long over. It costs some 15 MB, and it works while the main thread does not.
 */
export function startWatchdog(): ProcessWatchdog {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { shared, maxResidentBytes: MAX_DOCUMENT_RESIDENT_BYTES, pollMs: MEMORY_POLL_MS },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  })
  const looking = new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve())
    worker.once("error", reject)
  })
  worker.unref()
  return {
    looking,
    limitTime: (budgetMs) => {
      Atomics.store(shared, 0, Math.ceil(process.uptime() * 1_000 + budgetMs + ORPHAN_GRACE_MS))
    },
  }
}
