/** The child's end of the channel to its parent: Node's over `process`, Electron's over `process.parentPort`. */
export interface ParentChannel {
  /** Settles once the message has left this process, or cannot leave it any more. */
  post(message: unknown): Promise<void>
  onMessage(listener: (message: unknown) => void): void
  /** The parent is gone, or has closed the channel. */
  onClosed(listener: () => void): void
}

/** Electron's `process.parentPort`, as far as it is used here. */
interface ElectronParentPort {
  postMessage(message: unknown): void
  on(event: "message", listener: (event: { data: unknown }) => void): void
  on(event: "close", listener: () => void): void
}

/** The channel that this process was started with; undefined where it was started by hand. */
export function openParentChannel(): ParentChannel | undefined {
  const { parentPort } = process as object as { parentPort?: ElectronParentPort }
  if (parentPort !== undefined) {
    return {
      // It leaves through another thread; a turn of the loop lets the next message in.
      post: (message) => {
        parentPort.postMessage(message)
        return new Promise((resolve) => setImmediate(resolve))
      },
      onMessage: (listener) => parentPort.on("message", (event) => listener(event.data)),
      onClosed: (listener) => parentPort.on("close", listener),
    }
  }
  if (process.send === undefined) return undefined
  return {
    post: (message) => new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()) ?? resolve()),
    onMessage: (listener) => process.on("message", listener),
    onClosed: (listener) => {
      process.on("disconnect", listener)
      if (!process.connected) listener()
    },
  }
}
