/** Environment variables that move a store: the path, or the list of paths, that they hold is one by the rule. */
export const MOVED_STORES: readonly { variable: string; rule: string; folder?: true }[] = [
  { variable: "AWS_SHARED_CREDENTIALS_FILE", rule: "cloud" },
  { variable: "AWS_CONFIG_FILE", rule: "cloud" },
  { variable: "AWS_WEB_IDENTITY_TOKEN_FILE", rule: "cloud" },
  { variable: "GOOGLE_APPLICATION_CREDENTIALS", rule: "cloud" },
  { variable: "CLOUDSDK_CONFIG", rule: "cloud", folder: true },
  { variable: "AZURE_CONFIG_DIR", rule: "cloud", folder: true },
  { variable: "KUBECONFIG", rule: "containers" },
  { variable: "DOCKER_CONFIG", rule: "containers", folder: true },
  { variable: "REGISTRY_AUTH_FILE", rule: "containers" },
  { variable: "GNUPGHOME", rule: "gnupg", folder: true },
  { variable: "PASSWORD_STORE_DIR", rule: "gnupg", folder: true },
  { variable: "NETRC", rule: "sign-ins" },
  { variable: "PGPASSFILE", rule: "sign-ins" },
  { variable: "GH_CONFIG_DIR", rule: "sign-ins", folder: true },
  { variable: "NPM_CONFIG_USERCONFIG", rule: "registries" },
  { variable: "HF_TOKEN_PATH", rule: "registries" },
]
