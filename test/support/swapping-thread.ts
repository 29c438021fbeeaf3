import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** How a name inside is swapped between what belongs there and what leads out, by a thread of its own. */
export type SwapKind = "file for link" | "folder for link" | "link for link" | "root for link"

/**
 * Two names of one folder take turns: `inside` is put at `at`, then `outside`, by renames alone. Every `swap()` makes
 * one turn after a random while, in a second thread, beside whatever this thread does meanwhile.
 */
export interface SwappingThread {
  /** Starts a swap; settles when it is done. */
  swap(): Promise<unknown>
  stop(): Promise<unknown>
}

const SOURCE = `
const { parentPort, workerData } = require("node:worker_threads")
const { renameSync, rmSync } = require("node:fs")
const { at, inside, outside } = workerData
let isInside = true
let seed = workerData.seed
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648
let sink = 0
const spin = () => { for (let n = Math.floor(random() * random() * 400000); n > 0; n--) sink += n }
parentPort.on("message", () => {
  spin()
  // Not atomic for folders: for a moment nothing stands there.
  renameSync(at, isInside ? inside : outside)
  const next = isInside ? outside : inside
  for (;;) {
    try {
      renameSync(next, at)
      break
    } catch {
      // A write that came in that moment made the folder anew.
      rmSync(at, { recursive: true, force: true })
    }
  }
  isInside = !isInside
  parentPort.postMessage("swapped")
})
`

export function startSwappingThread(paths: {
  at: string
  inside: string
  outside: string
  seed: number
}): SwappingThread {
  const worker = new Worker(SOURCE, { eval: true, workerData: paths })
  return {
    swap() {
      worker.postMessage("swap")
      return once(worker, "message")
    },
    stop: () => worker.terminate(),
  }
}
