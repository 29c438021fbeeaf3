import { after } from "node:test"
import { AgentHarness, BACKGROUND_CONTEXT, MemorySessionRepo, NodeExecutionEnv as TheirEnv } from "harness-0.87/node"
import { createModels, fauxAssistantMessage, fauxProvider, fauxText, fauxToolCall } from "harness-ai-0.87"
import {
  createReadTool,
  getOrThrow,
  NodeExecutionEnv,
  openFileReader,
  ScopedExecutionEnv,
} from "../../../out/main/index.js"
import { createNodeDocumentExtractor } from "../../../out/main/node.js"
import { describeHost } from "./cases.mjs"

const documentExtractor = createNodeDocumentExtractor()
after(() => documentExtractor.close())

/** The real `AgentHarness`, with a model that calls the tool once and then is done. */
async function startHarness(env) {
  const faux = fauxProvider({ models: [{ id: "model", input: ["text", "image"] }] })
  const models = createModels()
  models.setProvider(faux.provider)
  const context = BACKGROUND_CONTEXT
  const session = await new MemorySessionRepo().create({}, context)
  const options = {
    session,
    models,
    model: faux.getModel(),
    tools: [createReadTool({ documentExtractor })],
    toolContext: { env },
  }
  const { harness } = await AgentHarness.create(options, context)
  const lane = await harness.lane("main", context)
  const toolCall = (args) => fauxAssistantMessage([fauxToolCall("read", args)], { stopReason: "toolUse" })
  return {
    async read(args) {
      let result
      const answer = ({ messages }) => {
        result = messages.findLast(({ role }) => role === "toolResult")
        return fauxAssistantMessage([fauxText("done")])
      }
      faux.setResponses([toolCall(args), answer])
      getOrThrow(await lane.prompt("read it", undefined, context))
      return result
    },
    async abortedRead(args, isUnderWay) {
      const stopListening = harness.events.on("tool_update", ({ partialResult }) => {
        if (isUnderWay(partialResult.content[0].text)) void lane.abort(context)
      })
      faux.setResponses([toolCall(args), fauxAssistantMessage([fauxText("never")])])
      const outcome = getOrThrow(await lane.prompt("read it", undefined, context))
      stopListening()
      return outcome.status
    },
    stop: () => harness.close(context),
  }
}

describeHost("the harness of pi-agent-core 0.87.1 with this package's environment", async (folder) => {
  const inner = new NodeExecutionEnv({ cwd: folder })
  return startHarness(getOrThrow(await ScopedExecutionEnv.create(inner, { root: folder }, BACKGROUND_CONTEXT)))
})

describeHost("the harness of pi-agent-core 0.87.1 with its own environment, openFileReader added", async (folder) => {
  const theirs = Object.assign(new TheirEnv({ cwd: folder }), { openFileReader })
  return startHarness(getOrThrow(await ScopedExecutionEnv.create(theirs, { root: folder }, BACKGROUND_CONTEXT)))
})
