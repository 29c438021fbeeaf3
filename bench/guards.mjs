/**
 * What the guards add to a read of a 4 KB file: the read tool over the plain environment and over each guard, and the
 * bare opening, read and close beside it. `node bench/guards.mjs`, over the built package.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  BACKGROUND_CONTEXT,
  createReadTool,
  getOrThrow,
  markingSavedOutput,
  NodeExecutionEnv,
  refusingCredentialReads,
  ScopedExecutionEnv,
} from "../out/main/index.js"
import { mediansOf } from "./support/measure.mjs"
import { milliseconds, report } from "./support/report.mjs"

const READS = 2_000
const MAX_RATIO = 1.25

const root = await mkdtemp(join(tmpdir(), "bench-guards-"))
try {
  await mkdir(join(root, "src/lib"), { recursive: true })
  await writeFile(
    join(root, "src/lib/file.ts"),
    `${"const a = 1 // 4 KB of source text\n".repeat(120)}`.slice(0, 4_096),
  )

  const plain = new NodeExecutionEnv({ cwd: root })
  const scoped = getOrThrow(await ScopedExecutionEnv.create(plain, { root }))
  const environments = {
    plain,
    scoped,
    "refusing credentials": refusingCredentialReads(plain),
    both: refusingCredentialReads(scoped),
  }

  const tool = createReadTool()
  const marking = markingSavedOutput(tool, () => undefined)
  const byTool =
    (env, reader = tool) =>
    async () => {
      for (let i = 0; i < READS; i++) {
        await reader.execute("1", { path: "src/lib/file.ts" }, undefined, { env }, undefined, BACKGROUND_CONTEXT)
      }
    }
  const whole = (env) => async () => {
    for (let i = 0; i < READS; i++) getOrThrow(await env.readTextFile("src/lib/file.ts", BACKGROUND_CONTEXT))
  }

  const subjects = {}
  for (const [name, env] of Object.entries(environments)) {
    subjects[`read tool, ${name}`] = byTool(env)
    subjects[`readTextFile, ${name}`] = whole(env)
  }
  subjects["read tool, marking saved output"] = byTool(plain, marking)
  const times = await mediansOf(subjects)

  const rows = []
  for (const verb of ["read tool", "readTextFile"]) {
    const base = times[`${verb}, plain`].median
    for (const name of Object.keys(subjects)) {
      if (!name.startsWith(`${verb}, `) || name.endsWith(", plain")) continue
      const own = times[name].median
      const row = { what: name, ours: milliseconds(own / READS), other: milliseconds(base / READS), value: own / base }
      rows.push(verb === "read tool" && !name.includes("marking") ? { ...row, bar: MAX_RATIO } : row)
    }
  }
  await report("guards", {
    title: `A read of 4,096 bytes, guarded against plain, median of 7 x ${READS.toLocaleString("en")} reads`,
    rows,
    notes: ["The bar is on the read tool; marking saved output resolves the path once more by design."],
  })
} finally {
  await rm(root, { recursive: true, force: true })
}
