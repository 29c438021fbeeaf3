import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Packing and installing takes a registry and minutes: `npm run test:packed`. `test/integration` has its own packages.
    exclude: ["test/packed-package.test.ts", "test/integration/**", "node_modules/**"],
    globalSetup: ["test/support/build-once.ts"],
    expect: { requireAssertions: true },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
