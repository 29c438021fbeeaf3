// Assembles src/main/fs/newline-counter.wat into the bytes committed beside it:
//   node scripts/assemble-newline-counter.mjs
// A test assembles again and compares.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import openWabt from "wabt"

const SOURCE = new URL("../src/main/fs/newline-counter.wat", import.meta.url)
const TARGET = new URL("../src/main/fs/newline-counter-wasm.ts", import.meta.url)

/** The text of newline-counter-wasm.ts. */
export async function assembleNewlineCounter() {
  const wabt = await openWabt()
  const module = wabt.parseWat("newline-counter.wat", readFileSync(SOURCE, "utf8"), { simd: true })
  module.validate()
  const { buffer } = module.toBinary({ write_debug_names: false })
  module.destroy()
  return [
    "/** newline-counter.wat as assembled by scripts/assemble-newline-counter.mjs; base64. Do not edit. */",
    "export const NEWLINE_COUNTER_WASM =",
    `  "${Buffer.from(buffer).toString("base64")}"`,
    "",
  ].join("\n")
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await assembleNewlineCounter())
