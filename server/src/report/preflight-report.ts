// Report layer: what a taint would change, ready for any format.
import type { ClusterModel } from "../cluster/model.ts";
import type { TaintChange } from "../cluster/taint-change.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { indexCoverage } from "../coverage/coverage-index.ts";
import { findRole } from "../coverage/find-role.ts";
import {
  type NodeTaintChange,
  type Preflight,
  preflight,
  preflightPatches,
  type VerdictChange,
} from "../coverage/preflight.ts";
import type { Role } from "../coverage/role.ts";
import type { TolerationPatch } from "../coverage/toleration-patch.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { ownerOf } from "../features/fixes/owner.ts";
import type { Workload } from "../kube/workload.ts";
import type { Verdict } from "../scheduling/verdict.ts";

/** The answer for one cluster. */
export interface PreflightReport {
  readonly cluster: ClusterModel;
  readonly change: TaintChange;
  readonly answer: Preflight;
  readonly patches: readonly TolerationPatch[];
  readonly roleOf: (workload: Workload) => Role;
}

/** Answers a change for one cluster; of `change.nodes` those count that the cluster has. */
export function reportPreflight(
  cluster: ClusterModel,
  change: NodeTaintChange,
  config: WorkspaceConfig,
): PreflightReport {
  const pools = config.pools.filter((pool) => pool.clusters.length === 0 || pool.clusters.includes(cluster.name));
  const index = indexCoverage(cluster, { scheduling: schedulingOf(config, cluster), pools });
  const wanted = { ...change, nodes: change.nodes.filter((name) => cluster.nodes.has(name)) };
  const answer = preflight(index, wanted);
  return {
    cluster,
    change,
    answer,
    patches: preflightPatches(answer, wanted, ownerOf),
    roleOf: (workload) => findRole(workload, config.roles).role,
  };
}

/** One workload's like changes on several nodes. */
export interface ChangeGroup {
  readonly workload: Workload;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly nodes: readonly string[];
  readonly timeBombs: readonly string[];
}

/** The changes by workload, in the order they were found. */
export function groupChanges(changes: readonly VerdictChange[]): readonly ChangeGroup[] {
  const groups: { workload: Workload; from: Verdict; to: Verdict; nodes: string[]; timeBombs: string[] }[] = [];
  for (const { workload, from, to, node, timeBomb } of changes) {
    let group = groups.find((one) => one.workload === workload && one.from === from && one.to === to);
    if (group === undefined) {
      group = { workload, from, to, nodes: [], timeBombs: [] };
      groups.push(group);
    }
    group.nodes.push(node);
    if (timeBomb) group.timeBombs.push(node);
  }
  return groups;
}

/** Whether the change would take something away: placements, running pods, a workload's last node. */
export function doesHarm({ answer }: PreflightReport): boolean {
  return (
    answer.evictions.length > 0 ||
    answer.changes.some(({ to }) => to === "keep" || to === "evict" || to === "taint") ||
    answer.feasibility.some(({ becomes }) => becomes === "unplaceable")
  );
}
