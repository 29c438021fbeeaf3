import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"

const folder = join(import.meta.dirname, "..", "fixtures", "vectors", "read")

/** One call of upstream's tool, and what it answered. */
export interface ReadVector {
  content: string
  offset?: number
  limit?: number
  textSha256?: string
  textBytes?: number
  textEnd?: string
  truncation?: Record<string, unknown>
  error?: string
  emptyNotice?: true
}

export async function loadVectors(): Promise<ReadVector[]> {
  const lines = (await readFile(join(folder, "cases.jsonl"), "utf8")).split("\n").filter((line) => line !== "")
  return lines.map((line) => JSON.parse(line) as ReadVector)
}

/** The files that the vectors read, by name, each checked against its digest. */
export async function loadVectorFiles(): Promise<Map<string, Uint8Array>> {
  const facts = JSON.parse(await readFile(join(folder, "contents.json"), "utf8")) as Record<string, { sha256: string }>
  const files = new Map<string, Uint8Array>()
  for (const [name, { sha256 }] of Object.entries(facts)) {
    const bytes = await promisify(gunzip)(await readFile(join(folder, "contents", `${name}.gz`)))
    if (sha256Of(bytes) !== sha256) throw new Error(`The file of the vectors is damaged: ${name}`)
    files.set(name, new Uint8Array(bytes))
  }
  return files
}

export function sha256Of(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex")
}
