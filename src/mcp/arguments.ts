import { parseArgs } from "node:util"

export type Arguments =
  | { kind: "serve"; roots: readonly [string, ...string[]] }
  | { kind: "help" }
  | { kind: "wrong"; message: string }

export const HELP = `Usage: bounded-read mcp --root DIR [--root DIR]...

Serves the tool "read" over the Model Context Protocol on standard input and
output. Only files within the folders given are read; credentials among them
are refused; nothing is ever written and no command is run.

Options:
  --root DIR    a folder that may be read, with all below it; relative paths
                are relative to the first, unless the program was started in one
  -h, --help    print this

Example, for the configuration of an MCP client:
  { "mcpServers": { "files": { "command": "npx",
      "args": ["-y", "bounded-read", "mcp", "--root", "/home/me/project"] } } }
`

/** Reads the arguments after `mcp`. Never throws: a wrong line is an answer. */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { root: { type: "string", multiple: true }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    })
    if (values.help) return { kind: "help" }
    const [stray] = positionals
    if (stray !== undefined) return { kind: "wrong", message: `Folders are given by --root: ${JSON.stringify(stray)}.` }
    const [first, ...more] = values.root ?? []
    if (first === undefined) return { kind: "wrong", message: "At least one --root DIR is needed." }
    if (first === "" || more.includes("")) return { kind: "wrong", message: "--root must name a folder." }
    return { kind: "serve", roots: [first, ...more] }
  } catch (error) {
    return { kind: "wrong", message: error instanceof Error ? error.message : String(error) }
  }
}
