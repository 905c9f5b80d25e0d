// Bench: how long the explorer's rows take in a cluster of 5,000 nodes, from VS Code's question to the answer: when nothing
// happens, and while pods change all the time and the nodes are judged in the background.
import { setTimeout as pause } from "node:timers/promises";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { updateModel } from "../../server/src/cluster/update.ts";
import { DEFAULT_CONFIG } from "../../server/src/config/workspace.ts";
import { Judging } from "../../server/src/lsp/explorer/judging.ts";
import type { ExplorerOptions } from "../../shared/src/explorer.ts";
import { generateCluster, LARGE_CLUSTER, modelOf } from "./cluster-generator.ts";
import type { BenchRow } from "./row.ts";
import { withPods } from "./triage.ts";

/** As the views ask: the top of a page, then what opens under one of its rows. */
const OPTIONS: ExplorerOptions = { grouping: "pool", poolLabel: "", filter: "", onlyProblems: false };
const PAGE = 500;
/** Milliseconds that rows wait for a judgement under way, as the server does. */
const PATIENCE = 40;
const QUESTIONS = 60;
/** Milliseconds between two models: a follower gathers what changes; making one here takes some tens by itself. */
const MODEL_EVERY = 250;

/** Rows on the explorer. */
export async function bench(): Promise<readonly BenchRow[]> {
  let model = withPods(modelOf(generateCluster(LARGE_CLUSTER)));
  const judging = new Judging({
    clusters: () => [{ key: "bench", model, config: DEFAULT_CONFIG, access: null, baseline: null, history: null }],
    onChange: () => undefined,
    log: { error: console.error, warn: console.error, info: () => undefined },
    follows: () => true,
    typing: () => false,
  });
  judging.ask();
  const begun = performance.now();
  await judging.settled(60_000);
  const first = performance.now() - begun;
  const quiet = await ask(judging);

  let events = 0;
  const storm = setInterval(() => {
    events += 1;
    model = changed(model, events * 7919);
    judging.refresh();
  }, MODEL_EVERY);
  const busy = await ask(judging);
  clearInterval(storm);
  judging.stop();

  const beside = `${model.nodes.size} nodes, ${model.pods.length} pods`;
  return [
    { what: "first judgement, in slices", measured: first, limit: null, unit: "ms", beside },
    row("rows after the question, nothing changes", quiet, beside),
    row("rows after the question, pods change", busy, `${beside}, ${events} models meanwhile`),
  ];
}

function row(what: string, times: readonly number[], beside: string): BenchRow {
  const sorted = [...times].sort((left, right) => left - right);
  const most = sorted.at(-1) ?? 0;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return {
    what: `${what}, at most`,
    measured: most,
    limit: 200,
    unit: "ms",
    beside: `${beside}; median ${median.toFixed(1)} ms`,
  };
}

/** Milliseconds of each question. */
async function ask(judging: Judging): Promise<readonly number[]> {
  const times: number[] = [];
  let parent: string | null = null;
  for (let question = 0; question < QUESTIONS; question++) {
    const asked = performance.now();
    judging.ask();
    await judging.settled(PATIENCE);
    const { rows } = judging.views.rows("nodes", parent, PAGE, OPTIONS);
    times.push(performance.now() - asked);
    // Down to the rows of a node, then from the top again.
    const open = rows.filter(({ children }) => children !== "none");
    parent = open[question % Math.max(1, open.length)]?.id ?? null;
    await pause(50);
  }
  return times;
}

/** The model after a container of one pod has restarted. */
function changed(model: ClusterModel, number: number): ClusterModel {
  const pod = model.pods[number % model.pods.length];
  if (pod === undefined) return model;
  const containers = pod.containers.map((status) => ({ ...status, restartCount: status.restartCount + 1 }));
  return updateModel(model, { set: { pods: [{ ...pod, containers }] } });
}

if (import.meta.main) console.table(await bench());
