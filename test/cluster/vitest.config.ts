import { defineConfig } from "vitest/config";

// Suites against a real control plane, one after the other: each has the machine to itself.
export default defineConfig({
  test: {
    include: ["test/cluster/**/*.test.ts"],
    testTimeout: 900_000,
    // A control plane on a busy machine is late now and then; a fault of ours fails twice.
    retry: 1,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxWorkers: 1,
  },
});
