import { defineConfig } from "electron-vite"

/** What is built, by the name of the built file: `out/main/<name>.js`. Everything that a host can start or import. */
const inputs = {
  index: "src/main/index.ts",
}

export default defineConfig({
  main: {
    build: {
      outDir: "out/main",
      emptyOutDir: process.env.KEEP_BUILT_FILES === undefined,
      // The oldest Node that `engines` names: electron-vite would take that of the installed Electron.
      target: "node20.19",
      rolldownOptions: {
        input: inputs,
        // Whatever is imported by a package's name stays an import, peers and development packages included.
        external: [/^(?![./\0]|[A-Za-z]:)/],
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
      },
    },
  },
})
