import type { Result } from "../../../vendor/pi-harness/index.ts"
import type { ImageRegion } from "../documents/document-extractor.ts"
import { canonicalEncoding } from "./encoding-label.ts"
import { PARAMETER_RULES } from "./parameter-rules.ts"
import {
  byTheRules,
  given,
  isRecord,
  parsePages,
  parsePassword,
  RuleError,
  refuseUnknown,
  shown,
} from "./parameter-values.ts"

/** What a model may send. Numbers may come as numeric strings; `null` is the same as absent. */
export interface ReadToolInput {
  path: string
  offset?: number | string | null
  limit?: number | string | null
  column?: number | string | null
  encoding?: string | null
  pages?: string | number | null
  password?: string | null
  region?: { x: number | string; y: number | string; width: number | string; height: number | string } | null
}

/** The parameters after all rules: whole numbers within their bounds, a known encoding. */
export interface ReadParameters {
  /** As it was given, not empty. */
  path: string
  /** 1 or more. */
  offset: number
  /** 0 or more; absent: as many lines as fit. */
  limit?: number
  /** 1 or more. */
  column?: number
  /** Canonical name; absent: UTF-8 was not asked for in so many words. */
  encoding?: string
  /** `"1-3,7"`: digits, hyphens and commas alone. */
  pages?: string
  password?: string
  region?: ImageRegion
}

/** JSON Schema of {@link ReadToolInput}, as plain as the strictest provider wants it. */
export const READ_PARAMETERS: Record<string, unknown> = {
  type: "object",
  properties: {
    path: { type: "string", description: "Path to the file to read (relative or absolute)" },
    offset: { type: "number", description: "Line number to start reading from (1-indexed)" },
    limit: { type: "number", description: "Maximum number of lines to read" },
    column: {
      type: "number",
      description: "Byte in line `offset` to start from (1-indexed), to read one very long line in parts",
    },
    encoding: {
      type: "string",
      description: 'Encoding of a text that is not UTF-8, such as "gb18030", "shift_jis", "windows-1252", "utf-16le"',
    },
    pages: { type: "string", description: 'Pages of a document to read, such as "1-3,7"' },
    password: { type: "string", description: "Password of an encrypted document" },
    region: {
      type: "object",
      description: "Part of an image to show at full detail, in pixels of the upright original",
      properties: {
        x: { type: "number" },
        y: { type: "number" },
        width: { type: "number" },
        height: { type: "number" },
      },
      required: ["x", "y", "width", "height"],
    },
  },
  required: ["path"],
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(READ_PARAMETERS.properties as object))

/** Applies the rules. An error says which one was broken, in words for the model that sent the parameters. */
export function parseReadParameters(input: unknown): Result<ReadParameters, Error> {
  return byTheRules(() => parse(input))
}

function parse(input: unknown): ReadParameters {
  if (!isRecord(input)) throw new RuleError(PARAMETER_RULES.notAnObject)
  refuseUnknown(input, NAMES)
  const parameters: ReadParameters = { path: parsePath(input.path), offset: parseOffset(input.offset) }
  const limit = wholeNumber(input.limit, 0, PARAMETER_RULES.limit)
  if (limit !== undefined) parameters.limit = limit
  const column = wholeNumber(input.column, 1, PARAMETER_RULES.column)
  if (column !== undefined) parameters.column = column
  const encoding = parseEncoding(input.encoding)
  if (encoding !== undefined) parameters.encoding = encoding
  const pages = parsePages(input.pages)
  if (pages !== undefined) parameters.pages = pages
  const password = parsePassword(input.password)
  if (password !== undefined) parameters.password = password
  const region = parseRegion(input.region)
  if (region !== undefined) parameters.region = region
  return parameters
}

function parsePath(value: unknown): string {
  if (typeof value !== "string" || value === "") throw new RuleError(PARAMETER_RULES.path(shown(value)))
  if (value.includes("\0")) throw new RuleError(PARAMETER_RULES.pathWithNul)
  return value
}

function parseOffset(value: unknown): number {
  return wholeNumber(value, 1, PARAMETER_RULES.offset) ?? 1
}

/**
 * The one rule of all numbers: absent where it is not given; a number or a decimal string; fractions cut, what is below
 * `least` raised to it, what no double can count exactly lowered.
 */
function wholeNumber(value: unknown, least: number, rule: (got: string) => string): number | undefined {
  const number = givenNumber(value, rule)
  if (number === undefined) return undefined
  return Math.min(Math.max(Math.trunc(number), least), Number.MAX_SAFE_INTEGER)
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const MAX_NUMERAL_CHARACTERS = 64

function givenNumber(value: unknown, rule: (got: string) => string): number | undefined {
  const it = given(value)
  if (it === undefined) return undefined
  const number = typeof it === "string" ? numeral(it) : it
  if (typeof number !== "number" || !Number.isFinite(number)) throw new RuleError(rule(shown(it)))
  return number
}

function numeral(text: string): number {
  if (text.length > MAX_NUMERAL_CHARACTERS) return Number.NaN
  const trimmed = text.trim()
  return DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN
}

function parseEncoding(value: unknown): string | undefined {
  const label = given(value)
  if (label === undefined) return undefined
  const name = typeof label === "string" ? canonicalEncoding(label) : undefined
  if (name === undefined) throw new RuleError(PARAMETER_RULES.encoding(shown(label)))
  return name
}

function parseRegion(value: unknown): ImageRegion | undefined {
  const region = given(value)
  if (region === undefined) return undefined
  const rule = (): string => PARAMETER_RULES.region(shown(region))
  if (!isRecord(region)) throw new RuleError(rule())
  const side = (of: unknown, least: number): number => {
    const pixels = givenNumber(of, rule)
    if (pixels === undefined || Math.trunc(pixels) < least) throw new RuleError(rule())
    return Math.min(Math.trunc(pixels), Number.MAX_SAFE_INTEGER)
  }
  return {
    x: side(region.x, 0),
    y: side(region.y, 0),
    width: side(region.width, 1),
    height: side(region.height, 1),
  }
}
