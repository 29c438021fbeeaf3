import type { Context, ExecutionEnv, FileError, Result } from "../../vendor/pi-harness/index.ts"
import { ok } from "../../vendor/pi-harness/index.ts"
import { pathRulesOf } from "./path-containment.ts"
import type { Access } from "./scope.ts"
import { Scope, scopeFolder } from "./scope.ts"

export interface ScopedExecutionEnvOptions {
  /** The folder that may be read and changed. May be a link; what it leads to when the scope is made is the root. */
  root: string
  /** Folders that may be read and not changed. */
  readRoots?: readonly string[]
  /** Where temporary files are made; may be read and changed as the root may. Defaults to the root. */
  tempRoot?: string
  /** What relative paths are relative to. Defaults to the inner environment's where that is within, else to the root. */
  cwd?: string
  /** The user's home folder, which is too wide to be a root. Defaults to that of this process. */
  home?: string
  /**
   * Hands commands on to the inner environment. A command reads and changes whatever this user may: nothing of what
   * this guard promises holds for it.
   */
  delegateUnguardedShell?: boolean
}

/** What the options come to, once the folders are resolved. */
export interface ScopeSettings {
  scope: Scope
  cwd: string
  /** Resolved. */
  tempFolder: string
  delegatesShell: boolean
}

/** `permission_denied` where a folder is too wide to be one of a scope. */
export async function scopeSettings(
  inner: ExecutionEnv,
  options: ScopedExecutionEnvOptions,
  context: Context,
): Promise<Result<ScopeSettings, FileError>> {
  const { root, readRoots = [], tempRoot, home, delegateUnguardedShell } = options
  const folderAt = (path: string, access: Access) => scopeFolder(path, access, inner, context, home)
  const main = await folderAt(root, "write")
  if (!main.ok) return main
  const folders = [main.value]
  for (const path of readRoots) {
    const folder = await folderAt(path, "read")
    if (!folder.ok) return folder
    folders.push(folder.value)
  }
  const temporary = tempRoot === undefined ? main : await folderAt(tempRoot, "write")
  if (!temporary.ok) return temporary
  folders.push(temporary.value)
  const scope = new Scope(inner, folders)
  const { spelled } = main.value
  const wanted = options.cwd === undefined ? inner.cwd : pathRulesOf(spelled).resolve(spelled, options.cwd)
  const cwd = await scope.resolve(wanted, "read", context)
  if (!cwd.ok && options.cwd !== undefined) return cwd
  return ok({
    scope,
    cwd: cwd.ok ? wanted : spelled,
    tempFolder: temporary.value.canonical,
    delegatesShell: delegateUnguardedShell === true,
  })
}
