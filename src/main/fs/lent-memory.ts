/**
 * Memory that the operating system may still write to. A read that was aborted is over for its caller, but not for the
 * kernel: whoever used the same memory again would find bytes of another file in it. Readers note here what they lend.
 */
const lent: Uint8Array[] = []
let waiting: { memory: Uint8Array; resolve: () => void }[] = []

/** `view` is being written to, until as many calls of {@link takeBackMemory} with the same view. */
export function lendMemory(view: Uint8Array): void {
  lent.push(view)
}

export function takeBackMemory(view: Uint8Array): void {
  const index = lent.indexOf(view)
  if (index < 0) return
  lent.splice(index, 1)
  if (waiting.length === 0) return
  const free = waiting.filter(({ memory }) => !isMemoryLent(memory))
  waiting = waiting.filter((one) => !free.includes(one))
  for (const { resolve } of free) resolve()
}

/** Whether any byte of `memory` may still be written to. */
export function isMemoryLent(memory: Uint8Array): boolean {
  const end = memory.byteOffset + memory.byteLength
  return lent.some(
    (view) =>
      view.buffer === memory.buffer && view.byteOffset < end && memory.byteOffset < view.byteOffset + view.byteLength,
  )
}

/** Settles once no byte of `memory` is written to any more: with a dead file, never. */
export function whenMemoryIsFree(memory: Uint8Array): Promise<void> {
  if (!isMemoryLent(memory)) return Promise.resolve()
  return new Promise((resolve) => waiting.push({ memory, resolve }))
}
