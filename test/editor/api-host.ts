// Runs the API suite inside code-server's extension host, against the installed .vsix. The suite itself is also what
// desktop.ts gives to @vscode/test-electron.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { ApiResults } from "./api/results.ts";
import { installVsix, makeHome, startServer } from "./code-server.ts";
import { EXAMPLE, PICTURES, VSIX } from "./session.ts";
import { installed, root } from "./setup.ts";
import type { Outcome } from "./suite.ts";
import { launchBrowser } from "./workbench.ts";

/** The empty extension that is "under development", so that the one under test is the installed package. */
export const HARNESS = join(installed, "api");
/** Milliseconds for the whole suite. */
const LIMIT = 300_000;

/** Bundles the suite for the extension host (CommonJS, `vscode` stays outside) beside the harness' manifest. */
export async function buildApiSuite(): Promise<string> {
  mkdirSync(HARNESS, { recursive: true });
  writeFileSync(
    join(HARNESS, "package.json"),
    JSON.stringify({ name: "harness", publisher: "taintwise-test", version: "0.0.0", engines: { vscode: "^1.101.0" } }),
  );
  const outfile = join(HARNESS, "index.cjs");
  await build({
    entryPoints: [join(root, "test/editor/api/index.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    logLevel: "warning",
    // The unit tests' stand-in for the editor must not be bundled by way of a path mapping.
    tsconfigRaw: "{}",
  });
  return outfile;
}

/** Prints every test and resolves with the counts. */
export async function runApiSuite(): Promise<Outcome> {
  console.log("\nthe editor's API, inside the extension host");
  const entry = await buildApiSuite();
  const home = makeHome({ workspace: EXAMPLE });
  installVsix(home, VSIX);
  const results = join(home.folder, "results.json");
  // A released build ignores the test entry in the address without this option, silently.
  const options = ["--disable-workspace-trust", "--vscode-option", "enable-smoke-test-driver"];
  const [server, browser] = await Promise.all([startServer(home, options), launchBrowser()]);
  const lines: string[] = [];
  try {
    const page = await (await browser.newContext()).newPage();
    const exited = new Promise<string>((resolve) => {
      void page.exposeFunction("codeAutomationExit", (code: number) => resolve(`exit code ${code}`));
      page.on("crash", () => resolve("the page crashed"));
      setTimeout(() => resolve("timed out"), LIMIT).unref();
    });
    await page.exposeFunction("codeAutomationLog", (type: string, args: unknown) => lines.push(`${type}: ${args}`));
    const payload = {
      extensionDevelopmentPath: HARNESS,
      extensionTestsPath: entry,
      extensionEnvironment: JSON.stringify({ TAINTWISE_API_RESULTS: results }),
    };
    await page.goto(server.url(home.workspace, payload), { waitUntil: "domcontentloaded" });
    const how = await exited;
    if (!existsSync(results)) {
      await page.screenshot({ path: join(PICTURES, "failed-api.png") });
      console.log(`  ✗ the suite ended without results: ${how}\n${lines.slice(-20).join("\n")}`);
      return { passed: 0, failed: 1 };
    }
    const outcome = printResults(JSON.parse(readFileSync(results, "utf8")));
    if (/^exit code [01]$/.test(how)) return outcome;
    console.log(`  ✗ the suite did not end by itself: ${how}`);
    return { ...outcome, failed: outcome.failed + 1 };
  } finally {
    await browser.close();
    await server.stop();
    home.remove();
  }
}

/** One line for each test; a suite without tests counts as failed. */
export function printResults(results: ApiResults): Outcome {
  console.log(`  VS Code ${results.vscode}, extension host on Node ${results.node}`);
  for (const { name, seconds, error } of results.tests) {
    console.log(`  ${error === null ? "✓" : "✗"} ${name} (${seconds.toFixed(1)} s)`);
    if (error !== null) console.log(error.replaceAll(/^/gm, "      "));
  }
  const failed = results.tests.filter((test) => test.error !== null).length;
  return { passed: results.tests.length - failed, failed: results.tests.length === 0 ? 1 : failed };
}
