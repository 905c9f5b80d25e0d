// The API suite's entry, called by the extension host as `run()`. Each test gets a clean editor.
import { writeFileSync } from "node:fs";
import { commands, version } from "vscode";
import { documentTests } from "./documents.ts";
import { featureTests } from "./features.ts";
import { lifecycleTests } from "./lifecycle.ts";
import type { ApiResults } from "./results.ts";
import type { ApiTest } from "./support.ts";

/** Milliseconds that one test may take. */
const LIMIT = 30_000;

/** Runs every test, writes the results, and rejects when one failed (which the host turns into an exit code). */
export async function run(): Promise<void> {
  const tests: ApiResults["tests"][number][] = [];
  for (const { name, body } of [...lifecycleTests, ...featureTests, ...documentTests]) {
    const begun = performance.now();
    const error = await attempt(body);
    tests.push({ name, seconds: (performance.now() - begun) / 1000, error });
    writeResults({ vscode: version, node: process.version, tests });
    // A dirty editor would ask before it closes.
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeAllEditors");
  }
  const failed = tests.filter((test) => test.error !== null).length;
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

/** After every test, so that a suite that hangs still tells how far it came. */
function writeResults(results: ApiResults): void {
  const file = process.env.TAINTWISE_API_RESULTS;
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
}

/** null when `body` passes, else why not. */
async function attempt(body: ApiTest["body"]): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT / 1000} s`)), LIMIT);
  });
  try {
    await Promise.race([body(), late]);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
