/** A value that has properties, of which it may be asked for any by name. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A text of a notebook: a string, or its lines as a list. `undefined` for any other value. */
export function joinedText(value: unknown): string | undefined {
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : undefined
}

/** A type or a stream by its name, as far as it is one: it stands in headings. */
export function nameOf(value: unknown): string {
  return typeof value === "string" && /^[\w./+-]{1,40}$/.test(value) ? value : "unknown"
}
