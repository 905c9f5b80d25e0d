// How fast and how small the product is beside a bare download: 5,000 nodes and 150,000 pods on a real API server.
// `npm run bench:cluster`; not part of any suite. NODES and PODS_PER_NODE in the environment change the size.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { programPath } from "../modules.ts";
import { fill } from "./fill.ts";

const size = { nodes: Number(process.env.NODES ?? 5_000), podsPerNode: Number(process.env.PODS_PER_NODE ?? 30) };
const ROUNDS = 3;
const FOLLOWER = ".cache/bench/follower.mjs";
const MEGABYTE = 1024 * 1024;

await buildPrograms((line) => console.log(line));
mkdirSync(".cache/bench", { recursive: true });
await build({
  entryPoints: ["test/cluster/bench/follower.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile: FOLLOWER,
  external: ["@kubernetes/client-node"],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});
const cluster = await startControlPlane({ flags: { etcd: ["--quota-backend-bytes", "8589934592"] } });
try {
  await fill(cluster, size, (line) => console.log(line));
  for (let round = 1; round <= ROUNDS; round++) {
    const download = await downloadSeconds(cluster);
    const followed = await follow(cluster);
    console.log(
      `round ${round}: curl ${download.toFixed(1)} s; ours ${followed.seconds.toFixed(1)} s ` +
        `(${(followed.seconds / download).toFixed(2)} x), ${followed.nodes} nodes, ${followed.pods} pods; ` +
        `peak ${followed.peak} MB, steady ${followed.steady} MB`,
    );
  }
  if (process.env.KUBECTL === "1") {
    const started = Date.now();
    await run(programPath("kubectl"), [
      "--kubeconfig",
      cluster.kubeconfigPath,
      "get",
      "nodes,pods",
      "-A",
      "-o",
      "json",
    ]);
    console.log(`kubectl get nodes,pods -A -o json: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
} finally {
  await cluster.stop();
}

/** Seconds that curl takes for the two lists as protobuf, thrown away; a stream that the server cut is asked for again. */
async function downloadSeconds(from: ControlPlane): Promise<number> {
  const started = performance.now();
  for (const kind of ["nodes", "pods"]) {
    const headers = [`Authorization: Bearer ${from.token}`, "Accept: application/vnd.kubernetes.protobuf"];
    await run("curl", [
      ...["-sS", "--fail", "--retry", "2", "--retry-all-errors", "-o", "/dev/null", "--cacert", from.caPath],
      ...headers.flatMap((header) => ["-H", header]),
      `${from.server}/api/v1/${kind}`,
    ]);
  }
  return (performance.now() - started) / 1000;
}

interface Followed {
  /** Until the first whole model. */
  readonly seconds: number;
  readonly nodes: number;
  readonly pods: number;
  /** Megabytes of the process at most, and half a minute after the model was whole. */
  readonly peak: number;
  readonly steady: number;
}

/** Follows the cluster in a process of its own that does nothing else. */
async function follow(followed: ControlPlane): Promise<Followed> {
  const child = spawn(process.execPath, ["--max-semi-space-size=8", FOLLOWER, followed.kubeconfigPath], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, number>> => {
    const line = await lines.next();
    if (line.done === true) throw new Error("the follower ended early");
    return JSON.parse(line.value) as Record<string, number>;
  };
  const first = await next();
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  child.stdin.write("report\n");
  const memory = await next();
  child.stdin.end();
  await new Promise((resolve) => child.once("exit", resolve));
  return {
    seconds: (first.complete ?? 0) / 1000,
    nodes: first.nodes ?? 0,
    pods: first.pods ?? 0,
    peak: Math.round((memory.peak ?? 0) / MEGABYTE),
    steady: Math.round((memory.rss ?? 0) / MEGABYTE),
  };
}

/** Runs a program whose output nobody needs; rejects when it fails. */
function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}
