// Report layer: where workloads live and where not, ready for any format.
import type { DiagnosticCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { Role } from "../coverage/role.ts";
import type { ObjectRef } from "../kube/workload.ts";
import type { ShortResource, Verdict } from "../scheduling/verdict.ts";

export interface ExplainedNode {
  readonly name: string;
  readonly verdict: Verdict;
  /** In kubectl's notation. */
  readonly untolerated: readonly string[];
  readonly short: readonly ShortResource[];
  /** One sentence. */
  readonly reason: string;
  /** Whether a pod of the workload runs there; null when that is unknown. */
  readonly running: boolean | null;
}

export interface ExplainedWorkload {
  readonly ref: ObjectRef;
  readonly generateName: string | null;
  /** null for a workload of the cluster itself. */
  readonly path: string | null;
  /** 0-based line of its name. */
  readonly line: number | null;
  readonly role: Role;
  readonly problems: readonly { readonly code: DiagnosticCode; readonly severity: Severity }[];
  /** Name of the cluster; null where there is none. */
  readonly cluster: string | null;
  readonly nodes: readonly ExplainedNode[];
  /** The scheduler's own sentence when no node is feasible; null for DaemonSets and where some node is. */
  readonly sentence: string | null;
}

export interface ExplainReport {
  readonly clusters: readonly ClusterModel[];
  readonly workloads: readonly ExplainedWorkload[];
  readonly notes: readonly string[];
}

/** Nodes that share their answer. */
export interface NodeGroup extends Omit<ExplainedNode, "name" | "running"> {
  readonly names: readonly string[];
  readonly running: readonly string[];
  readonly runningUnknown: boolean;
}

/** The nodes grouped by verdict and reason, in the order of the first node of each. */
export function groupNodes(nodes: readonly ExplainedNode[]): readonly NodeGroup[] {
  const groups = new Map<string, ExplainedNode[]>();
  for (const node of nodes) {
    const key = `${node.verdict}\n${node.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { verdict, untolerated, short, reason } = first;
    return [
      {
        verdict,
        untolerated,
        short,
        reason,
        names: group.map((node) => node.name),
        running: group.filter((node) => node.running === true).map((node) => node.name),
        runningUnknown: group.some((node) => node.running === null),
      },
    ];
  });
}

/** Whether a pod of the workload can come to the node. */
export function isPlaced(verdict: Verdict): boolean {
  return verdict === "run" || verdict === "fits";
}

/** Whether the node is one that the workload is meant for and cannot live on. */
export function isBlocked(verdict: Verdict): boolean {
  return verdict === "keep" || verdict === "evict" || verdict === "taint" || verdict === "resource";
}
