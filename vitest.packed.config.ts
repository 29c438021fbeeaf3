import { defineConfig } from "vitest/config"

/** The test of the package as a user installs it: slow, and the only one that needs a registry or a filled cache. */
export default defineConfig({
  test: {
    include: ["test/packed-package.test.ts"],
    expect: { requireAssertions: true },
    pool: "forks",
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
