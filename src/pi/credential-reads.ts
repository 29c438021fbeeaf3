import type {
  Context,
  ExecutionEnv,
  ExecutionError,
  FileByteReader,
  FileInfo,
  Result,
  ShellExecOptions,
  ShellExecResult,
} from "../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../vendor/pi-harness/index.ts"
import { CredentialIdentities } from "./credential-identities.ts"
import type { CredentialPolicy } from "./credential-names.ts"
import { CredentialNames } from "./credential-names.ts"
import type { CredentialRule } from "./credential-rules.ts"
import { KEY_CONTENT_RULE } from "./credential-rules.ts"
import { GuardedReads } from "./guarded-reads.ts"
import { KeyRefusingReader } from "./key-refusing-reader.ts"
import { JudgedReader, openToJudge, whereOpened } from "./opened-file.ts"
import { pathRulesOf } from "./path-containment.ts"
import { refuseUnguardedMethods } from "./unguarded-methods.ts"

type Answer<T> = Promise<Result<T, FileError>>

/**
 * `env`, in which no way of reading answers a credential: not by its name, nor by any other name that leads to it, nor
 * where the content is a private key. Folders do not list them. A refusal is `permission_denied`, and says which rule
 * it is and what to do instead. All else goes through to `env`: changes, what a name stands for, and commands, which
 * read what they like. Never throws or rejects.
 */
export function refusingCredentialReads(env: ExecutionEnv, policy: CredentialPolicy = {}): ExecutionEnv {
  return new CredentialRefusingEnv(env, policy)
}

class CredentialRefusingEnv extends GuardedReads implements ExecutionEnv {
  private readonly names: CredentialNames
  private readonly identities: CredentialIdentities | undefined

  constructor(
    private readonly inner: ExecutionEnv,
    policy: CredentialPolicy,
  ) {
    super()
    this.names = new CredentialNames(policy)
    const { home } = policy
    const looksUp = policy.compareIdentities !== false
    this.identities = looksUp ? new CredentialIdentities(this.names, home === undefined ? {} : { home }) : undefined
    refuseUnguardedMethods(this, inner)
  }

  get cwd(): string {
    return this.inner.cwd
  }

  set cwd(folder: string) {
    this.inner.cwd = folder
  }

  async openFileReader(path: string, context: Context): Answer<FileByteReader> {
    const absolute = await this.inner.absolutePath(path, context)
    if (!absolute.ok) return absolute
    const spelled = this.names.ruleFor(absolute.value)
    if (spelled !== undefined) return err(refusal(spelled, path))
    await this.identities?.ready(context)
    const opened = await openToJudge(this.inner, path, context)
    if (!opened.ok) return opened
    const reader = opened.value
    const judged = await this.judge(reader, absolute.value, path, context)
    if (judged.ok) return judged
    await reader.close(context)
    return judged
  }

  async listDir(path: string, context: Context): Answer<FileInfo[]> {
    const folder = await this.allowedPath(path, context)
    if (!folder.ok) return folder
    const infos = await this.inner.listDir(path, context)
    if (!infos.ok) return infos
    const rules = pathRulesOf(folder.value)
    return ok(infos.value.filter(({ name }) => this.names.ruleFor(rules.join(folder.value, name)) === undefined))
  }

  /** A credential keeps its name: under another one it would be read. */
  async renameFile(sourcePath: string, destinationPath: string, context: Context): Answer<void> {
    const absolute = await this.inner.absolutePath(sourcePath, context)
    if (!absolute.ok) return absolute
    const rules = pathRulesOf(absolute.value)
    const folder = await this.inner.canonicalPath(rules.dirname(absolute.value), context)
    if (!folder.ok) return folder
    for (const at of [absolute.value, rules.join(folder.value, rules.basename(absolute.value))]) {
      const rule = this.names.ruleFor(at) ?? this.names.ruleForFolder(at)
      if (rule !== undefined) return err(refusal(rule, sourcePath))
    }
    return this.inner.renameFile(sourcePath, destinationPath, context)
  }

  absolutePath(path: string, context: Context): Answer<string> {
    return this.inner.absolutePath(path, context)
  }

  joinPath(parts: string[], context: Context): Answer<string> {
    return this.inner.joinPath(parts, context)
  }

  writeFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    return this.inner.writeFile(path, content, context)
  }

  appendFile(path: string, content: string | Uint8Array, context: Context): Answer<void> {
    return this.inner.appendFile(path, content, context)
  }

  fileInfo(path: string, context: Context): Answer<FileInfo> {
    return this.inner.fileInfo(path, context)
  }

  canonicalPath(path: string, context: Context): Answer<string> {
    return this.inner.canonicalPath(path, context)
  }

  exists(path: string, context: Context): Answer<boolean> {
    return this.inner.exists(path, context)
  }

  createDir(path: string, options: { recursive?: boolean } | undefined, context: Context): Answer<void> {
    return this.inner.createDir(path, options, context)
  }

  remove(path: string, options: { recursive?: boolean; force?: boolean } | undefined, context: Context): Answer<void> {
    return this.inner.remove(path, options, context)
  }

  createTempDir(prefix: string | undefined, context: Context): Answer<string> {
    return this.inner.createTempDir(prefix, context)
  }

  createTempFile(options: { prefix?: string; suffix?: string } | undefined, context: Context): Answer<string> {
    return this.inner.createTempFile(options, context)
  }

  exec(
    command: string,
    options: ShellExecOptions | undefined,
    context: Context,
  ): Promise<Result<ShellExecResult, ExecutionError>> {
    return this.inner.exec(command, options, context)
  }

  cleanup(context: Context): Promise<void> {
    return this.inner.cleanup(context)
  }

  private async judge(
    reader: FileByteReader,
    absolute: string,
    path: string,
    context: Context,
  ): Answer<FileByteReader> {
    const where = await whereOpened(reader, absolute, this.inner, context)
    if (!where.ok) return where
    if (this.names.isExcepted(where.value)) return ok(new JudgedReader(reader, where.value))
    const { identity, links } = reader.info
    const named = this.names.ruleFor(where.value)
    if (named !== undefined) {
      this.identities?.learn(identity, named)
      return err(refusal(named, path))
    }
    const rule = await this.identities?.ruleFor(identity, links, where.value, context)
    if (rule !== undefined) return err(refusal(rule, path))
    if (context.abortSignal?.aborted) return err(new FileError("aborted", `Aborted: ${path}`, path))
    if (!this.names.judgesContent) return ok(new JudgedReader(reader, where.value))
    return ok(new KeyRefusingReader(reader, where.value, () => refusal(KEY_CONTENT_RULE, path)))
  }

  /** The resolved path of a folder that is no credential. */
  private async allowedPath(path: string, context: Context): Answer<string> {
    const absolute = await this.inner.absolutePath(path, context)
    if (!absolute.ok) return absolute
    const canonical = await this.inner.canonicalPath(path, context)
    const rule = this.names.ruleFor(absolute.value) ?? (canonical.ok ? this.names.ruleFor(canonical.value) : undefined)
    return rule === undefined ? canonical : err(refusal(rule, path))
  }
}

function refusal({ id, tier, instead }: CredentialRule, path: string): FileError {
  const words = `Refused by the rule "${id}" (${tier}): ${path} is not read here. ${instead}.`
  return new FileError("permission_denied", words, path)
}
