import { parseArgs } from "node:util"
import { parseReadParameters } from "../main/tools/parameters.ts"

/** What the tool is asked for, by the names of its own parameters. Numbers are as they were typed: the tool reads them. */
export interface AskedRead {
  path: string
  offset?: string
  limit?: string
  column?: string
  encoding?: string
  pages?: string
  password?: string
  region?: { x: string; y: string; width: string; height: string }
}

export type Arguments =
  | { kind: "read"; asked: AskedRead; json: boolean; shell: boolean }
  | { kind: "help" }
  | { kind: "version" }
  | { kind: "wrong"; message: string }

const PARAMETERS = ["offset", "limit", "column", "encoding", "pages", "password"] as const

const OPTIONS = {
  offset: { type: "string" },
  limit: { type: "string" },
  column: { type: "string" },
  encoding: { type: "string" },
  pages: { type: "string" },
  password: { type: "string" },
  region: { type: "string" },
  "no-shell": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const

/** Reads the arguments after the program's name. Never throws: a wrong line is an answer. */
export function readArguments(args: readonly string[]): Arguments {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help) return { kind: "help" }
  if (values.version) return { kind: "version" }
  const [path, more] = positionals
  if (path === undefined || path === "") return wrong("A path is needed.")
  if (more !== undefined) return wrong(`One path at a time: ${JSON.stringify(more)} is one too many.`)

  const asked: AskedRead = { path }
  for (const name of PARAMETERS) {
    const text = values[name]
    if (text !== undefined) asked[name] = text
  }
  if (values.region !== undefined) {
    const region = readRegion(values.region)
    if (region === undefined)
      return wrong(`--region must be X,Y,WxH in pixels: ${JSON.stringify(values.region)} is not.`)
    asked.region = region
  }
  const rules = parseReadParameters(asked)
  if (!rules.ok) return wrong(rules.error.message)
  return { kind: "read", asked, json: values.json === true, shell: values["no-shell"] !== true }
}

const REGION = /^(\d{1,9}),(\d{1,9}),([1-9]\d{0,8})x([1-9]\d{0,8})$/

function readRegion(text: string): AskedRead["region"] {
  const [, x, y, width, height] = REGION.exec(text) ?? []
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined
  return { x, y, width, height }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
}

function wrong(message: string): Arguments {
  return { kind: "wrong", message }
}
