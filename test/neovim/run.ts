// Neovim opens the example, gets the diagnostics and applies the fix: `npm run test:neovim`. Any Neovim from 0.7 on
// (Debian: apt-get install neovim) does; it is run headless, without anybody's configuration, on a copy of the example.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly problem: string;
}

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../examples/rdma-incident", import.meta.url));
const SCRIPT = fileURLToPath(new URL("example.lua", import.meta.url));
const MANIFEST = "manifests/log-agent.yaml";
/** Milliseconds for the whole run. */
const DEADLINE = 180_000;

/** The file after the fix, to the byte: the toleration behind the others, everything else as it was. */
function expectedManifest(): string {
  const before = readFileSync(join(EXAMPLE, MANIFEST), "utf8");
  const last = "          operator: Exists\n";
  const added = [
    "        - key: dedicated",
    "          operator: Equal",
    "          value: rdma",
    "          effect: NoSchedule",
    "",
  ];
  return before.replace(last, last + added.join("\n"));
}

function runNeovim(folder: string): readonly TestResult[] {
  const report = join(folder, "report.jsonl");
  const workspace = join(folder, "example");
  cpSync(EXAMPLE, workspace, { recursive: true });
  const environment = {
    ...process.env,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    TAINTWISE_NODE: process.execPath,
    TAINTWISE_CLI: CLI,
    TAINTWISE_FOLDER: workspace,
    TAINTWISE_REPORT: report,
  };
  const run = spawnSync("nvim", ["--headless", "--clean", "-c", `luafile ${SCRIPT}`, "-c", "qall!"], {
    env: environment,
    timeout: DEADLINE,
    encoding: "utf8",
  });
  if (run.error !== undefined) return [{ name: "Neovim starts", passed: false, problem: run.error.message }];
  const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n") : [];
  const results: TestResult[] = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  if (results.length === 0) return [{ name: "the script runs", passed: false, problem: run.stderr }];
  const same = readFileSync(join(workspace, MANIFEST), "utf8") === expectedManifest();
  return [
    ...results,
    { name: "the file on the disk is the expected one, to the byte", passed: same, problem: same ? "" : "it differs" },
  ];
}

const version = spawnSync("nvim", ["--version"], { encoding: "utf8" });
if (version.error !== undefined) {
  console.error("Neovim is not installed (Debian: apt-get install neovim).");
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
} else {
  console.log(version.stdout.split("\n")[0] ?? "");
  const folder = mkdtempSync(join(tmpdir(), "taintwise-neovim-"));
  try {
    const results = runNeovim(folder);
    for (const { name, passed, problem } of results) {
      console.log(`${passed ? "ok  " : "FAIL"} ${name}${passed ? "" : `\n     ${problem}`}`);
    }
    const failed = results.filter((result) => !result.passed).length;
    console.log(`${results.length - failed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
