import { homedir } from "node:os"
import { delimiter } from "node:path"
import type { CredentialRule, CredentialTier } from "./credential-rules.ts"
import { CREDENTIAL_RULES, KEY_CONTENT_RULE } from "./credential-rules.ts"
import { foldedParts } from "./folded-names.ts"
import { MOVED_STORES } from "./moved-stores.ts"
import type { NamePattern } from "./name-pattern.ts"
import { isAbovePattern, namePattern, pathPattern, patternMatches } from "./name-pattern.ts"

export interface CredentialPolicy {
  /** Rules beside the built-in ones. One with the id of a built-in rule adds to it. */
  add?: readonly CredentialRule[]
  /** Ids of rules that do not hold. */
  remove?: readonly string[]
  /** Names or absolute paths of what is read whatever the rules say, spelled as the names of a rule. */
  except?: readonly string[]
  /** The tiers that are refused. Defaults to both. */
  tiers?: readonly CredentialTier[]
  /** The user's home folder, whose stores are known by identity. Defaults to that of this process. */
  home?: string
  /** Where variables may say that a store was moved to. Defaults to this process's. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Whether files are also compared by device and inode. Defaults to true; false for files of another machine. */
  compareIdentities?: boolean
}

interface Entry {
  rule: CredentialRule
  pattern: NamePattern
  except: readonly NamePattern[]
}

/** The rules that a policy leaves, made ready to compare names with. */
export class CredentialNames {
  readonly rules: readonly CredentialRule[]
  /** Whether private keys are told by content. */
  readonly judgesContent: boolean
  /** By the last part of their pattern, where that is written out: most paths meet no entry at all. */
  private readonly byLastPart = new Map<string, Entry[]>()
  private readonly others: Entry[] = []
  private readonly entries: Entry[] = []
  private readonly excepted: readonly NamePattern[]

  constructor(policy: CredentialPolicy = {}) {
    const removed = new Set(policy.remove)
    const tiers = new Set(policy.tiers ?? ["credential", "private"])
    const holds = ({ id, tier }: CredentialRule) => !removed.has(id) && tiers.has(tier)
    this.rules = [...CREDENTIAL_RULES, ...(policy.add ?? [])].filter(holds)
    this.judgesContent = holds(KEY_CONTENT_RULE)
    const home = policy.home ?? homedir()
    this.excepted = patterns(policy.except ?? [], home)
    for (const rule of this.rules) {
      const except = patterns(rule.except ?? [], home)
      for (const pattern of patterns(rule.names, home)) this.addEntry({ rule, pattern, except })
    }
    this.addMovedStores(policy.environment ?? process.env)
  }

  /** The rule that refuses an absolute path by its name. */
  ruleFor(path: string): CredentialRule | undefined {
    const parts = foldedParts(path)
    const found = this.find(parts)
    return found !== undefined && !this.isExceptedParts(parts) ? found.rule : undefined
  }

  /** Whether the host excepted the path from all rules. */
  isExcepted(path: string): boolean {
    return this.excepted.length > 0 && this.isExceptedParts(foldedParts(path))
  }

  /** The rule that refuses to move the folder, because a name in it would then no longer be known. */
  ruleForFolder(path: string): CredentialRule | undefined {
    const parts = foldedParts(path)
    return this.entries.find(({ pattern }) => isAbovePattern(pattern, parts))?.rule
  }

  private find(parts: readonly string[]): Entry | undefined {
    const applies = ({ pattern, except }: Entry) =>
      patternMatches(pattern, parts) && !except.some((one) => patternMatches(one, parts))
    for (const part of parts) {
      const found = this.byLastPart.get(part)?.find(applies)
      if (found !== undefined) return found
    }
    return this.others.find(applies)
  }

  private isExceptedParts(parts: readonly string[]): boolean {
    return this.excepted.some((pattern) => patternMatches(pattern, parts))
  }

  private addMovedStores(environment: Readonly<Record<string, string | undefined>>): void {
    for (const { variable, rule: id, folder } of MOVED_STORES) {
      const rule = this.rules.find((one) => one.id === id)
      for (const path of environment[variable]?.split(delimiter) ?? []) {
        // Relative ones, and what would take the whole disk or a first folder of it, are not stores.
        const parts = foldedParts(path)
        const pattern =
          parts.length > 1 && /^(\/|[A-Za-z]:)/.test(path) ? pathPattern(parts, folder === true) : undefined
        if (rule !== undefined && pattern !== undefined) this.addEntry({ rule, pattern, except: [] })
      }
    }
  }

  private addEntry(entry: Entry): void {
    this.entries.push(entry)
    const last = entry.pattern.parts.at(-1)
    if (typeof last !== "string") {
      this.others.push(entry)
      return
    }
    const same = this.byLastPart.get(last)
    if (same === undefined) this.byLastPart.set(last, [entry])
    else same.push(entry)
  }
}

function patterns(names: readonly string[], home: string): NamePattern[] {
  return names.map((name) => namePattern(name.replace(/^~(?=\/)/, () => home))).filter((one) => one !== undefined)
}
