import type { WritableFileSystemModule } from "../main/fs/writable-file-system-module.ts"
import { nodeWritableFileSystemModule } from "../main/fs/writable-file-system-module.ts"

/** One call of the module: its name, and its arguments without the callback. */
export interface FileSystemCall {
  name: string
  args: readonly unknown[]
}

export interface FakeFileSystemHooks {
  /** Makes the call by `make()`: at once, later, or never, as on a dead mount. */
  beforeCall?: (call: FileSystemCall, make: () => void) => void
  /** Hands over the answer by `deliver()`: what the call did, it has done by then. */
  beforeAnswer?: (call: FileSystemCall, deliver: () => void) => void
}

/**
 * A file-system module whose calls are recorded and can be held open, before they are made or before they are
 * answered. All else is up to the module behind it.
 */
export function fakeFileSystemModule(
  hooks: FakeFileSystemHooks = {},
  inner: WritableFileSystemModule = nodeWritableFileSystemModule,
): { module: WritableFileSystemModule; calls: FileSystemCall[] } {
  const calls: FileSystemCall[] = []
  const { beforeCall = (_call, make) => make(), beforeAnswer = (_call, deliver) => deliver() } = hooks
  const wrap = (target: object, name: string, member: Callable) => {
    return (...args: unknown[]) => {
      const callback = args.at(-1)
      if (typeof callback !== "function") throw new TypeError(`${name} was called without a callback`)
      const call = { name, args: args.slice(0, -1) }
      calls.push(call)
      const answer = (...values: unknown[]) => beforeAnswer(call, () => callback(...values))
      beforeCall(call, () => member.call(target, ...call.args, answer))
    }
  }
  const module = new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (!isCallable(member)) return member
      // As of realpath, which has another one on it.
      const native = "native" in member && isCallable(member.native) ? member.native : undefined
      const wrapped = wrap(target, String(name), member)
      return native === undefined ? wrapped : Object.assign(wrapped, { native: wrap(member, String(name), native) })
    },
  })
  return { module, calls }
}

type Callable = (...args: unknown[]) => unknown

function isCallable(value: unknown): value is Callable {
  return typeof value === "function"
}
