/**
 * Runs the benchmarks one after the other, each in a process of its own: `npm run bench`, or `npm run bench -- text` for
 * one. Each prints its table and writes `bench/results/<name>.json`. Exit code 1 where a bar was not held.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { basename, join } from "node:path"

const folder = import.meta.dirname
const all = (await readdir(folder))
  .filter((name) => name.endsWith(".mjs") && name !== basename(import.meta.filename))
  .map((name) => basename(name, ".mjs"))
  .sort()
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(", ")}. There are: ${all.join(", ") || "none yet"}.`)
  process.exit(2)
}

for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n== ${name}`)
  const child = spawn(process.execPath, [join(folder, `${name}.mjs`)], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  if (code !== 0) process.exitCode = 1
}
