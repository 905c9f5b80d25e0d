// `node test/editor/desktop.ts`: the API suite in the desktop VS Code that @vscode/test-electron downloads, for machines
// that can reach it (on Linux below xvfb-run). Without a network it fails at the download and says so.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runTests, runVSCodeCommand } from "@vscode/test-electron";
import { packageExtension } from "../../scripts/package.ts";
import { buildApiSuite, HARNESS, printResults } from "./api-host.ts";
import { makeHome } from "./code-server.ts";
import { EXAMPLE } from "./session.ts";

const version = process.env.VSCODE_VERSION ?? "stable";
const home = makeHome({ workspace: EXAMPLE });
const results = join(home.folder, "results.json");
const folders = [`--user-data-dir=${join(home.folder, "data")}`, `--extensions-dir=${join(home.folder, "ext")}`];
try {
  const vsix = await packageExtension();
  const entry = await buildApiSuite();
  await runVSCodeCommand(["--install-extension", vsix, "--force", ...folders], { version });
  await runTests({
    version,
    extensionDevelopmentPath: HARNESS,
    extensionTestsPath: entry,
    extensionTestsEnv: { TAINTWISE_API_RESULTS: results },
    launchArgs: [home.workspace, "--disable-workspace-trust", "--skip-welcome", ...folders],
  }).catch((error: unknown) => {
    // A failing test ends the editor with a code; the results tell which.
    if (!existsSync(results)) throw error;
  });
  const { passed, failed } = printResults(JSON.parse(readFileSync(results, "utf8")));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  home.remove();
}
