import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const built = join(import.meta.dirname, "..", "out", "main")
const HOSTS = ["pi.js", "ai.js", "body.js", "electron.js", "cli.js"]

/** What importing a built file loads at once, and what it imports by a package's name; later imports not counted. */
async function loadedBy(entry: string): Promise<{ files: string[]; packages: string[] }> {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (files.has(file)) return
    files.add(file)
    const code = await readFile(join(built, file), "utf8")
    for (const [, name = ""] of code.matchAll(
      /(?:^|\n)\s*(?:import|export)\s(?:[^"'\n]*?\sfrom\s)?["']([^"'\n]+)["']/g,
    )) {
      if (name.startsWith(".")) await visit(join(dirname(file), name))
      else if (!name.startsWith("node:")) packages.add(name)
    }
  }
  await visit(entry)
  return { files: [...files], packages: [...packages] }
}

describe("Importing an entry of the package", () => {
  it.each(["pi.js", "ai.js", "body.js"])("%s loads no other host and no package at all", async (entry) => {
    const { files, packages } = await loadedBy(entry)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => HOSTS.includes(file))).toEqual([entry])
    expect(packages).toEqual([])
  })

  it("index.js loads no engine, no server and no package", async () => {
    const { files, packages } = await loadedBy("index.js")
    const code = (await Promise.all(files.map((file) => readFile(join(built, file), "utf8")))).join("\n")
    expect(code).toContain("createReadTool")
    for (const part of ["createImageEngine", "FPDF_LoadMemDocument", "StdioServerTransport"])
      expect(code).not.toContain(part)
    expect(packages).toEqual([])
  })
})
