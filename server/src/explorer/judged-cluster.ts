// Explorer layer: a cluster that was judged, ready for questions about its nodes and workloads. Nothing here waits.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { type CoverageIndex, indexCoverage } from "../coverage/coverage-index.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import type { ClusterFacts } from "../triage/facts/cluster.ts";
import type { Finding, FindingItem, NodeTriage, TriageReport } from "../triage/finding.ts";
import { triageOptions } from "../triage/options.ts";
import { type Judged, triageInSteps } from "../triage/triage.ts";
import type { ClusterHistory } from "./history.ts";
import { findTroubles, type WorkloadTrouble } from "./workload-trouble.ts";

/** How kubectl reaches the cluster; null for one that was read from a file. */
export interface ClusterAccess {
  readonly context: string;
  /** The kubeconfig file that names the context; null: the usual ones. */
  readonly kubeconfig: string | null;
}

/** What is to be judged. */
export interface ClusterToJudge {
  /** Stays the same while the cluster is in use: the key of its source. */
  readonly key: string;
  readonly model: ClusterModel;
  readonly config: WorkspaceConfig;
  readonly access: ClusterAccess | null;
  /** An earlier model of the same cluster; null: none was named. */
  readonly baseline: ClusterModel | null;
  /** What came and went while it was followed; null: it is not followed. */
  readonly history: ClusterHistory | null;
  /** What time it is in the cluster, milliseconds; absent: when the model was observed. */
  readonly now?: number;
}

/** One finding of a node seen from one of its objects. */
export interface ItemOfFinding {
  readonly finding: Finding;
  readonly item: FindingItem;
}

export interface JudgedCluster extends ClusterToJudge {
  readonly facts: ClusterFacts;
  readonly report: TriageReport;
  /** Every node of the model has an entry. */
  readonly nodes: ReadonlyMap<string, NodeTriage>;
  /** Who runs where, by declared tolerations and selectors; made when first asked for. */
  readonly coverage: () => CoverageIndex;
  /** Workloads in trouble. */
  readonly troubles: readonly WorkloadTrouble[];
}

/** Judges a cluster, pausing after each node and each workload. */
export function* judgeCluster(cluster: ClusterToJudge): Generator<undefined, JudgedCluster, undefined> {
  const { model, config, baseline, now = null } = cluster;
  const scheduling = schedulingOf(config, model);
  const judged: Judged = yield* triageInSteps(model, { now, scheduling, baseline, ...triageOptions(config) });
  let index: CoverageIndex | null = null;
  const made = {
    ...cluster,
    ...judged,
    nodes: new Map(judged.report.nodes.map((node) => [node.name, node])),
    coverage: () => {
      index ??= indexCoverage(model, { scheduling, pools: [] });
      return index;
    },
  };
  return { ...made, troubles: yield* findTroubles(made) };
}

/** As `judgeCluster`, at once. */
export function judgeNow(cluster: ClusterToJudge): JudgedCluster {
  const steps = judgeCluster(cluster);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** The parts of a node's findings that are about the object. `name` with its namespace: `kube-system/agent`. */
export function itemsAbout(node: NodeTriage, kind: string, name: string): readonly ItemOfFinding[] {
  return node.findings.flatMap((finding) =>
    finding.items.flatMap((item) => {
      const { object } = item;
      if (object === null || object.kind !== kind) return [];
      const key = object.namespace === null ? object.name : `${object.namespace}/${object.name}`;
      return key === name ? [{ finding, item }] : [];
    }),
  );
}
