// A document process that means harm. Started with the name of what it does; whatever it is not asked to spoil, it does
// as the real one does: it takes all bytes, acknowledges them, and answers one page of text.
const [behaviour, detail] = process.argv.slice(2)
let sent = 0
let engineLeft = 0

const send = (message) => new Promise((resolve) => process.send(message, undefined, {}, resolve))
const say = (message) => send({ v: 1, n: sent++, ...message })
const spin = () => {
  for (;;);
}
const at = (stage) => {
  if (behaviour === "spins" && detail === stage) spin()
  if (behaviour === "exits" && detail === stage) process.exit(0)
  if (behaviour === "throws" && detail === stage) throw new Error("thrown")
}

/** Endless messages, each of them valid on its own. */
async function flood(message) {
  for (;;) await say(message)
}

async function answer() {
  if (behaviour === "says") {
    for (const message of JSON.parse(detail)) {
      if (message?.raw !== undefined) await send(message.raw)
      else if (message?.bytes !== undefined) await say({ ...message, bytes: new Uint8Array(message.bytes) })
      else if (message?.times !== undefined) {
        const { times, ...rest } = message
        await say({ ...rest, text: rest.text.repeat(times) })
      } else await say(message)
    }
    return
  }
  await say({ type: "opened", id: 1, pageCount: 3 })
  at("opened")
  await say({ type: "page", id: 1, page: 1, text: "One page", textTruncated: false })
  at("page")
  if (behaviour === "floods-pages") await flood({ type: "page", id: 1, page: 2, text: "again", textTruncated: false })
  if (behaviour === "floods-acks") await flood({ type: "ack", of: 0 })
  await say({ type: "done", id: 1, textTruncated: false })
  at("done")
}

if (behaviour === "ignores-sigterm") process.on("SIGTERM", () => undefined)
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
if (behaviour === "writes-stderr") for (let i = 0; i < 100; i++) process.stderr.write("x".repeat(1024 * 1024))
at("start")

process.on("message", async (message) => {
  if (message.type === "engine") engineLeft = message.size
  if (message.type === "chunk") {
    await say({ type: "ack", of: message.n })
    at(engineLeft > 0 ? "engine" : "document")
    if (engineLeft === 0) return
    engineLeft -= message.bytes.length
    if (engineLeft > 0) return
    await say({ type: "prepared" })
    at("prepared")
  }
  if (message.type === "end" && behaviour !== "ignores-sigterm") await answer()
})
await say({ type: "ready" })
at("ready")
