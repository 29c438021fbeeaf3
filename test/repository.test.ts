import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"

const root = join(import.meta.dirname, "..")

/** The folders in which this was written, and the one in which it is tested. */
const MACHINE_PATHS = [/\/work\/(main|wt|shared|\.library)\b/, new RegExp(`${escaped(root)}[/\\\\]`)]
/** A package registry, a mirror or a proxy of one, by any host. */
const REGISTRY_ADDRESS = /https?:\/\/[^\s"'`)]*(registry|artifactory|nexus|verdaccio|npmmirror)[^\s"'`)]*/i

// `existsSync`: in a packed or unpacked tree there is no git to ask.
describe.skipIf(!existsSync(join(root, ".git")))("what is committed", () => {
  test("names neither a folder of the machine it was made on nor a registry", async () => {
    const names = await committedNames()
    const found: string[] = []
    for (const name of names) {
      const text = await readFile(join(root, name), "latin1").catch((error: NodeJS.ErrnoException) => {
        // A link to a folder, or a file deleted and not yet committed.
        if (error.code === "EISDIR" || error.code === "ENOENT") return ""
        throw error
      })
      for (const pattern of [...MACHINE_PATHS, REGISTRY_ADDRESS]) {
        const match = pattern.exec(text)
        if (match !== null) found.push(`${name}: ${match[0]}`)
      }
    }
    expect(names.length).toBeGreaterThan(20)
    expect(found).toEqual([])
  })

  test("the lock file names no host, so that any registry serves it", async () => {
    const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { resolved?: string; integrity?: string }>
    }
    const packages = Object.entries(lock.packages).filter(([path]) => path !== "")
    expect(packages.length).toBeGreaterThan(50)
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
    expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })

  test("nothing for Electron awaits its readiness at the top of a module, where it would wait for ever", async () => {
    const names = (await committedNames()).filter((name) => name.endsWith(".mjs") || name === "README.md")
    expect(names).toContain("examples/electron/main.mjs")
    for (const name of names) {
      const text = await readFile(join(root, name), "utf8")
      expect([name, /^await app\.whenReady/m.test(text)]).toEqual([name, false])
    }
  })

  test("every dependency has an exact version", async () => {
    const facts = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Record<string, unknown>
    const versions = [facts.dependencies, facts.devDependencies].flatMap((group) => Object.entries(group ?? {}))
    expect(versions.length).toBeGreaterThan(5)
    expect(versions.filter(([, version]) => !/^(?:npm:[a-z@/-]+@)?\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
  })
})

async function committedNames(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", "ls-files", "-z"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split("\0").filter((name) => name !== "")
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}
