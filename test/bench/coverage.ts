// Bench: coverage of a large cluster, all DaemonSets, after parsing; and again after one node's taints changed.

import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { applyTaint } from "../../server/src/cluster/taint-change.ts";
import { type CoverageIndex, indexCoverage } from "../../server/src/coverage/coverage-index.ts";
import { DEFAULT_SCHEDULING } from "../../server/src/scheduling/verdict.ts";
import { generateCluster, LARGE_CLUSTER, modelOf } from "./cluster-generator.ts";

export interface CoverageBench {
  readonly nodes: number;
  readonly daemonSets: number;
  readonly taintSets: number;
  /** Classes of nodes, summed over the DaemonSets. */
  readonly classes: number;
  /** Gap classes and the nodes in them, summed over the DaemonSets. */
  readonly gapClasses: number;
  readonly gapNodes: number;
  /** Milliseconds: the first run of the process, and the median of the runs after it. */
  readonly firstMs: number;
  readonly fullMs: number;
  readonly updateMs: number;
}

const OPTIONS = { scheduling: { ...DEFAULT_SCHEDULING, comparisonOperators: true }, pools: [] };
const RUNS = 15;
/** Runs that are not timed, so that the code is compiled; the first run of the process is told apart. */
const WARM_UP = 10;

/** Runs the bench on the large generated cluster. */
export function benchCoverage(): CoverageBench {
  const model = modelOf(generateCluster(LARGE_CLUSTER));
  const started = performance.now();
  let index = indexCoverage(model, OPTIONS);
  const gaps = ask(index, model);
  const firstMs = performance.now() - started;
  const full = median(() => ask(indexCoverage(model, OPTIONS), model));
  let current = model;
  let turn = 0;
  const update = median(
    () => {
      ask(index, current);
    },
    () => {
      turn++;
      const node = [...current.nodes.keys()][(turn * 37) % current.nodes.size] ?? "";
      const taint = { key: "bench", value: String(turn % 3), effect: "NoSchedule" } as const;
      current = applyTaint(current, [node], { taint, remove: turn % 4 === 0 });
    },
    () => {
      index = index.update(current);
    },
  );
  const classes = model.workloads.reduce((sum, workload) => sum + index.coverage(workload).classes.length, 0);
  return {
    nodes: model.nodes.size,
    daemonSets: model.workloads.length,
    taintSets: new Set([...model.nodes.values()].map((node) => JSON.stringify(node.taints))).size,
    classes,
    ...gaps,
    firstMs,
    fullMs: full,
    updateMs: update,
  };
}

/** What a caller wants of every DaemonSet: how many nodes of each verdict, and the gap nodes by class. */
function ask(index: CoverageIndex, model: ClusterModel): { readonly gapClasses: number; readonly gapNodes: number } {
  let gapClasses = 0;
  let gapNodes = 0;
  for (const workload of model.workloads) {
    const { counts, gaps } = index.coverage(workload);
    if ((counts.keep ?? 0) + (counts.evict ?? 0) === 0) continue;
    for (const gap of gaps) {
      gapClasses++;
      gapNodes += gap.nodes.length;
    }
  }
  return { gapClasses, gapNodes };
}

/** The median time in milliseconds of a task; `prepare` is not timed, `first` is. */
function median(task: () => void, prepare: () => void = () => undefined, first: () => void = () => undefined): number {
  const times: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run++) {
    prepare();
    const started = performance.now();
    first();
    task();
    if (run >= 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

if (import.meta.main) {
  console.table(benchCoverage());
}
