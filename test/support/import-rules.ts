import type { IRegularForbiddenRuleType } from "dependency-cruiser"

/** One rule of who may import whom, with the smallest tree of files that breaks it. */
export interface ImportRule {
  says: string
  forbids: Pick<IRegularForbiddenRuleType, "from" | "to">
  /** Path of a file to what it holds. Cruised alone, this must be found guilty. */
  broken: Readonly<Record<string, string>>
}

/** What a module, and everything that it loads at run time, may not load. */
export interface ReachRule {
  says: string
  from: RegExp
  neverLoads: RegExp
  broken: Readonly<Record<string, string>>
}

const NODE_MODULE = "^(node:)?(fs|fs/promises|child_process|net|http|https|http2|tls|dns|dgram|worker_threads|cluster)$"
/** Without threads: the document process is watched by one of its own. */
const NODE_MODULE_BUT_THREADS = NODE_MODULE.replace("|worker_threads", "")
const ELECTRON = "(^|node_modules/)(electron|original-fs)(/|$)"

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    says: "The port imports nothing of the sources",
    forbids: { from: { path: "^vendor/" }, to: { path: "^src/" } },
    broken: { "vendor/a.ts": 'import "../src/b.ts"', "src/b.ts": "export {}" },
  },
  {
    says: "The port imports nothing of Node or of packages, types aside",
    forbids: { from: { path: "^vendor/" }, to: { pathNot: "^vendor/", dependencyTypesNot: ["type-only"] } },
    broken: { "vendor/a.ts": 'import { sep } from "node:path"\nexport default sep' },
  },
  {
    says: "The limits import nothing",
    forbids: { from: { path: "^src/main/limits\\.ts$" }, to: {} },
    broken: { "src/main/limits.ts": 'import "../../vendor/a.ts"', "vendor/a.ts": "export {}" },
  },
  {
    says: "What opens files knows the port, the limits and Node alone",
    forbids: {
      from: { path: "^src/main/fs/" },
      to: { pathNot: "^(vendor/|src/main/fs/|src/main/limits\\.ts$)", dependencyTypesNot: ["core"] },
    },
    broken: { "src/main/fs/a.ts": 'import "../tools/b.ts"', "src/main/tools/b.ts": "export {}" },
  },
  {
    says: "Documents know the port, the limits, Node and engines alone",
    forbids: {
      from: { path: "^src/main/documents/" },
      to: { path: "^src/", pathNot: "^src/main/(documents/|limits\\.ts$)" },
    },
    broken: { "src/main/documents/a.ts": 'import "../fs/b.ts"', "src/main/fs/b.ts": "export {}" },
  },
  {
    says: "The tools see the port, the limits, and what opens nothing of files and documents",
    forbids: {
      from: { path: "^src/main/tools/" },
      to: { path: "^src/", pathNot: "^src/main/(tools/|fs/|documents/|limits\\.ts$)" },
    },
    broken: { "src/main/tools/a.ts": 'import "../../pi/b.ts"', "src/pi/b.ts": "export {}" },
  },
  {
    says: "The tools import neither files nor processes nor the network of Node, not even a type",
    forbids: { from: { path: "^src/main/tools/" }, to: { path: NODE_MODULE } },
    broken: { "src/main/tools/a.ts": 'import type { Stats } from "node:fs"\nexport type A = Stats' },
  },
  {
    says: "The library knows nothing of the hosts that use it, but the pdf tool of what fetches for it",
    forbids: {
      from: { path: "^src/main/", pathNot: "^src/main/(index|pdf-tool)\\.ts$" },
      to: { path: "^src/(?!main/)" },
    },
    broken: { "src/main/node.ts": 'import "../cli/b.ts"', "src/cli/b.ts": "export {}" },
  },
  {
    says: "Of them the pdf tool knows web bodies alone",
    forbids: { from: { path: "^src/main/pdf-tool\\.ts$" }, to: { path: "^src/(?!main/|body/)" } },
    broken: { "src/main/pdf-tool.ts": 'import "../pi/b.ts"', "src/pi/b.ts": "export {}" },
  },
  {
    says: "What the package exports holds neither the command line nor the MCP server",
    forbids: { from: { path: "^src/main/index\\.ts$" }, to: { path: "^src/(cli|mcp|bin\\.ts)" } },
    broken: { "src/main/index.ts": 'export * from "../cli/b.ts"', "src/cli/b.ts": "export {}" },
  },
  {
    says: "The command line, the MCP server and the bindings never import each other",
    forbids: {
      from: { path: "^src/(pi|ai|body|cli|mcp)/" },
      to: { path: "^src/(pi|ai|body|cli|mcp|bin\\.ts)", pathNot: "^src/$1/" },
    },
    broken: { "src/cli/a.ts": 'import "../mcp/b.ts"', "src/mcp/b.ts": "export {}" },
  },
  {
    says: "Electron is imported by one file, not even its types by another",
    forbids: { from: { path: "^(src|vendor)/", pathNot: "^src/main/electron\\.ts$" }, to: { path: ELECTRON } },
    broken: {
      "src/main/node.ts": 'import type { App } from "electron"\nexport type A = App',
      "node_modules/electron/package.json": '{ "name": "electron", "version": "1.0.0", "types": "electron.d.ts" }',
      "node_modules/electron/electron.d.ts": "export interface App { name: string }",
    },
  },
  {
    // The MCP SDK is built into the server: its HTTP half, and that half's packages, are nobody's to install. So is what
    // asks the model of one command.
    says: "The sources run without the packages of development",
    forbids: {
      from: { path: "^(src|vendor)/" },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "^node_modules/(@modelcontextprotocol/sdk|@ai-sdk/openai-compatible|mammoth)/",
      },
    },
    broken: {
      "src/main/a.ts": 'import dev from "dev"\nexport default dev',
      "package.json": '{ "name": "broken", "version": "1.0.0", "devDependencies": { "dev": "1.0.0" } }',
      "node_modules/dev/package.json": '{ "name": "dev", "version": "1.0.0", "main": "index.js" }',
      "node_modules/dev/index.js": "module.exports = 1",
    },
  },
  {
    says: "The MCP SDK is known to the MCP server alone",
    forbids: { from: { path: "^src/", pathNot: "^src/mcp/" }, to: { path: "node_modules/@modelcontextprotocol/" } },
    broken: {
      "src/cli/a.ts": 'import sdk from "@modelcontextprotocol/sdk"\nexport default sdk',
      "node_modules/@modelcontextprotocol/sdk/package.json":
        '{ "name": "@modelcontextprotocol/sdk", "main": "index.js" }',
      "node_modules/@modelcontextprotocol/sdk/index.js": "module.exports = 1",
    },
  },
  {
    says: "The provider of OpenAI-compatible models is known to the command line alone",
    forbids: { from: { path: "^src/", pathNot: "^src/cli/openai-model\\.ts$" }, to: { path: "node_modules/@ai-sdk/" } },
    broken: {
      "src/cli/a.ts": 'import ai from "@ai-sdk/openai-compatible"\nexport default ai',
      "node_modules/@ai-sdk/openai-compatible/package.json":
        '{ "name": "@ai-sdk/openai-compatible", "main": "index.js" }',
      "node_modules/@ai-sdk/openai-compatible/index.js": "module.exports = 1",
    },
  },
  {
    says: "The sources import only packages that package.json names, and files that exist",
    forbids: {
      from: { path: "^(src|vendor)/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"] },
    },
    broken: { "src/main/a.ts": 'import "nowhere-to-be-found"' },
  },
  {
    says: "The sources know nothing of tests and benchmarks",
    forbids: { from: { path: "^(src|vendor)/" }, to: { path: "^(test|bench|scripts|examples)/" } },
    broken: { "src/main/a.ts": 'import "../../test/b.ts"', "test/b.ts": "export {}" },
  },
  {
    says: "No module imports itself in the end",
    forbids: { from: {}, to: { circular: true } },
    broken: { "src/main/a.ts": 'import "./b.ts"', "src/main/b.ts": 'import "./a.ts"' },
  },
]

export const REACH_RULES: readonly ReachRule[] = [
  {
    says: "The document process loads no disk, no network, no process and no Electron",
    from: /^src\/main\/documents\/process-entry\.ts$/,
    neverLoads: new RegExp(`${NODE_MODULE_BUT_THREADS}|${ELECTRON}`),
    broken: {
      "src/main/documents/process-entry.ts": 'import "./engines/a.ts"',
      "src/main/documents/engines/a.ts": 'const fs = await import("node:fs")\nexport default fs',
    },
  },
  {
    says: "The tools load no disk, no network and no process",
    from: /^src\/main\/tools\//,
    neverLoads: new RegExp(`${NODE_MODULE}|${ELECTRON}`),
    broken: { "src/main/tools/a.ts": 'import "../fs/b.ts"', "src/main/fs/b.ts": 'import "node:fs"' },
  },
  {
    says: "Importing the package loads neither Electron nor an engine",
    from: /^src\/main\/index\.ts$/,
    neverLoads: new RegExp(`${ELECTRON}|node_modules/(sharp|@embedpdf|@modelcontextprotocol)/`),
    broken: {
      "src/main/index.ts": 'export * from "./a.ts"',
      "src/main/a.ts": 'export * from "sharp"',
      "node_modules/sharp/package.json": '{ "name": "sharp", "version": "1.0.0", "main": "index.js" }',
      "node_modules/sharp/index.js": "module.exports = 1",
    },
  },
]
