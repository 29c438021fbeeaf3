/** `npm run dev`: starts the example app where Electron's binary is installed, and says how to install it where not. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

// Never by importing `electron`, which would start a download.
const packaged = dirname(createRequire(import.meta.url).resolve("electron/package.json"))
const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(packaged, "dist")
const binary = ["electron", "electron.exe", "Electron.app/Contents/MacOS/Electron"]
  .map((name) => join(folder, name))
  .find((path) => existsSync(path))
if (binary === undefined) {
  console.error("Electron's binary is not installed. `npx install-electron` downloads it; then run this again.")
  process.exitCode = 1
} else {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(binary, ["examples/electron", ...process.argv.slice(2)], { stdio: "inherit", env })
  child.on("exit", (code) => {
    process.exitCode = code ?? 1
  })
}
