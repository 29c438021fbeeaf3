// Runs one TypeScript module of the tests in a process of its own: `node run-typescript.mjs MODULE [ARGUMENT...]`.
import { runnerImport } from "vite"

const { module } = await runnerImport(process.argv[2], { configFile: false, logLevel: "error" })
process.stdout.write(JSON.stringify(await module.default(...process.argv.slice(3))))
