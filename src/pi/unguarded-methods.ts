import { err, FileError } from "../../vendor/pi-harness/index.ts"

/**
 * Gives `guard` a method for each one of `inner` that it does not know, which answers `not_supported`. So what a later
 * environment can do is refused, and a caller that asks for it is told; it never falls through.
 */
export function refuseUnguardedMethods(guard: object, inner: object): void {
  for (const name of methodNames(inner)) {
    if (name in guard) continue
    const refusal = new FileError("not_supported", `Not guarded, so not available here: ${String(name)}`)
    Object.defineProperty(guard, name, { value: async () => err(refusal), enumerable: false })
  }
}

function methodNames(inner: object): Set<PropertyKey> {
  const names = new Set<PropertyKey>()
  for (let at: object | null = inner; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === "function") names.add(name)
    }
  }
  // An object that answers a `then` would be awaited as a promise.
  names.delete("then")
  names.delete("constructor")
  return names
}
