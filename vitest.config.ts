import { defineConfig } from "vitest/config";

export default defineConfig({
  // The editor's API exists only inside an editor; the client's own tests stand a small one in.
  resolve: { alias: { vscode: new URL("./test/client/vscode.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    // Longer suites (a real control plane, a real editor, soak) have their own scripts.
    exclude: ["**/node_modules/**", "test/cluster/**", "test/editor/**"],
    testTimeout: 90_000,
  },
});
