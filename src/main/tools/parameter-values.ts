import { err, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import { PARAMETER_RULES } from "./parameter-rules.ts"

/** A rule that a parameter broke, in words for the model that sent it. */
export class RuleError extends Error {}

/** What `parse` makes of the parameters, or the rule that they break. */
export function byTheRules<T>(parse: () => T): Result<T, Error> {
  try {
    return ok(parse())
  } catch (thrown) {
    if (thrown instanceof RuleError) return err(new Error(thrown.message))
    throw thrown
  }
}

/** A misspelled parameter would be ignored in silence; one without a value asks for nothing. */
export function refuseUnknown(input: Record<string, unknown>, names: ReadonlySet<string>): void {
  const unknown = Object.keys(input).find((name) => !names.has(name) && given(input[name]) !== undefined)
  if (unknown !== undefined) throw new RuleError(PARAMETER_RULES.unknownName(unknown, [...names]))
}

const PAGES = /^\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*$/
const MAX_PAGES_CHARACTERS = 1_000

/** `"1-3,7"` without its spaces; nothing of it is counted yet. */
export function parsePages(value: unknown): string | undefined {
  const asked = given(value)
  if (asked === undefined) return undefined
  const text = typeof asked === "number" ? String(asked) : asked
  const short = typeof text === "string" && text.length <= MAX_PAGES_CHARACTERS ? text.replaceAll(/\s/g, "") : ""
  if (!PAGES.test(short) || !short.split(",").every(isRange)) throw new RuleError(PARAMETER_RULES.pages(shown(asked)))
  return short
}

function isRange(range: string): boolean {
  const [first = 0, last = first] = range.split("-").map(Number)
  return first >= 1 && last >= first
}

export function parsePassword(value: unknown): string | undefined {
  const password = given(value)
  if (password === undefined) return undefined
  if (typeof password !== "string") throw new RuleError(PARAMETER_RULES.password)
  return password
}

/** JSON has no `undefined`, so models write `null` for what they leave out. */
export function given(value: unknown): unknown {
  return value === null ? undefined : value
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

const MAX_SHOWN_CHARACTERS = 60

/** What was sent, short, for an error's words. Never throws, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing"
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS))
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`
}
