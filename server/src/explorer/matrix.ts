// Explorer layer: node classes × platform DaemonSets: where each runs, would not come back, is kept away, is not meant.
import type {
  CellState,
  CoverageMatrixResult,
  MatrixCell,
  MatrixRow,
  RowTarget,
} from "../../../shared/src/explorer.ts";
import { taintNode } from "../cluster/taint-change.ts";
import type { ClusterNode } from "../kube/node.ts";
import { formatTaint, type Taint } from "../kube/taint.ts";
import { placementReason } from "../scheduling/reason.ts";
import type { DaemonSetFacts } from "../triage/facts/daemon-set.ts";
import { gapOf } from "../triage/facts/gap.ts";
import { canHost } from "../triage/facts/need.ts";
import { type NodeFacts, withTaintsOf } from "../triage/facts/node.ts";
import type { JudgedCluster } from "./judged-cluster.ts";

/** A taint that nobody has set yet, on the nodes of one row. */
export interface WhatIf {
  readonly row: string;
  readonly taint: Pick<Taint, "key" | "value" | "effect">;
}

/** Gravest first. */
const STATES: readonly CellState[] = ["gap", "bomb", "waits", "runs", "excluded"];
/** Names shown for a class. */
const SAMPLE = 6;

/** The matrix of a cluster; with `whatIf` one more row, behind the one it is about. */
export function coverageMatrix(cluster: JudgedCluster, whatIf: WhatIf | null): Omit<CoverageMatrixResult, "problem"> {
  const columns = cluster.facts.platform;
  const rows = classesOf(cluster).flatMap(({ id, name, nodes }): readonly MatrixRow[] => {
    const made = rowOf(cluster, columns, id, name, nodes, false);
    if (whatIf === null || whatIf.row !== id) return [made];
    const changed = nodes.map((facts) =>
      withTaintsOf(facts, taintNode(facts.node, { taint: whatIf.taint, remove: false })),
    );
    return [made, rowOf(cluster, columns, `${id} what-if`, `${name} + ${formatTaint(whatIf.taint)}`, changed, true)];
  });
  return {
    cluster: cluster.key,
    clusterName: cluster.model.name,
    columns: columns.map((daemonSet) => ({
      id: daemonSet.workload.uid || daemonSet.key,
      name: daemonSet.key,
      role: daemonSet.role,
      target: targetOf(cluster, daemonSet),
    })),
    rows,
  };
}

interface MatrixClass {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly NodeFacts[];
}

/** Nodes with the same hard taints, most nodes first. */
function classesOf(cluster: JudgedCluster): readonly MatrixClass[] {
  const groups = new Map<string, NodeFacts[]>();
  for (const facts of cluster.facts.nodes.values()) {
    const key = taintKey(facts.node);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [facts]);
    else group.push(facts);
  }
  return [...groups]
    .map(([key, nodes]) => ({ id: key === "" ? "none" : key, name: key === "" ? "no taints" : key, nodes }))
    .sort((left, right) => right.nodes.length - left.nodes.length || (left.name < right.name ? -1 : 1));
}

function taintKey(node: ClusterNode): string {
  return node.taints
    .filter(({ effect }) => effect !== "PreferNoSchedule")
    .map(formatTaint)
    .sort()
    .join(" ");
}

function rowOf(
  cluster: JudgedCluster,
  columns: readonly DaemonSetFacts[],
  id: string,
  name: string,
  nodes: readonly NodeFacts[],
  whatIf: boolean,
): MatrixRow {
  return {
    id,
    name,
    nodes: nodes.length,
    sample: nodes.slice(0, SAMPLE).map((facts) => facts.name),
    whatIf,
    cells: columns.map((daemonSet) => cellOf(cluster, daemonSet, nodes)),
  };
}

/** The gravest state of the class's nodes, with the reason on the first that is in it. */
function cellOf(cluster: JudgedCluster, daemonSet: DaemonSetFacts, nodes: readonly NodeFacts[]): MatrixCell {
  const counts = new Map<CellState, { nodes: number; readonly first: NodeFacts }>();
  for (const facts of nodes) {
    const state = stateOn(cluster, daemonSet, facts);
    const entry = counts.get(state);
    if (entry === undefined) counts.set(state, { nodes: 1, first: facts });
    else entry.nodes += 1;
  }
  for (const state of STATES) {
    const entry = counts.get(state);
    if (entry !== undefined)
      return { state, nodes: entry.nodes, reason: reasonOf(cluster, daemonSet, entry.first, state) };
  }
  return { state: "excluded", nodes: 0, reason: "no nodes" };
}

function stateOn(cluster: JudgedCluster, daemonSet: DaemonSetFacts, facts: NodeFacts): CellState {
  if (!canHost(facts, daemonSet) || !daemonSet.admits(facts.node)) return "excluded";
  const gap = gapOf(cluster.facts, facts, daemonSet);
  if (gap.unwanted.length > 0) {
    const keeps = gap.unwanted.every(({ effect }) => effect === "NoSchedule");
    return keeps && daemonSet.livingOn.has(facts.name) ? "bomb" : "gap";
  }
  if (gap.meant.length > 0) return "excluded";
  return gap.passing.length > 0 ? "waits" : "runs";
}

function reasonOf(cluster: JudgedCluster, daemonSet: DaemonSetFacts, facts: NodeFacts, state: CellState): string {
  if (state === "excluded" && !canHost(facts, daemonSet)) return "the node cannot host its pods";
  const reason = placementReason(daemonSet.place(facts.node));
  if (state === "bomb") return `runs, and would not come back: ${reason}`;
  if (state === "excluded" && daemonSet.admits(facts.node)) return `kept away on purpose: ${reason}`;
  return state === "runs" && cluster.model.parts.pods === "known" && !daemonSet.livingOn.has(facts.name)
    ? `may run, has no pod on ${facts.name}: ${reason}`
    : reason;
}

function targetOf(cluster: JudgedCluster, daemonSet: DaemonSetFacts): RowTarget {
  return {
    cluster: cluster.key,
    kind: "DaemonSet",
    namespace: daemonSet.namespace,
    name: daemonSet.name,
    node: null,
  };
}
