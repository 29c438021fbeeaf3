import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"

type Route = (response: ServerResponse) => void

/** A real HTTP server on the loopback address with the bodies that go wrong in the wild. */
export interface BodyServer {
  url(path: string): string
  /** Bytes that the endless bodies have sent: what a reader lets through. */
  sent(): number
  /** Resolves once an endless or a silent body saw its connection end. */
  disconnected: Promise<void>
  close(): Promise<void>
}

export const PAGE = `<!doctype html>\n${"<p>A line of the page.\n".repeat(1000)}`

/** Each line of the body `/log`, which has {@link LOG_LINES} of them: 100 MB. */
export const LOG_LINE = "one line of the log\n"
export const LOG_LINES = 5_000_000
const LOG_LINES_A_WRITE = 5_000

/** Bodies of `files` are answered whole, by path, with no type: their first bytes say what they are. */
export async function startBodyServer(files: Readonly<Record<string, Uint8Array>> = {}): Promise<BodyServer> {
  let sent = 0
  let noteEnd: () => void = () => undefined
  const disconnected = new Promise<void>((resolve) => {
    noteEnd = resolve
  })

  const pour = (type: string, first: Uint8Array | string): Route => {
    return (response) => {
      response.writeHead(200, { "content-type": type })
      response.on("close", noteEnd)
      const chunk = Buffer.alloc(64 * 1024, "endless line of text\n")
      const more = (): void => {
        while (!response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) {
            response.once("drain", more)
            return
          }
        }
      }
      response.write(first)
      more()
    }
  }

  const routes: Record<string, Route> = {
    "/page": (response) => response.setHeader("content-type", "text/html; charset=utf-8").end(PAGE),
    "/redirect": (response) => response.writeHead(302, { location: "/page" }).end(),
    "/chunked": (response) => {
      response.setHeader("content-type", "text/html")
      for (let at = 0; at < PAGE.length; at += 777) response.write(PAGE.slice(at, at + 777))
      response.end()
    },
    "/gzip": (response) =>
      response.setHeader("content-type", "text/html").setHeader("content-encoding", "gzip").end(gzipSync(PAGE)),
    "/gzip-bomb": (response) =>
      response
        .setHeader("content-type", "text/plain")
        .setHeader("content-encoding", "gzip")
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, "a"))),
    "/claims-more": (response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "1000000" })
      response.write("only this", () => response.destroy())
    },
    "/claims-huge-pdf": (response) => {
      response.writeHead(200, { "content-type": "application/pdf", "content-length": `${1e12}` })
      response.on("close", noteEnd)
      response.write(`%PDF-1.7\n${"%".repeat(16_384)}\n`)
    },
    "/endless": pour("text/plain", "begin\n"),
    "/endless-pdf": pour("application/octet-stream", "%PDF-1.4\n"),
    "/endless-zip": pour("text/html", Buffer.from("PK\x03\x04\x14\0\0\0", "latin1")),
    "/silent": (response) => {
      response.on("close", noteEnd)
      response.writeHead(200, { "content-type": "text/plain" }).flushHeaders()
    },
    "/stalls": (response) => {
      response.on("close", noteEnd)
      response.writeHead(200, { "content-type": "text/plain" }).write("the first lines\n")
    },
    "/reset": (response) => {
      response.writeHead(200, { "content-type": "text/plain" })
      response.write("a".repeat(20_000), () => response.socket?.resetAndDestroy())
    },
    "/log": (response) => {
      response.writeHead(200, { "content-type": "text/plain" })
      const part = LOG_LINE.repeat(LOG_LINES_A_WRITE)
      let left = LOG_LINES / LOG_LINES_A_WRITE
      const more = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1
          if (response.write(part)) continue
          response.once("drain", more)
          return
        }
        response.end()
      }
      more()
    },
    "/untyped-pdf": (response) => response.end("%PDF-1.7\nnot much\n"),
    "/nothing": (response) => response.writeHead(204).end(),
  }

  const server: Server = createServer((request, response) => {
    const route = routes[request.url ?? ""]
    const file = files[request.url ?? ""]
    if (file !== undefined) response.end(file)
    else if (route === undefined) response.writeHead(404).end("no such page")
    else route(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    sent: () => sent,
    disconnected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
