import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { Context } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT } from "../../vendor/pi-harness/index.ts"
import { identityOf } from "../main/fs/open-file-path.ts"
import { readTurns } from "../main/fs/read-turns.ts"
import type { WritableFileSystemModule } from "../main/fs/writable-file-system-module.ts"
import { nodeWritableFileSystemModule } from "../main/fs/writable-file-system-module.ts"
import type { CredentialNames } from "./credential-names.ts"
import type { CredentialRule } from "./credential-rules.ts"
import { knownStores } from "./known-stores.ts"

/** A store that is made later is known by its name at once, and by its identity after this time. */
const REFRESH_AFTER_MS = 30_000
/** Of secrets in a project's folders: shorter, because they change with the project. */
const FOLDER_FRESH_MS = 5_000
const MAX_FOLDERS_KEPT = 256
const MAX_FOLDERS_ABOVE = 32
/** Of files that were refused by name, so that another name of them is known. */
const MAX_IDENTITIES_LEARNED = 4_096

export interface CredentialIdentitiesOptions {
  home?: string
  fs?: WritableFileSystemModule
  now?: () => number
}

/**
 * The files that are credentials, by device and inode: so a hard link to one is known under any name. Looked up on this
 * machine's disk, whatever an environment allows: the known stores below the home folder at the first read, and again
 * in the background once that is a while ago; the secrets in the folders above a file that has several names, when it
 * is read. Nothing of a file but its `stat` is looked at.
 */
export class CredentialIdentities {
  private known: ReadonlyMap<string, CredentialRule> = new Map()
  private readonly learned = new Map<string, CredentialRule>()
  private readonly folders = new Map<string, { at: number; identities: Promise<Map<string, CredentialRule>> }>()
  private lookedAt = Number.NEGATIVE_INFINITY
  private looking: Promise<void> | undefined
  private readonly home: string
  private readonly fs: WritableFileSystemModule
  private readonly now: () => number

  constructor(
    private readonly names: CredentialNames,
    options: CredentialIdentitiesOptions = {},
  ) {
    this.home = options.home ?? homedir()
    this.fs = options.fs ?? nodeWritableFileSystemModule
    this.now = options.now ?? (() => performance.now())
  }

  /** Settles when the known stores were looked up once, or on abort. Never rejects. */
  async ready(context: Context): Promise<void> {
    if (this.looking === undefined && this.now() - this.lookedAt >= REFRESH_AFTER_MS) this.looking = this.look()
    if (this.lookedAt === Number.NEGATIVE_INFINITY && this.looking !== undefined)
      await untilAborted(this.looking, context)
  }

  /** The rule of the file with that identity at that path. */
  async ruleFor(
    identity: string,
    links: number | undefined,
    path: string,
    context: Context,
  ): Promise<CredentialRule | undefined> {
    const rule = this.known.get(identity) ?? this.learned.get(identity)
    if (rule !== undefined || links === 1) return rule
    for (const folder of foldersAbove(path)) {
      const found = (await untilAborted(this.secretsIn(folder), context))?.get(identity)
      if (found !== undefined) return found
      if (context.abortSignal?.aborted) return undefined
    }
    return undefined
  }

  /** That file was refused by name. */
  learn(identity: string, rule: CredentialRule): void {
    this.learned.delete(identity)
    this.learned.set(identity, rule)
    for (const oldest of this.learned.keys()) {
      if (this.learned.size <= MAX_IDENTITIES_LEARNED) break
      this.learned.delete(oldest)
    }
  }

  private async look(): Promise<void> {
    this.known = await knownStores(this.names.rules, this.home, {
      identity: (path) => this.identity(path),
      list: (path) => this.list(path),
    })
    this.lookedAt = this.now()
    this.looking = undefined
  }

  private secretsIn(folder: string): Promise<Map<string, CredentialRule>> {
    const kept = this.folders.get(folder)
    if (kept !== undefined && this.now() - kept.at < FOLDER_FRESH_MS) return kept.identities
    const identities = this.lookIn(folder)
    this.folders.delete(folder)
    this.folders.set(folder, { at: this.now(), identities })
    for (const oldest of this.folders.keys()) {
      if (this.folders.size <= MAX_FOLDERS_KEPT) break
      this.folders.delete(oldest)
    }
    return identities
  }

  private async lookIn(folder: string): Promise<Map<string, CredentialRule>> {
    const found = new Map<string, CredentialRule>()
    for (const name of await this.list(folder)) {
      const path = join(folder, name)
      const rule = this.names.ruleFor(path)
      const identity = rule === undefined ? undefined : await this.identity(path)
      if (rule !== undefined && identity !== undefined) found.set(identity, rule)
    }
    return found
  }

  private async identity(path: string): Promise<string | undefined> {
    const options = { context: BACKGROUND_CONTEXT, path, caller: this }
    const stats = await readTurns.run<{ dev: bigint; ino: bigint; isFile(): boolean }>(
      (done) => this.fs.stat(path, { bigint: true }, done),
      options,
    )
    return stats.ok && stats.value.isFile() ? identityOf(stats.value) : undefined
  }

  private async list(path: string): Promise<string[]> {
    const options = { context: BACKGROUND_CONTEXT, path, caller: this }
    const names = await readTurns.run<string[]>((done) => this.fs.readdir(path, done), options)
    return names.ok ? names.value : []
  }
}

function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = dirname(path); folders.length < MAX_FOLDERS_ABOVE; at = dirname(at)) {
    folders.push(at)
    if (dirname(at) === at) break
  }
  return folders
}

/** `undefined` where the context is aborted before; the promise goes on. */
function untilAborted<T>(promise: Promise<T>, context: Context): Promise<T | undefined> {
  const signal = context.abortSignal
  if (signal === undefined) return promise
  return new Promise((resolve) => {
    const onAbort = () => resolve(undefined)
    if (signal.aborted) onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    void promise.then((value) => {
      signal.removeEventListener("abort", onAbort)
      resolve(value)
    })
  })
}
