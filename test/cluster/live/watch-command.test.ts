// `taintwise watch --context` against a real control plane: the table changes when the incident happens; in a terminal
// it is drawn in place and fits; Ctrl+C ends it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../api.ts";
import { type IncidentCluster, POOL, startIncidentCluster } from "../incident-cluster.ts";

const ENTRY = fileURLToPath(new URL("../../../server/src/node/cli.ts", import.meta.url));
/** The sequence that begins every table in a terminal. */
const HOME = "\u001b[H\u001b[J";

let cluster: IncidentCluster;

beforeAll(async () => {
  cluster = await startIncidentCluster();
});
afterAll(() => cluster?.stop());

interface Watching {
  readonly child: ChildProcess;
  /** Everything that was printed. */
  text(): string;
  /** Resolves with the last table when it matches. */
  shows(pattern: RegExp): Promise<string>;
  ended(): Promise<number | NodeJS.Signals | null>;
}

function start(command: string, args: readonly string[], separator: string): Watching {
  const env = {
    ...process.env,
    KUBECONFIG: cluster.controlPlane.kubeconfigPath,
    TAINTWISE_STORAGE: dirname(cluster.controlPlane.kubeconfigPath),
    NO_COLOR: "1",
    TERM: "xterm",
  };
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, "SIGKILL");
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  }
  const last = (): string =>
    printed
      .split(separator)
      .filter((table) => table.trim() !== "")
      .at(-1) ?? "";
  return {
    child,
    text: () => printed,
    shows: (pattern) =>
      eventually(`${pattern}`, () => (pattern.test(last()) ? last() : undefined), 60_000).catch((error: unknown) => {
        throw new Error(`${error}\n${printed}`);
      }),
    ended: () => new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code))),
  };
}

const watchWords = [ENTRY, "watch", "--context", "test"];
const asTables = () => start(process.execPath, watchWords, "\n\n");

/** In a pseudo terminal of util-linux' `script`; the file holds its device's name. */
function inTerminal(device: string): Watching {
  const line = `tty > ${device}; stty cols 200 rows 30; exec ${[process.execPath, ...watchWords].join(" ")}`;
  return start("script", ["-qec", line, "/dev/null"], HOME);
}

test("without a terminal a table is printed for each change, and nothing for heartbeats", async () => {
  const watching = asTables();
  await watching.shows(/rdma-1 +Ready +- +rdma\/hca 8 /);
  await cluster.taintPool();
  await watching.shows(/rdma-1 +Ready +dedicated=rdma:NoSchedule +\S+ \S+ +warning: .*would not come back/);
  await cluster.rollOut("kube-system", "rdma-device-plugin");
  await watching.shows(/error: rdma-device-plugin blocked by dedicated=rdma:NoSchedule/);
  for (const node of POOL) await cluster.offerAdapters(node, "0");
  const table = await watching.shows(/rdma-2 .*error: rdma\/hca gone: rdma-device-plugin blocked by/);
  // Worst first.
  expect(
    table
      .split("\n")
      .slice(2, 4)
      .every((line) => line.startsWith("rdma-")),
  ).toBe(true);
  expect(watching.text()).not.toContain("\u001b");
  const tables = watching
    .text()
    .split("\n\n")
    .map((one) => one.replace(/observed [^)]*/, ""));
  expect(tables.filter((one, index) => one.trim() !== "" && one === tables[index - 1])).toEqual([]);
  const ended = watching.ended();
  watching.child.kill("SIGINT");
  expect(await ended).toBe("SIGINT");
});

test("in a terminal it is drawn in place, fits when the window changes, and ends with Ctrl+C", async () => {
  const folder = mkdtempSync(join(tmpdir(), "taintwise-terminal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const device = join(folder, "tty");
  const watching = inTerminal(device);
  await watching.shows(/rdma-2 .*blocked by dedicated=rdma:NoSchedule/);
  const terminal = await eventually("the device", () =>
    existsSync(device) ? readFileSync(device, "utf8").trim() : undefined,
  );

  // Narrower: cut at the edge, at once and without a change in the cluster.
  spawnSync("stty", ["-F", terminal, "cols", "60", "rows", "30"]);
  const narrow = await watching.shows(/^(?!.*blocked by dedicated=rdma:NoSchedule).*worker-2/s);
  expect(Math.max(...narrow.split(/\r?\n/).map((line) => line.length))).toBeLessThanOrEqual(60);

  // Lower: the last line says what is left.
  spawnSync("stty", ["-F", terminal, "cols", "200", "rows", "5"]);
  const low = await watching.shows(/… \d+ more lines/);
  expect(low.trimEnd().split(/\r?\n/)).toHaveLength(4);

  const ended = watching.ended();
  // Ctrl+C, as it is typed.
  watching.child.stdin?.write("\u0003");
  expect(await ended).toBe(130);
  expect(watching.text()).not.toMatch(/at .*\.(ts|js):\d+/);
});
