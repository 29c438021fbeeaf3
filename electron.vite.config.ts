import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { defineConfig } from "electron-vite"
import { inlinePdfium } from "./scripts/inline-pdfium.mjs"

const pdfiumWasm = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm")

/** What is built, by the name of the built file: `out/main/<name>.js`. Everything that a host can start or import. */
const inputs = {
  index: "src/main/index.ts",
  cli: "src/bin.ts",
  node: "src/main/node.ts",
  testing: "src/testing/index.ts",
  ai: "src/ai/index.ts",
  body: "src/body/index.ts",
  electron: "src/main/electron.ts",
  pi: "src/pi/pi-extension.ts",
  "document-process": "src/main/documents/process-entry.ts",
  "document-thread": "src/main/documents/engines/pdf-thread-entry.ts",
}

/**
 * Packages that the document process is built of. Under its permissions it can open its own files alone, so nothing may
 * be left to import from a folder of packages. And the part of the MCP SDK that a server on standard input needs: of
 * the SDK's 92 dependencies, HTTP servers among them, no user of this package installs one.
 */
const documentProcess = ["@embedpdf/pdfium", "pngjs", "valibot"]
/** What the reading half of mammoth asks for and never uses here: our own `zip-archive.ts` opens archives, and none is written. */
const withoutWordReader = ["jszip", "xmlbuilder"]
/** What the reading half of mammoth is made of; its other 19 packages are nobody's to install. */
const wordReader = ["mammoth", "@xmldom/xmldom", "underscore", "dingbat-to-unicode", "base64-js", ...withoutWordReader]
const mcpServer = [
  ...["@modelcontextprotocol/sdk", "zod", "zod-to-json-schema", "ajv", "ajv-formats"],
  ...["fast-deep-equal", "fast-uri", "json-schema-traverse"],
]
/** What asks the model of `bounded-read pdf`: for that command alone, so that no user of the package installs it. */
const pdfCommand = ["@ai-sdk/openai-compatible", "@ai-sdk/provider", "@ai-sdk/provider-utils", "eventsource-parser"]
const builtIn = [...documentProcess, ...wordReader, ...mcpServer, ...pdfCommand]

export default defineConfig({
  main: {
    resolve: {
      alias: {
        // PDFium's glue for browsers: the one for Node imports node:fs, for files that are never asked for here.
        "@embedpdf/pdfium": join(dirname(pdfiumWasm), "index.browser.js"),
      },
    },
    plugins: [
      {
        // A bundled `require` would import node:module, and with that every other module is in reach of the process.
        name: "png-packer-without-require",
        enforce: "pre",
        transform: (code, id) =>
          /pngjs[/\\]lib[/\\]packer/.test(id)
            ? code.replace('require("zlib")', 'process.getBuiltinModule("node:zlib")')
            : undefined,
        // What is left of a shim that electron-vite adds to bundled CommonJS, and that nothing uses.
        generateBundle: (_options, bundle) => {
          for (const file of Object.values(bundle)) {
            if (file.type === "chunk") file.code = file.code.replace(/^import "node:module";\n/m, "")
          }
        },
      },
      {
        // One module of mammoth's reader opens linked images: it brings another for browsers, which refuses them.
        name: "mammoth-without-files",
        enforce: "pre",
        resolveId: (source, importer) => {
          if (importer === undefined || !/mammoth[/\\]lib[/\\]/.test(importer)) return undefined
          if (source === "./files") return join(dirname(importer), "..", "..", "browser", "docx", "files.js")
          return withoutWordReader.includes(source) ? "\0nothing" : undefined
        },
        load: (id) => (id === "\0nothing" ? "export default undefined" : undefined),
      },
      {
        name: "pdfium-wasm",
        // Beside the document process: the parent checks that it is the one that was pinned.
        writeBundle: ({ dir }) =>
          writeFileSync(join(dir ?? "out/main", "pdfium.wasm"), inlinePdfium(readFileSync(pdfiumWasm))),
      },
    ],
    build: {
      outDir: "out/main",
      // Of what is built in: the notices that its licences ask for.
      license: { fileName: "third-party-licenses.md" },
      emptyOutDir: process.env.KEEP_BUILT_FILES === undefined,
      // The oldest Node that `engines` names: electron-vite would take that of the installed Electron.
      target: "node20.19",
      externalizeDeps: { exclude: builtIn },
      rolldownOptions: {
        input: inputs,
        // Whatever is imported by a package's name stays an import, peers and development packages included.
        external: [new RegExp(`^(?![./\\0]|[A-Za-z]:|(?:${builtIn.join("|")})(?:/|$))`)],
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
      },
    },
  },
})
