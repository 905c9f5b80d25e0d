// How fast and how small the product is beside a bare download: 5,000 nodes and 150,000 pods on a real API server, and
// what a generated feed shows beyond that. `npm run bench:cluster` prints it, with `-- --write` it also goes to
// docs/benchmarks.md; not part of any suite. NODES, PODS_PER_NODE and ROUNDS in the environment change the size, FEED=0
// and REAL=0 leave a half out.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildPrograms } from "../build.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { MEGABYTE, pause, type Run } from "./child.ts";
import { curl, kubectl } from "./download.ts";
import { fill } from "./fill.ts";
import { eventCost, followFeed, type Latency, stormAnswers } from "./generated.ts";
import { BenchedServer } from "./language-server.ts";
import { limit, median, type Part, type Row, section, spread, writeSection } from "./section.ts";

const size = { nodes: Number(process.env.NODES ?? 5_000), podsPerNode: Number(process.env.PODS_PER_NODE ?? 30) };
const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Megabytes a pod that kubectl may take: with less at hand it is not tried, since it and the server stop the machine. */
const KUBECTL_NEEDS = { table: 0.12, json: 0.15 };
/** Limits: times curl, megabytes at most, megabytes at rest. */
const TIMES_CURL = 1.5;
const PEAK = 400;
const STEADY = 300;
/** A cluster larger than Kubernetes promises to run. */
const HUGE = { nodes: 100_000, podsPerNode: 30, heap: 12_288 };

const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const loads: number[] = [];
const parts: Part[] = [];
if (process.env.REAL !== "0") parts.push(await real());
if (process.env.FEED !== "0") parts.push(await generated());
const noise = `The machine's two cores had ${spread(loads, "processes waiting or running")} on average while it was measured, the bench's own among them.`;
const text = section([...parts, [noise, []]]);
console.log(`\n${text}`);
if (process.argv.includes("--write")) writeSection(text);

interface Round {
  readonly plain: Run;
  readonly compressed: Run;
  readonly live: number;
  readonly judged: number;
  /** Megabytes. */
  readonly peak: number;
  readonly steady: number;
}

async function real(): Promise<Part> {
  await buildPrograms(say);
  const cluster = await startControlPlane({ flags: { etcd: ["--quota-backend-bytes", "8589934592"] } });
  const storage = mkdtempSync(join(tmpdir(), "taintwise-bench-storage-"));
  try {
    await fill(cluster, size, say);
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      rmSync(storage, { recursive: true, force: true });
      rounds.push(await measured(cluster, storage));
      say(`round ${round}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const again = await secondStart(cluster, storage);
    say(`${again.what}: ${again.measured}, ${again.beside}`);
    return [realText(rounds), [...realRows(rounds), again, ...(await kubectlRows(cluster))]];
  } finally {
    await cluster.stop();
    rmSync(storage, { recursive: true, force: true });
  }
}

/** One of each, one after the other: what disturbs the machine disturbs them alike. */
async function measured(cluster: ControlPlane, storage: string): Promise<Round> {
  const plain = await curl(cluster, false);
  const compressed = await curl(cluster, true);
  loads.push(loadavg()[0] ?? 0);
  const server = new BenchedServer(cluster.kubeconfigPath, storage);
  const { live, judged } = await server.follow();
  await pause(30);
  const { now, most } = server.memory;
  await server.stop();
  return {
    plain,
    compressed,
    live: live / 1000,
    judged: judged / 1000,
    peak: most / MEGABYTE,
    steady: now / MEGABYTE,
  };
}

function realText(rounds: readonly Round[]): string {
  return `\`npm run bench:cluster\` fills a real API server with ${size.nodes} nodes and ${size.nodes * size.podsPerNode} pods and follows it in the language server itself, an open manifest judged by it; \`-- --write\` writes this section. ${rounds.length} rounds, in each curl and then ours; medians, in brackets the least and the most.`;
}

function realRows(rounds: readonly Round[]): readonly Row[] {
  const plain = rounds.map((round) => round.plain.seconds);
  const compressed = rounds.map((round) => round.compressed.seconds);
  const live = rounds.map((round) => round.live);
  const peak = rounds.map((round) => round.peak);
  const steady = rounds.map((round) => round.steady);
  const times = rounds.map((round) => round.live / round.plain.seconds);
  return [
    {
      what: "time to the whole model",
      measured: spread(live, "s"),
      limit: limit(median(times), TIMES_CURL, `${TIMES_CURL} × curl`),
      beside: `${spread(times, "× curl", 2)} of the same round; curl for nodes and pods as protobuf: ${spread(plain, "s")}, with \`--compressed\` (as we ask) ${spread(compressed, "s")}`,
    },
    {
      what: "time until the open manifest is judged by it",
      measured: spread(
        rounds.map((round) => round.judged),
        "s",
      ),
      limit: "",
      beside: "",
    },
    {
      what: "peak memory of the server",
      measured: spread(peak, "MB", 0),
      limit: limit(Math.max(...peak), PEAK, `< ${PEAK} MB`),
      beside: "its snapshot for the next start written too",
    },
    {
      what: "memory 30 s after",
      measured: spread(steady, "MB", 0),
      limit: limit(Math.max(...steady), STEADY, `< ${STEADY} MB`),
      beside: "",
    },
  ];
}

/** A server that finds the snapshot of the one before. */
async function secondStart(cluster: ControlPlane, storage: string): Promise<Row> {
  const server = new BenchedServer(cluster.kubeconfigPath, storage);
  const { remembered, live } = await server.follow();
  const { most } = server.memory;
  await server.stop();
  return {
    what: "the next start: the remembered model",
    measured: remembered === null ? "none" : `${(remembered / 1000).toFixed(1)} s`,
    limit: "",
    beside: `live again after ${(live / 1000).toFixed(1)} s; at most ${(most / MEGABYTE).toFixed(0)} MB, both models together`,
  };
}

async function kubectlRows(cluster: ControlPlane): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const output of ["", "json"]) {
    const command = `kubectl get nodes,pods -A${output === "" ? "" : ` -o ${output}`}`;
    const needed = size.nodes * size.podsPerNode * (output === "" ? KUBECTL_NEEDS.table : KUBECTL_NEEDS.json);
    if (process.availableMemory() / MEGABYTE < needed) {
      say(`${command} is not run: it needs more memory than is free`);
      continue;
    }
    const { seconds, peak } = await kubectl(cluster, output);
    say(`${command}: ${seconds.toFixed(1)} s, ${(peak / MEGABYTE).toFixed(0)} MB`);
    const what = `\`${command}\``;
    rows.push({ what, measured: `${seconds.toFixed(1)} s`, limit: "", beside: `${(peak / MEGABYTE).toFixed(0)} MB` });
  }
  return rows;
}

async function generated(): Promise<Part> {
  const rows: Row[] = [];
  const small = await eventCost(500);
  const large = await eventCost(5_000);
  loads.push(loadavg()[0] ?? 0);
  const cost = (what: string, of: keyof typeof small, beside: string): Row => ({
    what,
    measured: `${small[of].toFixed(0)} µs, ${large[of].toFixed(0)} µs`,
    limit: "flat",
    beside,
  });
  rows.push(
    cost(
      "a pod's event among 1,000 a second",
      "podInStorm",
      "CPU up to the model that holds it, at 500 and 5,000 nodes",
    ),
    cost("a node's event among 100 a second", "nodeInStorm", "the same"),
    cost("a pod's event alone", "podAlone", "with a model of its own, for which the list of pods is copied"),
  );
  say(JSON.stringify(rows));
  const { quiet, storm, share, peak } = await stormAnswers(5_000, 1_000, 20);
  loads.push(loadavg()[0] ?? 0);
  rows.push({
    what: "a key stroke and a hover in a storm of 1,000 pod events a second",
    measured: answered(storm),
    limit: "",
    beside: `without the storm ${answered(quiet)}; the server takes ${(100 * share).toFixed(0)} % of a core in it, at most ${peak.toFixed(0)} MB`,
  });
  say(JSON.stringify(rows.at(-1)));
  const huge = await followFeed(HUGE.nodes, HUGE.podsPerNode, [`--max-old-space-size=${HUGE.heap}`], 5);
  rows.push({
    what: `${huge.nodes} nodes, ${huge.pods} pods`,
    measured: `${huge.seconds.toFixed(0)} s, ${huge.peak.toFixed(0)} MB`,
    limit: "",
    beside: `${huge.steady.toFixed(0)} MB at rest; needs \`--max-old-space-size\`, Node's own limit is about 4 GB`,
  });
  return ["On a generated feed of 30 pods a node (`test/cluster/bench/feed`), following alone, without judging:", rows];
}

function answered({ median: half, p95, most }: Latency): string {
  return `median ${half.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${most.toFixed(0)} ms`;
}
