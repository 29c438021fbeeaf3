import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { createReadTool } from "../../src/main/tools/read.ts"
import { BACKGROUND_CONTEXT } from "../../vendor/pi-harness/index.ts"
import { buildPng } from "../support/build-png.ts"

const BROWSER = "/usr/bin/chromium"
const hasBrowser = existsSync(BROWSER)
if (!hasBrowser) console.log(`Skipped: the page of the example is tested in ${BROWSER}, which is not installed.`)

const pages = join(import.meta.dirname, "..", "..", "examples", "electron")
const TYPES: Readonly<Record<string, string>> = { "/page.html": "text/html", "/page.js": "text/javascript" }

describe.runIf(hasBrowser)(
  "the page of the Electron example, its bridge replaced by the real tool behind a server",
  () => {
    let folder: string
    let server: Server
    let browser: Browser
    let page: Page

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "example-"))
      await writeFile(join(folder, "notes.txt"), "one <b>line</b>\nanother\n")
      const sample = (x: number, y: number): number => (x ^ y) & 255
      await writeFile(join(folder, "picture.png"), buildPng({ width: 40, height: 30, sample }))
      const env = new NodeExecutionEnv({ cwd: folder })
      const tool = createReadTool({ shell: false })
      server = createServer(async (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
        const type = TYPES[pathname]
        if (type !== undefined) {
          // The page's own policy allows no connection: here the bridge is one.
          const text = (await readFile(join(pages, pathname), "utf8")).replace(
            "default-src 'none'",
            "connect-src 'self'",
          )
          response.writeHead(200, { "content-type": type }).end(text)
          return
        }
        const parameters = JSON.parse(searchParams.get("parameters") ?? "{}")
        const answer = await tool.execute("page", parameters, undefined, { env }, undefined, BACKGROUND_CONTEXT).then(
          ({ content, receipt }) => ({ content, receipt }),
          (error: Error) => ({ error: error.message }),
        )
        response.end(JSON.stringify({ ...answer, ms: 1, delayMs: 1 }))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      browser = await chromium.launch({
        executablePath: BROWSER,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"],
      })
      page = await browser.newPage()
      await page.addInitScript(`window.reader = {
      read: async (parameters) => (await fetch("/read?parameters=" + encodeURIComponent(JSON.stringify(parameters)))).json(),
      choose: async () => "notes.txt",
      pathOf: (file) => file.name,
    }`)
      await page.goto(`${origin}/page.html`)
    })

    afterAll(async () => {
      await browser?.close()
      server?.close()
      server?.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    })

    async function read(path: string, offset = ""): Promise<void> {
      await page.fill("#path", path)
      await page.fill("#offset", offset)
      await page.click("#read")
      await page.waitForFunction(
        () => !/Reading/.test(`${(globalThis as { content?: { textContent: string } }).content?.textContent}`),
      )
    }

    it("shows the text that the model sees, as text, and the receipt beside it", async () => {
      await read("notes.txt")
      expect(await page.locator("#content pre").textContent()).toBe("one <b>line</b>\nanother\n")
      expect(await page.locator("#receipt").textContent()).toContain('"totalLines": 3')
      await read("notes.txt", "2")
      expect(await page.locator("#content pre").textContent()).toBe("another\n")
    })

    it("shows an image as an image", async () => {
      await read("picture.png")
      await page.waitForSelector("#content img")
      const width = await page
        .locator("#content img")
        .evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)
      expect(width).toBe(40)
    })

    it("shows what was wrong, and reads the next file all the same", async () => {
      await read("missing.txt")
      expect(await page.locator("#content pre").textContent()).toContain("No such file or directory")
      await page.click("#choose")
      await page.waitForFunction(() =>
        /another/.test(`${(globalThis as { content?: { textContent: string } }).content?.textContent}`),
      )
      expect(await page.locator("#path").inputValue()).toBe("notes.txt")
    })
  },
)
