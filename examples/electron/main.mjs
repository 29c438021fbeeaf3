// Choose or drop a file and see what a model would see of it; `--read PATH --json` prints it and quits.

import { monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { app, BrowserWindow, dialog, ipcMain, utilityProcess } from "electron"
import fs from "original-fs"
import { createElectronDocumentExtractor } from "../../out/main/electron.js"
import { BACKGROUND_CONTEXT, createReadTool, NodeExecutionEnv, withAbortSignal } from "../../out/main/index.js"

const documentExtractor = createElectronDocumentExtractor({ app, utilityProcess })
const env = new NodeExecutionEnv({ cwd: app.getPath("home"), fs })
const tool = createReadTool({ documentExtractor, shell: false })
let last
async function read(parameters) {
  last?.abort()
  last = new AbortController()
  const context = withAbortSignal(last.signal, BACKGROUND_CONTEXT)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  const answer = await tool.execute("page", parameters, undefined, { env }, undefined, context).then(
    ({ content, receipt }) => ({ content, receipt }),
    (error) => ({ error: error.message }),
  )
  delay.disable()
  return { ...answer, ms: performance.now() - started, delayMs: delay.percentile(99) / 1e6 }
}

// Awaited at the top, it would never come.
app.whenReady().then(async () => {
  const asked = process.argv.indexOf("--read")
  if (asked >= 0) {
    const { ms, delayMs, ...answer } = await read({ path: process.argv[asked + 1] })
    process.stdout.write(process.argv.includes("--json") ? `${JSON.stringify(answer)}\n` : textOf(answer))
    app.exit(answer.error === undefined ? 0 : 1)
  } else {
    const file = (name) => fileURLToPath(new URL(name, import.meta.url))
    ipcMain.handle("read", (_event, parameters) => read(parameters))
    ipcMain.handle("choose", async () => (await dialog.showOpenDialog({ properties: ["openFile"] })).filePaths[0])
    const window = new BrowserWindow({
      width: 1100,
      height: 760,
      webPreferences: { preload: file("./preload.cjs"), contextIsolation: true, sandbox: true, nodeIntegration: false },
    })
    await window.loadFile(file("./page.html"))
    app.on("window-all-closed", () => app.quit())
  }
})
function textOf({ content = [], error }) {
  return error ?? content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n")
}
