// The main process of a real Electron: runs the cases and prints one line of JSON for each.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { app, utilityProcess } from "electron"
import fs from "original-fs"
import { createElectronDocumentExtractor } from "../../out/main/electron.js"
import * as library from "../../out/main/index.js"
import { CASES } from "./cases.mjs"

app.on("window-all-closed", () => undefined)
// Not awaited at the top: Electron is ready only once this module has been evaluated.
app
  .whenReady()
  .then(async () => {
    const pdf = new Uint8Array(readFileSync(process.argv.at(-1)))
    const engine = fileURLToPath(new URL("../../out/main/pdfium.wasm", import.meta.url))
    const createExtractor = (options) => createElectronDocumentExtractor({ app, utilityProcess, ...options })
    for (const { title, run } of CASES) {
      try {
        await run({ app, utilityProcess, createExtractor, pdf, engine, library, fs })
        console.log(JSON.stringify({ title, passed: true }))
      } catch (error) {
        console.log(JSON.stringify({ title, passed: false, error: String(error?.stack ?? error) }))
      }
    }
    app.exit(0)
  })
  .catch((error) => {
    console.error(error)
    app.exit(1)
  })
