import { CHROMIUM_FOLDERS, each, FIREFOX_FOLDERS } from "./browser-folders.ts"

/**
 * What {@link refusingCredentialReads} refuses: all of it, as data. `credential` opens something by itself: a key, a
 * token, a password. `private` is the user's own and opens nothing: histories, messages, devices.
 */
export type CredentialTier = "credential" | "private"

/**
 * Names are parts between `/`. In a part `*` is any run of characters, `<pid>` a process or thread, by number or as
 * `self`. A name that begins with `/` is counted from the top of the disk, one with `~/` from the home folder; any other is looked for below
 * every folder.
 * One that ends with `/**` is a folder with all that is in it. Compared folded: case and Unicode forms do not count.
 */
export interface CredentialRule {
  /** Named in the refusal, and by a host that removes the rule. */
  id: string
  tier: CredentialTier
  names: readonly string[]
  /** Of `names`, what is read all the same. */
  except?: readonly string[]
  /** What a model should do in place of reading the file, a sentence. */
  instead: string
}

const ASK = "Ask the user for the one value that is needed"
const USE_TOOL = "Use the command that owns it, which reads it by itself, or ask the user"

/** Of templates that are made to be shared. */
const TEMPLATES = ["example", "sample", "template", "dist"].flatMap((end) => [
  ...[".env", ".env.*", ".envrc", ".envrc.*", ".dev.vars", ".dev.vars.*"].map((name) => `${name}.${end}`),
  ...[`.env-${end}`, `.env_${end}`],
])

export const CREDENTIAL_RULES: readonly CredentialRule[] = [
  { id: "ssh", tier: "credential", names: [".ssh/**", "/etc/ssh/ssh_host_*_key"], instead: USE_TOOL },
  { id: "gnupg", tier: "credential", names: [".gnupg/**", ".password-store/**"], instead: USE_TOOL },
  {
    id: "private-keys",
    tier: "credential",
    names: [
      ...["id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss"],
      ...["*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.kdb"],
    ],
    instead: "Work with the public half, or ask the user",
  },
  {
    id: "env-files",
    tier: "credential",
    names: [".env", ".env.*", ".env~", ".env-*", ".env_*", ".envrc", ".envrc.*", ".dev.vars", ".dev.vars.*"],
    except: TEMPLATES,
    instead: "Read .env.example or the code that uses the variables, or ask the user",
  },
  {
    id: "cloud",
    tier: "credential",
    names: [
      ...[
        ".aws/credentials",
        ".aws/config",
        ".aws/sso/cache/**",
        ".aws/cli/cache/**",
        ".boto",
        ".s3cfg",
        ".mc/config.json",
      ],
      ...[".config/gcloud/**", "AppData/Roaming/gcloud/**", ".azure/**", ".config/doctl/config.yaml", ".oci/**"],
      ...[".config/hcloud/cli.toml", ".wrangler/config/default.toml", ".config/.wrangler/config/default.toml"],
      ...[".config/rclone/rclone.conf", ".fly/config.yml", ".terraform.d/credentials.tfrc.json", ".terraformrc"],
      ...[".vault-token", ".pulumi/credentials.json", ".config/heroku/**", ".netlify/config.json", ".vercel/auth.json"],
      ...[".local/share/com.vercel.cli/auth.json", ".config/netlify/config.json", ".bluemix/config.json"],
    ],
    instead: USE_TOOL,
  },
  {
    id: "containers",
    tier: "credential",
    names: [
      ...[
        ".docker/config.json",
        ".docker/contexts/**",
        ".config/containers/auth.json",
        ".kube/**",
        ".config/helm/registry/config.json",
      ],
      ...["/run/secrets/**", "/var/run/secrets/**", "/etc/kubernetes/**", "/etc/rancher/k3s/k3s.yaml"],
    ],
    instead: USE_TOOL,
  },
  {
    id: "sign-ins",
    tier: "credential",
    names: [
      ...[".netrc", "_netrc", ".git-credentials", ".config/git/credentials", ".config/gh/hosts.yml", ".config/hub"],
      ...["AppData/Roaming/GitHub CLI/hosts.yml", ".config/glab-cli/config.yml", ".config/tea/config.yml"],
      ...[".pgpass", "AppData/Roaming/postgresql/pgpass.conf", ".my.cnf", ".mylogin.cnf", ".config/op/**", ".authinfo"],
      ...[".authinfo.gpg", ".htpasswd", ".msmtprc", ".config/msmtp/config", ".fetchmailrc", ".smbcredentials"],
    ],
    instead: USE_TOOL,
  },
  {
    id: "registries",
    tier: "credential",
    names: [
      ...[
        ".npmrc",
        "~/.yarnrc.yml",
        ".pypirc",
        ".gem/credentials",
        ".local/share/gem/credentials",
        ".cargo/credentials",
      ],
      ...[".cargo/credentials.toml", ".composer/auth.json", ".config/composer/auth.json", ".m2/settings.xml"],
      ...[".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config", ".hex/hex.config"],
      ...[".config/pypoetry/auth.toml", ".cache/huggingface/token", ".huggingface/token", ".kaggle/kaggle.json"],
    ],
    instead: USE_TOOL,
  },
  {
    id: "agents",
    tier: "credential",
    names: [
      ...[".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".gemini/.env"],
      ...[
        ".qwen/oauth_creds.json",
        ".pi/agent/auth.json",
        ".local/share/opencode/auth.json",
        "~/.continue/config.json",
      ],
      ...[
        ".config/github-copilot/**",
        ".config/goose/secrets.yaml",
        ".local/share/amp/secrets.json",
        ".cursor/mcp.json",
      ],
      ...[".config/io.datasette.llm/keys.json", "~/.aider.conf.yml", ".config/openai/**", ".config/anthropic/**"],
      ...["Library/Application Support/Claude/claude_desktop_config.json", ".config/Claude/claude_desktop_config.json"],
      ...["AppData/Roaming/Claude/claude_desktop_config.json"],
    ],
    instead: "Another program's sign-in is never needed; ask the user",
  },
  {
    id: "keychains",
    tier: "credential",
    names: [
      ...["Library/Keychains/**", "/Library/Keychains/**", ".local/share/keyrings/**", ".local/share/kwalletd/**"],
      ...["AppData/Roaming/Microsoft/Credentials/**", "AppData/Local/Microsoft/Credentials/**"],
      ...["AppData/Roaming/Microsoft/Protect/**", "AppData/Local/Microsoft/Vault/**"],
    ],
    instead: ASK,
  },
  {
    id: "browsers",
    tier: "credential",
    names: [
      ...each(CHROMIUM_FOLDERS, [
        "*/Cookies",
        "*/Network/Cookies",
        "*/Login Data",
        "*/Login Data For Account",
        "*/Web Data",
      ]),
      ...each(CHROMIUM_FOLDERS, ["Local State"]),
      ...each(FIREFOX_FOLDERS, ["*/cookies.sqlite", "*/logins.json", "*/key4.db", "*/key3.db", "*/signons.sqlite"]),
      ...["Library/Cookies/**", "Library/Safari/**", "Library/Containers/com.apple.Safari/**"],
    ],
    instead: ASK,
  },
  {
    id: "system-accounts",
    tier: "credential",
    names: [
      ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd", "/etc/sudoers"],
      ...["/etc/sudoers.d/**", "/etc/krb5.keytab", "/etc/ssl/private/**", "/etc/NetworkManager/system-connections/**"],
      ...[
        "/etc/wireguard/**",
        "/etc/openvpn/**",
        "/etc/security/opasswd",
        "/var/lib/sss/secrets/**",
        "/etc/letsencrypt/**",
      ],
      ...["Windows/System32/config/**"],
    ],
    instead: ASK,
  },
  {
    id: "processes",
    tier: "credential",
    names: [
      ...[
        "environ",
        "mem",
        "maps",
        "smaps",
        "smaps_rollup",
        "numa_maps",
        "pagemap",
        "cmdline",
        "auxv",
        "stack",
        "syscall",
      ]
        .flatMap((name) => [`proc/<pid>/${name}`, `proc/<pid>/task/<pid>/${name}`])
        .concat(["/proc/kcore", "/proc/kmsg", "/proc/vmcore", "/proc/keys", "/proc/kpagecount", "/proc/kpageflags"]),
    ],
    instead:
      "A process's memory and environment hold the host's own secrets; ask the user for the one value that is needed",
  },
  {
    id: "histories",
    tier: "private",
    names: [
      ...[".bash_history", ".zsh_history", ".zsh_sessions/**", ".sh_history", ".local/share/fish/fish_history"],
      ...[
        ".python_history",
        ".node_repl_history",
        ".psql_history",
        ".mysql_history",
        ".sqlite_history",
        ".rediscli_history",
      ],
      ...["ConsoleHost_history.txt", ".lesshst", ".viminfo", ".local/share/recently-used.xbel"],
      ...each(CHROMIUM_FOLDERS, ["*/History", "*/Bookmarks", "*/Sessions/**", "*/Local Storage/**"]),
      ...each(FIREFOX_FOLDERS, ["*/places.sqlite", "*/formhistory.sqlite", "*/sessionstore.jsonlz4"]),
    ],
    instead: ASK,
  },
  {
    id: "messages",
    tier: "private",
    names: [
      ...[
        "Library/Messages/**",
        "Library/Mail/**",
        "Library/Application Support/AddressBook/**",
        "Library/Calendars/**",
      ],
      ...["Library/Application Support/Signal/**", ".config/Signal/**", ".thunderbird/**", ".local/share/evolution/**"],
      ...[".local/share/TelegramDesktop/**", "Library/Application Support/com.apple.TCC/**", ".config/discord/**"],
      ...[".config/Slack/**", "Library/Application Support/Slack/**", "AppData/Roaming/Thunderbird/**"],
    ],
    instead: ASK,
  },
  {
    id: "devices",
    tier: "private",
    names: ["/dev/**"],
    instead: "Devices are not files to read; name the file that is meant",
  },
  { id: "kernel-settings", tier: "private", names: ["/sys/**"], instead: ASK },
]

/** The rule of files whose first bytes are a private key, whatever they are called. It has no names. */
export const KEY_CONTENT_RULE: CredentialRule = {
  id: "private-key-content",
  tier: "credential",
  names: [],
  instead: "Work with the public half, or ask the user",
}
