import { generateKeyPairSync } from "node:crypto"
import { link, mkdir, rename, symlink, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { NodeExecutionEnv } from "../../src/main/fs/node-execution-env.ts"
import { CredentialIdentities } from "../../src/pi/credential-identities.ts"
import { CredentialNames } from "../../src/pi/credential-names.ts"
import { refusingCredentialReads } from "../../src/pi/credential-reads.ts"
import { ScopedExecutionEnv } from "../../src/pi/scoped-execution-env.ts"
import type { ExecutionEnv } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT as context, getOrThrow } from "../../vendor/pi-harness/index.ts"
import { EVERY_READ } from "../support/every-read.ts"
import type { ScopeFolders } from "../support/scope-folders.ts"
import { makeScopeFolders, openPaths } from "../support/scope-folders.ts"

const SECRET = "hunter2-credential"

let folders: ScopeFolders
let home = ""
let env: ExecutionEnv
beforeEach(async () => {
  folders = await makeScopeFolders()
  home = join(folders.base, "home")
  await mkdir(home)
  env = refusingCredentialReads(new NodeExecutionEnv({ cwd: folders.root }), { home, environment: {} })
})
afterEach(() => folders.remove())

async function put(path: string, content: string | Uint8Array = SECRET): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

async function expectRefused(path: string, rule: string, by: ExecutionEnv = env): Promise<void> {
  for (const [verb, read] of Object.entries(EVERY_READ)) {
    const result = await read(by, path, context)
    const code = result.ok ? result.value : result.error.code
    expect({ path, verb, code }).toEqual({ path, verb, code: "permission_denied" })
    const words = result.ok ? "" : result.error.message
    expect(words).toContain(`"${rule}"`)
    expect(words).not.toContain(SECRET)
  }
  await expect
    .poll(async () => (await openPaths()).filter((open) => open.startsWith(folders.base)), { timeout: 30_000 })
    .toEqual([])
}

/** Below the home folder. */
const STORES: readonly (readonly [path: string, rule: string])[] = [
  [".ssh/id_rsa", "ssh"],
  [".ssh/config", "ssh"],
  [".ssh/keys/work", "ssh"],
  [".gnupg/private-keys-v1.d/A.key", "gnupg"],
  [".password-store/bank.gpg", "gnupg"],
  [".aws/credentials", "cloud"],
  [".config/gcloud/credentials.db", "cloud"],
  [".azure/msal_token_cache.json", "cloud"],
  [".netrc", "sign-ins"],
  [".git-credentials", "sign-ins"],
  [".config/gh/hosts.yml", "sign-ins"],
  [".pgpass", "sign-ins"],
  [".npmrc", "registries"],
  [".pypirc", "registries"],
  [".yarnrc.yml", "registries"],
  [".cargo/credentials.toml", "registries"],
  [".docker/config.json", "containers"],
  [".kube/config", "containers"],
  [".claude/.credentials.json", "agents"],
  [".codex/auth.json", "agents"],
  [".pi/agent/auth.json", "agents"],
  [".config/github-copilot/apps.json", "agents"],
  ["Library/Keychains/login.keychain-db", "keychains"],
  [".local/share/keyrings/login.keyring", "keychains"],
  [".config/google-chrome/Default/Cookies", "browsers"],
  [".config/google-chrome/Profile 1/Login Data", "browsers"],
  ["Library/Application Support/Google/Chrome/Default/Login Data", "browsers"],
  [".mozilla/firefox/x.default/logins.json", "browsers"],
  [".bash_history", "histories"],
  ["Library/Messages/chat.db", "messages"],
]

/** Below the project's folder. */
const PROJECT: readonly (readonly [path: string, rule: string])[] = [
  [".env", "env-files"],
  [".env.local", "env-files"],
  [".env.production", "env-files"],
  [".env.example.local", "env-files"],
  ["packages/app/.env.test", "env-files"],
  [".envrc", "env-files"],
  [".env.bak", "env-files"],
  [".env~", "env-files"],
  [".npmrc", "registries"],
  ["deploy/id_ed25519", "private-keys"],
  ["certificates/server.p12", "private-keys"],
  [".ENV", "env-files"],
  [".Env.Local", "env-files"],
  ["ID_RSA", "private-keys"],
  [".env.", "env-files"],
  [".env ", "env-files"],
  [".ſsh/config", "ssh"],
  [".ＳＳＨ/config", "ssh"],
  [".s\u200bsh/config", "ssh"],
  [".netrc\u2060", "sign-ins"],
]

const ALLOWED: readonly string[] = [
  ...[
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.production.example",
    ".envrc.example",
    ".env_example",
  ],
  ...["src/credentials.ts", "src/env.ts", "env", "environment.env.md", ".environment"],
  ...[
    "keychains-ui/index.ts",
    "keychains/list.json",
    "src/cookies.ts",
    "Cookies",
    "Login Data",
    "history.ts",
    "History",
  ],
  ...[
    "id_rsa.pub",
    "id_rsa.md",
    "my_id_rsa_notes.txt",
    "keys/public.pem",
    "keys/primary.key",
    "secret.key.md",
    "pem.ts",
  ],
  ...[
    "ssh/config",
    "dot.ssh/config",
    ".sshd/config",
    "aws/credentials",
    "credentials",
    ".aws.md",
    "netrc",
    "kube/config",
  ],
  ...["docker/config.json", "config.json", "auth.json", "hosts.yml", ".github/hosts.yml", "npmrc.md", ".npmrc.md"],
  ...[
    "proc/cpuinfo",
    "proc/self.ts",
    "proc/12/status",
    "src/proc/maps",
    "dev/null.ts",
    "sys/power.ts",
    "maps",
    "environ",
  ],
  ...[
    "etc/shadow",
    "shadow",
    "Library/Keychains.md",
    "passwords.test.ts",
    "token.ts",
    ".vscode/settings.json",
    "İ.txt",
    "ß.txt",
  ],
]

describe("A credential is refused by name", () => {
  test.each(STORES)("~/%s", async (path, rule) => {
    await put(join(home, path))
    await expectRefused(join(home, path), rule)
  })

  test.each(PROJECT)("%s", async (path, rule) => {
    await put(join(folders.root, path))
    await expectRefused(path, rule)
  })

  test
    .runIf(process.platform === "linux")
    .each([
      "/etc/shadow",
      "/proc/self/environ",
      "/proc/thread-self/environ",
      `/proc/${process.pid}/mem`,
      "/proc/1/cmdline",
      "/proc/self/maps",
      "/proc/self/auxv",
      `/proc/self/task/${process.pid}/environ`,
      "/proc/self/root/etc/shadow",
      "/proc/self/cwd/../../../../../../proc/self/environ",
      "/dev/null",
      "/dev/fd/0",
      "/sys/kernel/notes",
    ])("%s", async (path) => {
    const result = await env.readTextFile(path, context)
    expect(result.ok ? "read" : result.error.code).not.toBe("read")
    expect(result.ok).toBe(false)
  })
})

test
  .runIf(process.platform === "linux")
  .each(["/proc/self/environ", "/proc/self/task/self", "/proc/thread-self", "/proc/1"])(
  "A link to %s shows no process's environment",
  async (target) => {
    await symlink(target, join(folders.root, "l"))
    const results = await Promise.all(["l", "l/environ"].map((path) => env.readTextFile(path, context)))
    expect(results.map((result) => result.ok)).toEqual([false, false])
  },
)

test.runIf(process.platform === "linux").each(["/proc/cpuinfo", "/proc/self/status", "/proc/meminfo"])(
  "%s reads",
  async (path) => {
    expect(getOrThrow(await env.readTextFile(path, context)).length).toBeGreaterThan(0)
  },
)

test.each(ALLOWED)("%s is no credential", async (path) => {
  await put(join(folders.root, path), "plain text")
  for (const read of Object.values(EVERY_READ)) expect(getOrThrow(await read(env, path, context))).toBe("plain text")
})

describe("A credential is refused under another name:", () => {
  test("a link", async () => {
    await put(join(home, ".ssh/work"))
    await symlink(join(home, ".ssh"), join(folders.root, "l"))
    await symlink("l/work", join(folders.root, "m"))
    await expectRefused("l/work", "ssh")
    await expectRefused("m", "ssh")
  })

  test("a hard link to a store in the home folder", async () => {
    await put(join(home, ".aws/credentials"))
    await link(join(home, ".aws/credentials"), join(folders.root, "notes.txt"))
    await expectRefused("notes.txt", "cloud")
  })

  test("a hard link to a secret of the project, from a folder below it", async () => {
    await put(join(folders.root, ".env"))
    await link(join(folders.root, ".env"), join(folders.root, "a/b/notes.txt"))
    await expectRefused("a/b/notes.txt", "env-files")
  })

  test("a hard link to a secret that was refused before, from anywhere", async () => {
    await put(join(folders.root, "a/.env"))
    await link(join(folders.root, "a/.env"), join(folders.root, "notes.txt"))
    await symlink("a/.env", join(folders.root, "l"))
    await expectRefused("l", "env-files")
    await expectRefused("notes.txt", "env-files")
  })

  test("a store that was moved by the environment", async () => {
    await put(join(folders.base, "elsewhere/aws"))
    const environment = { AWS_SHARED_CREDENTIALS_FILE: join(folders.base, "elsewhere/aws") }
    const moved = refusingCredentialReads(new NodeExecutionEnv({ cwd: folders.root }), { home, environment })
    await expectRefused(join(folders.base, "elsewhere/aws"), "cloud", moved)
  })

  test("its own, moved to another by the environment's own means", async () => {
    await put(join(folders.root, ".env"))
    await put(join(folders.root, ".aws/credentials"))
    for (const from of [".env", ".aws", "a/../.env"]) {
      const moved = await env.renameFile(from, "x", context)
      expect(moved.ok ? "moved" : moved.error.code).toBe("permission_denied")
    }
  })

  test("its own, after another file stood there", async () => {
    await put(join(folders.root, "plain.txt"), "plain")
    expect(getOrThrow(await env.readTextFile("plain.txt", context))).toBe("plain")
    await unlink(join(folders.root, "plain.txt"))
    await put(join(home, ".netrc"))
    await symlink(join(home, ".netrc"), join(folders.root, "plain.txt"))
    await expectRefused("plain.txt", "sign-ins")
  })
})

describe("A private key is refused by content", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  })
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey
  const pkcs1 = rsa.export({ type: "pkcs1", format: "pem" }).toString()
  const encrypted = rsa.export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "x" }).toString()
  const oldEncrypted = rsa.export({ type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "x" }).toString()
  const body = "A".repeat(64)

  test.each([
    { what: "PKCS #8", text: privateKey },
    { what: "PKCS #1", text: pkcs1 },
    { what: "an encrypted one", text: encrypted },
    { what: "an encrypted one with its own headers", text: oldEncrypted },
    { what: "Windows line ends", text: pkcs1.replaceAll("\n", "\r\n") },
    { what: "OpenSSH", text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n` },
    { what: "PGP", text: `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${body}\n` },
    { what: "SSH2", text: `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "k"\n${body}\n` },
    { what: "PuTTY", text: "PuTTY-User-Key-File-3: ssh-ed25519\n" },
    { what: "age", text: `# created\nAGE-SECRET-KEY-1${"Q".repeat(58)}\n` },
    { what: "WireGuard", text: `[Interface]\nPrivateKey = ${"a".repeat(43)}=\n` },
    { what: "one in JSON", text: JSON.stringify({ type: "service_account", private_key: pkcs1 }) },
    { what: "one in a string of source", text: `const key =\n  "-----BEGIN PRIVATE KEY-----\\n" +\n  "${body}\\n"` },
    { what: "one indented in YAML", text: `key: |\n    -----BEGIN RSA PRIVATE KEY-----\n    ${body}\n` },
    { what: "one behind other text", text: `${"text\n".repeat(1_000)}${pkcs1}` },
    { what: "one in UTF-16", text: Buffer.from(pkcs1, "utf16le") },
    { what: "one in front of a large rest", text: pkcs1 + "x".repeat(600_000) },
  ])("$what", async ({ text }) => {
    await put(join(folders.root, "notes.txt"), text)
    await expectRefused("notes.txt", "private-key-content")
  })

  test.each([
    { what: "a public key", text: publicKey },
    { what: "a certificate", text: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n` },
    {
      what: "code that looks for the header",
      text: 'if (text.includes("-----BEGIN PRIVATE KEY-----")) return decode(text)\n',
    },
    {
      what: "a manual with the key left out",
      text: "-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----\n",
    },
    {
      what: "a manual that names the header",
      text: "A file that begins `-----BEGIN RSA PRIVATE KEY-----` is a key.\n",
    },
    { what: "a form to fill in", text: "[Interface]\nPrivateKey = <your key>\n" },
  ])("but not $what", async ({ text }) => {
    await put(join(folders.root, "server.key"), text)
    for (const read of Object.values(EVERY_READ)) expect((await read(env, "server.key", context)).ok).toBe(true)
  })

  test("and the memory that a read was handed holds none of it afterwards", async () => {
    await put(join(folders.root, "k"), privateKey)
    const reader = getOrThrow(await env.openFileReader("k", context))
    const into = new Uint8Array(8_192)
    expect((await reader.read(0, 8_192, context, into)).ok).toBe(false)
    expect(into.every((byte) => byte === 0)).toBe(true)
    expect((await reader.read(0, 10, context)).ok).toBe(false)
    await reader.close(context)
  })

  test.each([1, 7, 64, 200])("and not by reads of %i bytes from its middle either", async (length) => {
    await put(join(folders.root, "k"), privateKey)
    const reader = getOrThrow(await env.openFileReader("k", context))
    expect((await reader.read(40, length, context)).ok).toBe(false)
    await reader.close(context)
  })
})

describe("Folders", () => {
  test("do not list credentials, so that no near name suggests one", async () => {
    for (const name of [".env", ".env.example", "id_rsa", "id_rsa.pub"]) await put(join(folders.root, name))
    const names = getOrThrow(await env.listDir(".", context)).map((info) => info.name)
    expect(names.sort()).toEqual([".env.example", "a", "id_rsa.pub", "in.txt"])
  })

  test("that are a store are not listed, by no name", async () => {
    await put(join(home, ".ssh/id_rsa"))
    await symlink(join(home, ".ssh"), join(folders.root, "l"))
    for (const path of [join(home, ".ssh"), "l"]) {
      const listed = await env.listDir(path, context)
      expect(listed.ok ? "listed" : listed.error.code).toBe("permission_denied")
    }
  })
})

describe("A host", () => {
  const withPolicy = (policy: Parameters<typeof refusingCredentialReads>[1]) =>
    refusingCredentialReads(new NodeExecutionEnv({ cwd: folders.root }), { home, environment: {}, ...policy })

  test("adds a rule", async () => {
    await put(join(folders.root, "vault/pins.txt"))
    const add = [{ id: "pins", tier: "private", names: ["vault/**"], instead: "Ask for the pin" }] as const
    await expectRefused("vault/pins.txt", "pins", withPolicy({ add }))
  })

  test("removes a rule", async () => {
    await put(join(folders.root, ".npmrc"))
    expect((await withPolicy({ remove: ["registries"] }).readTextFile(".npmrc", context)).ok).toBe(true)
    await put(join(folders.root, "k"), `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}`)
    expect((await withPolicy({ remove: ["private-key-content"] }).readTextFile("k", context)).ok).toBe(true)
  })

  test("excepts a file, by its name or its path, and no link to another", async () => {
    await put(join(folders.root, "fixtures/.env"))
    await put(join(home, ".netrc"))
    await mkdir(join(folders.root, "f/fixtures"), { recursive: true })
    await symlink(join(home, ".netrc"), join(folders.root, "f/fixtures/.env"))
    for (const except of [["fixtures/.env"], [join(folders.root, "fixtures/.env")], ["fixtures/**"]]) {
      const policy = withPolicy({ except })
      expect((await policy.readTextFile("fixtures/.env", context)).ok).toBe(true)
      expect((await policy.readTextFile("f/fixtures/.env", context)).ok).toBe(false)
      expect((await policy.readTextFile(join(home, ".netrc"), context)).ok).toBe(false)
    }
  })

  test("lets the private tier be read", async () => {
    await put(join(home, ".bash_history"))
    await put(join(home, ".netrc"))
    const policy = withPolicy({ tiers: ["credential"] })
    expect((await policy.readTextFile(join(home, ".bash_history"), context)).ok).toBe(true)
    await expectRefused(join(home, ".netrc"), "sign-ins", policy)
  })
})

test.each(["refusing over scoped", "scoped over refusing"])("Composed, %s", async (order) => {
  await put(join(home, ".ssh/id_rsa"))
  await put(join(folders.root, ".env"))
  await put(join(folders.root, "k"), `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}`)
  await link(join(home, ".ssh/id_rsa"), join(folders.root, "hard.txt"))
  await symlink(join(home, ".ssh/id_rsa"), join(folders.root, "l"))
  const node = new NodeExecutionEnv({ cwd: folders.root })
  const options = { root: folders.root }
  const policy = { home, environment: {} }
  const composed =
    order === "refusing over scoped"
      ? refusingCredentialReads(getOrThrow(await ScopedExecutionEnv.create(node, options)), policy)
      : getOrThrow(await ScopedExecutionEnv.create(refusingCredentialReads(node, policy), options))
  for (const path of [".env", "k", "hard.txt", "l", "../outside/secret.txt", join(home, ".ssh/id_rsa")]) {
    for (const read of Object.values(EVERY_READ)) {
      const result = await read(composed, path, context)
      expect({ path, code: result.ok ? result.value : result.error.code }).toEqual({ path, code: "permission_denied" })
    }
  }
  expect(getOrThrow(await composed.readTextFile("a/in.txt", context))).toBe("inside text")
  const run = await composed.exec("true", undefined, context)
  expect(run.ok ? "ran" : run.error.code).toBe("shell_unavailable")
})

test("A store that is made later is known by its identity once the stores were looked up again", async () => {
  let now = 0
  const names = new CredentialNames({ environment: {}, home })
  const identities = new CredentialIdentities(names, { home, now: () => now })
  await identities.ready(context)
  await put(join(home, ".netrc"))
  await rename(join(home, ".netrc"), join(home, ".netrc2"))
  await link(join(home, ".netrc2"), join(home, ".netrc"))
  const inner = new NodeExecutionEnv({ cwd: home })
  const reader = getOrThrow(await inner.openFileReader(".netrc2", context))
  await reader.close(context)
  expect(await identities.ruleFor(reader.info.identity, 1, "/x", context)).toBeUndefined()
  now = 60_000
  await identities.ready(context)
  await expect
    .poll(async () => (await identities.ruleFor(reader.info.identity, 1, "/x", context))?.id, { timeout: 30_000 })
    .toBe("sign-ins")
})
