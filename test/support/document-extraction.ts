import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type FileByteReader, ok } from "../../vendor/pi-harness/index.ts"

/** The built document process; `test/support/build-once.ts` has built it before the first test. */
export const DOCUMENT_PROCESS_ENTRY = fileURLToPath(new URL("../../out/main/document-process.js", import.meta.url))

/** A reader of these bytes, which may say that they are of another size. */
export function readerOf(bytes: Uint8Array, size = bytes.length): FileByteReader {
  return {
    info: { path: "/in-memory", size, mtimeMs: 0, identity: "0:0" },
    read: async (position, length, _context, into) => {
      const piece = bytes.subarray(position, position + length)
      if (into === undefined) return ok(Uint8Array.from(piece))
      into.set(piece)
      return ok(into.subarray(0, piece.length))
    },
    close: async () => undefined,
  }
}

/** Whether a process with this id is there and has not ended; one that only waits to be reaped has. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== "linux") return true
    const state = readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "")[0]
    return state !== "Z" && state !== "X"
  } catch {
    return false
  }
}

/** Settles once `condition` holds. The test's own time limit ends what never does. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The folder of real files beside the repository, where it is there. */
export function realPdfFolder(): string | undefined {
  const folder = fileURLToPath(new URL("../../../shared/pdf", import.meta.url))
  const elsewhere = fileURLToPath(new URL("../../../../shared/pdf", import.meta.url))
  return [folder, elsewhere].find((path) => existsSync(`${path}/manifest.json`))
}
