import { spawn } from "node:child_process"
import { join } from "node:path"

/**
 * What the default export of a TypeScript module answers in a process of its own, as JSON. `shellPrefix` runs before
 * it in the same shell (`ulimit -n 256`).
 */
export async function runInChild(module: string, args: string[] = [], shellPrefix = "true"): Promise<unknown> {
  const child = spawn("sh", ["-c", `${shellPrefix} && exec "$@"`, "sh", process.execPath, ...command(module, args)], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
  })
  let output = ""
  let errors = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text
  })
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  if (code !== 0) throw new Error(`${module} ended with ${code}: ${errors}`)
  return JSON.parse(output)
}

function command(module: string, args: string[]): string[] {
  return [join(import.meta.dirname, "run-typescript.mjs"), module, ...args]
}
