import { randomUUID } from "node:crypto"
import type {
  Context,
  ExecutionEnv,
  FileByteReader,
  FileInfo,
  Result,
  ShellExecOptions,
  ShellExecResult,
} from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, ExecutionError, err, FileError, ok } from "../../vendor/pi-harness/index.ts"
import { GuardedReads } from "./guarded-reads.ts"
import { KnownDevices } from "./known-devices.ts"
import { JudgedReader, openToJudge, whereOpened } from "./opened-file.ts"
import { isTidy, pathRulesOf } from "./path-containment.ts"
import type { Scope } from "./scope.ts"
import { outsideError, placeIn } from "./scope.ts"
import type { ScopedExecutionEnvOptions, ScopeSettings } from "./scope-settings.ts"
import { scopeSettings } from "./scope-settings.ts"
import { ScopedWrites } from "./scoped-writes.ts"
import { temporaryName } from "./temporary-name.ts"
import { refuseUnguardedMethods } from "./unguarded-methods.ts"

type Answer<T> = Promise<Result<T, FileError>>

/**
 * The files within some folders, over any environment. What a call opens is judged by what was opened; all else by
 * what a path resolves to, and a last link is not followed. Outside is `permission_denied`, whether or not it exists.
 * Never throws or rejects. What it promises on which platform is written down in `docs/development/security-model.md`.
 */
export class ScopedExecutionEnv extends GuardedReads implements ExecutionEnv {
  cwd: string
  private readonly scope: Scope
  private readonly writes: ScopedWrites
  private readonly devices = new KnownDevices()

  private constructor(
    private readonly inner: ExecutionEnv,
    private readonly settings: ScopeSettings,
  ) {
    super()
    this.scope = settings.scope
    this.cwd = settings.cwd
    this.writes = new ScopedWrites(inner, settings.scope)
    refuseUnguardedMethods(this, inner)
  }

  /** `permission_denied` where a folder is too wide to be one: `/`, or the home folder or what holds it. */
  static async create(
    inner: ExecutionEnv,
    options: ScopedExecutionEnvOptions,
    context: Context = BACKGROUND_CONTEXT,
  ): Answer<ScopedExecutionEnv> {
    const settings = await scopeSettings(inner, options, context)
    return settings.ok ? ok(new ScopedExecutionEnv(inner, settings.value)) : settings
  }

  /** What is not absolute is relative to this environment's `cwd`; `~` and `file:` are names like any other. */
  absolutePath(path: string, context: Context): Answer<string> {
    const { cwd } = this
    const rules = pathRulesOf(cwd)
    const isRelative = typeof path === "string" && !rules.isAbsolute(path)
    return this.inner.absolutePath(isRelative ? cwd + rules.sep + path : path, context)
  }

  joinPath(parts: string[], context: Context): Answer<string> {
    return this.inner.joinPath(parts, context)
  }

  async openFileReader(path: string, context: Context): Answer<FileByteReader> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    const absolute = name.value
    if (!isTidy(absolute) || !this.scope.seemsToHold(absolute)) {
      const resolved = await this.scope.resolve(absolute, "read", context)
      if (!resolved.ok) return resolved
    }
    const opened = await openToJudge(this.inner, absolute, context)
    if (!opened.ok) {
      if (opened.error.code === "aborted") return opened
      // The words of a failure would tell what stands outside.
      const resolved = await this.scope.resolve(absolute, "read", context)
      if (!resolved.ok && resolved.error.code === "permission_denied") return resolved
      return this.scope.decodesToOutside(path, this.cwd) ? err(outsideError(absolute, "read")) : opened
    }
    const judged = await this.judge(opened.value, absolute, context)
    if (judged.ok) return ok(new JudgedReader(opened.value, judged.value))
    await opened.value.close(context)
    return judged
  }

  async writeFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    const name = await this.nameOf(path, context)
    return name.ok ? this.writes.write(name.value, content, context) : name
  }

  async appendFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    const name = await this.nameOf(path, context)
    return name.ok ? this.writes.append(name.value, content, context) : name
  }

  /** Of the names themselves: a link is moved, not what it leads to. */
  async renameFile(sourcePath: string, destinationPath: string, context: Context): Answer<void> {
    const source = await this.placeOf(sourcePath, context)
    if (!source.ok) return source
    const destination = await this.placeOf(destinationPath, context)
    return destination.ok ? this.inner.renameFile(source.value, destination.value, context) : destination
  }

  async fileInfo(path: string, context: Context): Answer<FileInfo> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    const at = await this.nameToLookAt(name.value, context)
    if (!at.ok) return at
    const info = await this.inner.fileInfo(at.value, context)
    return info.ok ? ok({ ...info.value, path: name.value }) : info
  }

  async exists(path: string, context: Context): Promise<Result<boolean, FileError>> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    const at = await this.nameToLookAt(name.value, context)
    if (at.ok) return this.inner.exists(at.value, context)
    return at.error.code === "not_found" ? ok(false) : at
  }

  async listDir(path: string, context: Context): Answer<FileInfo[]> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    const folder = await this.scope.resolve(name.value, "read", context)
    if (!folder.ok) return folder
    const infos = await this.inner.listDir(folder.value, context)
    if (!infos.ok) return infos
    const stands = await this.scope.stillStands(folder.value, "read", context)
    if (!stands.ok) return stands
    return ok(infos.value.map((info) => ({ ...info, path: placeIn(name.value, info.name).path })))
  }

  async canonicalPath(path: string, context: Context): Answer<string> {
    const name = await this.nameOf(path, context)
    return name.ok ? this.scope.resolve(name.value, "read", context) : name
  }

  async createDir(path: string, options: { recursive?: boolean } | undefined, context: Context): Answer<void> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    if (options?.recursive === false) {
      const place = await this.placeOf(path, context)
      return place.ok ? this.inner.createDir(place.value, { recursive: false }, context) : place
    }
    const made = await this.writes.makeFolders(name.value, context)
    // Answers as the inner environment does where something else than a folder stands.
    return made.ok ? this.inner.createDir(made.value, { recursive: true }, context) : made
  }

  /** Of the name itself: a link is removed, not what it leads to. The root stays. */
  async remove(
    path: string,
    options: { recursive?: boolean; force?: boolean } | undefined,
    context: Context,
  ): Answer<void> {
    const place = await this.placeOf(path, context)
    if (place.ok) return this.inner.remove(place.value, options, context)
    return options?.force === true && place.error.code === "not_found" ? ok(undefined) : place
  }

  async createTempDir(prefix: string | undefined, context: Context): Answer<string> {
    const name = temporaryName(prefix ?? "tmp-", "")
    return name.ok ? this.makeTemporaryFolder(name.value, context) : name
  }

  /** In a new folder of its own. */
  async createTempFile(options: { prefix?: string; suffix?: string } | undefined, context: Context): Answer<string> {
    const name = temporaryName(options?.prefix ?? "", options?.suffix ?? "")
    if (!name.ok) return name
    const folder = await this.makeTemporaryFolder(`tmp-${randomUUID()}`, context)
    if (!folder.ok) return folder
    const { path } = placeIn(folder.value, name.value)
    const written = await this.writes.write(path, "", context)
    if (written.ok) return ok(path)
    await this.inner.remove(folder.value, { recursive: true, force: true }, BACKGROUND_CONTEXT)
    return written
  }

  async exec(
    command: string,
    options: ShellExecOptions | undefined,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    if (!this.settings.delegatesShell) {
      return err(new ExecutionError("shell_unavailable", "No commands here: a shell would reach outside the scope"))
    }
    const cwd = await this.canonicalPath(options?.cwd ?? this.cwd, context)
    if (cwd.ok) return this.inner.exec(command, { ...options, cwd: cwd.value }, context)
    const code = cwd.error.code === "aborted" ? "aborted" : "spawn_error"
    return err(new ExecutionError(code, cwd.error.message, cwd.error))
  }

  cleanup(context: Context): Promise<void> {
    return this.inner.cleanup(context)
  }

  /** The real path of what was opened, within the scope. */
  private async judge(reader: FileByteReader, absolute: string, context: Context): Answer<string> {
    const where = await whereOpened(reader, absolute, this.inner, context)
    if (!where.ok) return where
    if (!this.scope.holds(where.value, "read")) return err(outsideError(absolute, "read"))
    return this.devices.confirm(reader, where.value, this.inner, context)
  }

  /** The absolute path of what has to have a name. */
  private async nameOf(path: string, context: Context): Answer<string> {
    if (typeof path !== "string" || path === "") return err(new FileError("invalid", "The path is empty"))
    if (path.includes("\0")) return err(new FileError("invalid", "The path holds a NUL character"))
    if (context.abortSignal?.aborted) return err(new FileError("aborted", `Aborted: ${path}`, path))
    const absolute = await this.absolutePath(path, context)
    if (!absolute.ok) return absolute
    // Without its trailing separators: `link/` would be what the link leads to.
    const rules = pathRulesOf(absolute.value)
    return rules.isAbsolute(absolute.value) ? ok(rules.resolve(absolute.value)) : err(outsideError(path, "read"))
  }

  /** Of a name that is to be changed and not followed, where it stands. */
  private async placeOf(path: string, context: Context): Answer<string> {
    const name = await this.nameOf(path, context)
    if (!name.ok) return name
    if (this.scope.isFolderItself(name.value)) return err(outsideError(path, "write"))
    const place = await this.scope.place(name.value, "write", context)
    if (!place.ok) return place
    // A folder of the scope may stand within another one.
    return this.scope.isFolderItself(place.value.path) ? err(outsideError(path, "write")) : ok(place.value.path)
  }

  private async nameToLookAt(absolute: string, context: Context): Answer<string> {
    if (this.scope.isFolderItself(absolute)) return ok(absolute)
    const place = await this.scope.place(absolute, "read", context)
    return place.ok ? ok(place.value.path) : place
  }

  private async makeTemporaryFolder(name: string, context: Context): Answer<string> {
    const { tempFolder } = this.settings
    const stands = await this.scope.stillStands(tempFolder, "write", context)
    if (!stands.ok) return stands
    const { path } = placeIn(tempFolder, name)
    const made = await this.inner.createDir(path, { recursive: false }, context)
    return made.ok ? ok(path) : made
  }
}
