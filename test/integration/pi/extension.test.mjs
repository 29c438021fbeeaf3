import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, it } from "node:test"
import { fileURLToPath } from "node:url"
import { fauxAssistantMessage, fauxProvider, fauxToolCall } from "@earendil-works/pi-ai"
import {
  createAgentSession,
  DefaultResourceLoader,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent"
import { BACKGROUND_CONTEXT, getOrThrow, NodeExecutionEnv, ScopedExecutionEnv } from "../../../out/main/index.js"
import { createNodeDocumentExtractor } from "../../../out/main/node.js"
import extension, { createPiExtension } from "../../../out/main/pi.js"
import { describeHost } from "./cases.mjs"
import { makeFiles } from "./files.mjs"

/** A real session of pi, with nothing of the user's own, and a model that calls the tool once and then is done. */
async function startSession(cwd, readExtension, packages = []) {
  const agentDir = await mkdtemp(join(tmpdir(), "bounded-read-agent-"))
  const faux = fauxProvider({ models: [{ id: "model", input: ["text", "image"] }] })
  const settingsManager = SettingsManager.inMemory({ compaction: { enabled: false }, packages })
  const modelRuntime = await ModelRuntime.create({
    authPath: join(agentDir, "auth.json"),
    modelsPath: join(agentDir, "models.json"),
  })
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    noExtensions: packages.length === 0,
    noSkills: true,
    noContextFiles: true,
    extensionFactories: [(pi) => pi.registerProvider(faux.provider), ...(readExtension ? [readExtension] : [])],
  })
  await resourceLoader.reload()
  const { session } = await createAgentSession({
    cwd,
    agentDir,
    model: faux.getModel(),
    modelRuntime,
    resourceLoader,
    settingsManager,
    sessionManager: SessionManager.inMemory(cwd),
    tools: ["read"],
  })
  const toolCall = (args) => fauxAssistantMessage([fauxToolCall("read", args)], { stopReason: "toolUse" })
  let ended
  session.subscribe((event) => {
    if (event.type === "tool_execution_end") ended = event
  })
  return {
    session,
    ended: () => ended,
    async read(args) {
      let result
      const answer = ({ messages }) => {
        result = messages.findLast(({ role }) => role === "toolResult")
        return fauxAssistantMessage("done")
      }
      faux.setResponses([toolCall(args), answer])
      await session.prompt("read it")
      return result
    },
    async abortedRead(args, isUnderWay) {
      const stopListening = session.subscribe((event) => {
        if (event.type !== "tool_execution_update") return
        if (isUnderWay(event.partialResult.content[0].text)) void session.abort()
      })
      faux.setResponses([toolCall(args), fauxAssistantMessage("never")])
      await session.prompt("read it")
      stopListening()
      return JSON.stringify(session.messages.at(-1))
    },
    async stop() {
      session.dispose()
      await rm(agentDir, { recursive: true, force: true })
    },
  }
}

const documentExtractor = createNodeDocumentExtractor()
after(() => documentExtractor.close())

const scoped = createPiExtension({
  documentExtractor,
  env: async (cwd) =>
    getOrThrow(await ScopedExecutionEnv.create(new NodeExecutionEnv({ cwd }), { root: cwd }, BACKGROUND_CONTEXT)),
})

describeHost("pi 1.6 with the extension", (folder) => startSession(folder, scoped))

const root = fileURLToPath(new URL("../../..", import.meta.url))

for (const [how, start] of [
  ["as it is loaded by its name", (folder) => startSession(folder, extension)],
  ["of the package, installed as a package of pi,", (folder) => startSession(folder, undefined, [root])],
])
  it(`the extension ${how} replaces pi's own read tool`, async () => {
    const { folder, dispose } = await makeFiles()
    const host = await start(folder)
    try {
      assert.deepEqual(host.session.getActiveToolNames(), ["read"])
      await host.read({ path: "hello.txt" })
      const { result } = host.ended()
      assert.equal(result.structuredContent, "hello\nworld\n")
      assert.equal(result.details.receipt.kind, "text")
      await host.read({ path: "pixel.png" })
      assert.equal(host.ended().result.structuredContent.type, "image")
      await host.read({ path: "paper.pdf" })
      assert.match(host.ended().result.structuredContent.note, /^--- page 1 of 1 ---\nHello, world/)
    } finally {
      await host.stop()
      await dispose()
    }
  })
