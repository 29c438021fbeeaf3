// What Electron puts around the entry of a utility process, over Node's own channel. Started by the fake.
import { EventEmitter } from "node:events"
import { pathToFileURL } from "node:url"

const send = process.send.bind(process)

class ParentPort extends EventEmitter {
  #listening = false

  /** Messages wait until the first listener. */
  on(event, listener) {
    super.on(event, listener)
    if (event === "message" && !this.#listening) {
      this.#listening = true
      process.on("message", (data) => this.emit("message", { data, ports: [] }))
    }
    return this
  }

  postMessage(message) {
    send(message)
  }
}

Object.defineProperty(process, "parentPort", { value: new ParentPort() })
process.send = undefined
// The channel closes with the main process, and Chromium ends the process then.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
// An empty event loop does not end it, and a rejection is only a warning.
setInterval(() => undefined, 2 ** 30)
process.on("unhandledRejection", (reason) => console.warn(reason))
process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]).href)
