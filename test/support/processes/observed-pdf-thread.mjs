// The built thread that reads pages, whose messages a test hears too.
import { BroadcastChannel, parentPort } from "node:worker_threads"

const observers = new BroadcastChannel("pdf-thread")
const post = parentPort.postMessage.bind(parentPort)
parentPort.postMessage = (message) => {
  post(message)
  observers.postMessage(message === "ready" ? message : message.index)
}
await import("../../../out/main/document-thread.js")
