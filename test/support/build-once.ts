import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

/**
 * Builds `out/main` before the first test, for tests that start a process of the built package. In a process of its
 * own, because Vite sets variables of the environment; without emptying the folder, because a bench may be running.
 */
export default async function buildOnce(): Promise<void> {
  const root = join(import.meta.dirname, "../..")
  const electronVite = join(dirname(createRequire(import.meta.url).resolve("electron-vite/package.json")), "bin")
  const command = [join(electronVite, "electron-vite.js"), "build", "--logLevel", "error"]
  await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", KEEP_BUILT_FILES: "1" },
  })
}
