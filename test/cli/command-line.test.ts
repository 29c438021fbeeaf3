import { Writable } from "node:stream"
import { describe, expect, test } from "vitest"
import { runCommandLine } from "../../src/cli/command-line.ts"
import type { ReadSession } from "../../src/cli/read-session.ts"
import type { Terminal } from "../../src/cli/terminal.ts"
import type { ReadResult } from "../../src/main/tools/read-result.ts"
import type { ImageContent, TextContent } from "../../vendor/pi-harness/index.ts"

/** One pixel, transparent: 67 bytes of PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="

function resultOf(...content: (TextContent | ImageContent)[]): ReadResult {
  return { content, details: undefined, receipt: { kind: "text", path: "/a.txt", bytes: 3 } }
}

function text(text: string): TextContent {
  return { type: "text", text }
}

function image(mimeType: string, data: string): ImageContent {
  return { type: "image", mimeType, data }
}

/** A stream that keeps what is written, or refuses every write with `error`. */
class Written extends Writable {
  text = ""
  isTTY?: boolean
  columns?: number

  constructor(error?: NodeJS.ErrnoException) {
    super({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        if (error === undefined) this.text += chunk
        done(error)
      },
    })
    this.on("error", () => {})
  }
}

interface Run {
  code: number
  out: string
  err: string
  closed: boolean
}

async function run(
  read: ReadSession["read"],
  options: { args?: string[]; stdout?: Written; stderr?: Written; signal?: AbortSignal } = {},
): Promise<Run> {
  const { stdout = new Written(), stderr = new Written() } = options
  const terminal: Terminal = { stdout, stderr, signal: options.signal ?? new AbortController().signal }
  let closed = false
  const session: ReadSession = {
    read,
    close: async () => {
      closed = true
    },
  }
  const code = await runCommandLine(options.args ?? ["a.txt"], terminal, () => session)
  return { code, out: stdout.text, err: stderr.text, closed }
}

describe("what is printed", () => {
  test.each([
    { name: "a text, without a line end added", content: [text("a\nb")], out: "a\nb" },
    { name: "a text, with its own line end", content: [text("a\n")], out: "a\n" },
    {
      name: "an image as one line of type, size and pixels",
      content: [image("image/png", PIXEL)],
      out: "[image/png, 68B, 1 x 1 pixels]\n",
    },
    {
      name: "an image whose pixels cannot be told, without them",
      content: [image("image/png", "AAAA")],
      out: "[image/png, 3B]\n",
    },
    {
      name: "text and images, each on lines of its own",
      content: [text("one"), image("image/png", PIXEL), image("image/gif", "AAAA"), text("two")],
      out: "one\n[image/png, 68B, 1 x 1 pixels]\n[image/gif, 3B]\ntwo",
    },
  ])("$name", async ({ content, out }) => {
    expect(await run(async () => resultOf(...content))).toEqual({ code: 0, out, err: "", closed: true })
  })

  test("an image's pixels are those that the receipt gives", async () => {
    const facts = {
      mimeType: "image/png",
      width: 20,
      height: 10,
      originalWidth: 40,
      originalHeight: 20,
      converted: true,
    }
    const result = { ...resultOf(image("image/png", PIXEL)), receipt: { ...resultOf().receipt, image: facts } }
    expect((await run(async () => result)).out).toBe("[image/png, 68B, 20 x 10 pixels]\n")
  })

  test("--json is one line that holds content, details and receipt", async () => {
    const result = { ...resultOf(text("a\u2028\n"), image("image/png", PIXEL)), details: {} }
    const { out, code } = await run(async () => result, { args: ["--json", "a.txt"] })
    expect(out.endsWith("}\n")).toBe(true)
    expect(out.trimEnd()).not.toContain("\n")
    expect(JSON.parse(out)).toEqual(result)
    expect(code).toBe(0)
  })
})

describe("what goes wrong", () => {
  test("an error is its message, without a stack, and without what a terminal would obey", async () => {
    const { code, out, err, closed } = await run(async () => {
      throw new Error("File not found: /a\u001b]0;owned\u0007.txt\nDid you mean b.txt?")
    })
    expect({ code, out, closed }).toEqual({ code: 1, out: "", closed: true })
    expect(err).toBe("bounded-read: File not found: /a\ufffd]0;owned\ufffd.txt\nDid you mean b.txt?\n")
  })

  test("an abort is no message: whoever pressed the key knows", async () => {
    const abort = new AbortController()
    const { code, err, closed } = await run(
      async (_asked, _onProgress, context) => {
        abort.abort()
        throw new Error(`aborted: ${context.abortSignal?.aborted}`)
      },
      { signal: abort.signal },
    )
    expect({ code, err, closed }).toEqual({ code: 1, err: "", closed: true })
  })

  test("a reader that has seen enough is no error", async () => {
    const stdout = new Written(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
    expect(await run(async () => resultOf(text("a")), { stdout })).toMatchObject({ code: 0, err: "", closed: true })
  })

  test("a full disk is one", async () => {
    const stdout = new Written(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }))
    const { code, err } = await run(async () => resultOf(text("a")), { stdout })
    expect({ code, err }).toEqual({ code: 1, err: "bounded-read: ENOSPC: no space left on device, write\n" })
  })

  test("wrong usage opens nothing", async () => {
    let asked = false
    const { code, err, closed } = await run(
      async () => {
        asked = true
        return resultOf()
      },
      { args: ["--offset", "x", "a.txt"] },
    )
    expect({ code, asked, closed }).toEqual({ code: 2, asked: false, closed: false })
    expect(err).toMatch(/^bounded-read: "offset" must be .*\nSee bounded-read --help\.\n$/)
  })
})

describe("the progress line", () => {
  const reading: ReadSession["read"] = async (_asked, onProgress) => {
    onProgress("Reading a\u001b[2J: 1.0MB of 500.0MB, a long way to go")
    return resultOf(text("done"))
  }

  test("is written on a terminal, cut to its width, and wiped before the result", async () => {
    const stderr = Object.assign(new Written(), { isTTY: true, columns: 21 })
    const { out, err } = await run(reading, { stderr })
    expect(err).toBe("\r\u001b[KReading a\ufffd[2J: 1.0MB\r\u001b[K")
    expect(out).toBe("done")
  })

  test("is not written where nobody looks", async () => {
    expect(await run(reading)).toMatchObject({ out: "done", err: "" })
  })
})
