// `npm run test:editor [-- SUITE…]`: the packed extension in a real VS Code. Installs the editor if need be, packs the
// extension, runs the suites one after the other and ends with `N passed, N failed`.
import { packageExtension } from "../../scripts/package.ts";
import { runApiSuite } from "./api-host.ts";
import { runLiveChangeSuite } from "./live/changes.ts";
import { runLiveCommandSuite } from "./live/commands.ts";
import { runLiveSuite } from "./live/incident.ts";
import { runLiveViewSuite } from "./live/views.ts";
import { setUpEditor } from "./setup.ts";
import type { Outcome } from "./suite.ts";
import { runCommandSuite } from "./ui/commands.ts";
import { runExampleSuite } from "./ui/example.ts";
import { runExplorerSuite } from "./ui/explorer.ts";
import { runFolderSuite } from "./ui/folders.ts";
import { runManyNodesSuite } from "./ui/many-nodes.ts";
import { runServerSuite } from "./ui/server.ts";
import { runThemeSuite } from "./ui/themes.ts";
import { runTrustSuite } from "./ui/trust.ts";

const SUITES: Readonly<Record<string, () => Promise<Outcome>>> = {
  example: runExampleSuite,
  commands: runCommandSuite,
  explorer: runExplorerSuite,
  "explorer-many": runManyNodesSuite,
  live: runLiveSuite,
  "live-commands": runLiveCommandSuite,
  "live-changes": runLiveChangeSuite,
  "live-views": runLiveViewSuite,
  themes: runThemeSuite,
  server: runServerSuite,
  trust: runTrustSuite,
  folders: runFolderSuite,
  api: runApiSuite,
};

const begun = performance.now();
await setUpEditor();
if (process.env.EDITOR_VSIX === undefined) await packageExtension();

const wanted = process.argv.slice(2);
const total = { passed: 0, failed: 0 };
for (const [name, run] of Object.entries(SUITES)) {
  // `live` is every suite on a live cluster.
  if (wanted.length > 0 && !wanted.some((want) => name === want || name.startsWith(`${want}-`))) continue;
  let { passed, failed } = await run();
  if (failed > 0) {
    // An editor on a busy machine drops a hover or a menu now and then; a fault fails twice.
    console.log(`\n${name}: ${failed} failed; the suite is run once more in a fresh editor, which counts`);
    ({ passed, failed } = await run());
  }
  total.passed += passed;
  total.failed += failed;
}
console.log(`\neditor suites: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
