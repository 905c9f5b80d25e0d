import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Longer suites (a real control plane, a real editor, soak) have their own scripts.
    exclude: ["**/node_modules/**", "test/cluster/**", "test/editor/**"],
    testTimeout: 30_000,
  },
});
