// Report layer: the nodes of clusters at a glance, ready for any format.
import type { Severity } from "../../../shared/src/severity.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { ClusterNode } from "../kube/node.ts";
import { isExtendedResource, type Resources } from "../kube/resources.ts";
import { formatTaint } from "../kube/taint.ts";
import type { NodeTriage, TriageReport } from "../triage/finding.ts";

export interface NodeRow {
  readonly name: string;
  readonly cluster: string;
  readonly severity: Severity | "none";
  /** `Ready`, `NotReady`, `Unknown`; with `,cordoned` behind it. */
  readonly status: string;
  readonly unschedulable: boolean;
  readonly taints: readonly string[];
  /** Extended resources; an amount is null where the node does not name the resource. */
  readonly resources: readonly {
    readonly name: string;
    readonly capacity: number | null;
    readonly allocatable: number | null;
  }[];
  /** The first root in words; empty when there is nothing to report. */
  readonly summary: string;
  readonly findings: readonly string[];
}

/** Rows of a cluster's nodes, worst first, then by name. `names` null: every node. */
export function nodeRows(
  cluster: ClusterModel,
  report: TriageReport,
  names: readonly string[] | null,
): readonly NodeRow[] {
  const triaged = new Map(report.nodes.map((node) => [node.name, node]));
  return [...cluster.nodes.values()]
    .filter((node) => names === null || names.includes(node.name))
    .map((node) => nodeRow(node, cluster.name, triaged.get(node.name)))
    .sort(
      (left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity) || compare(left.name, right.name),
    );
}

const ORDER: readonly (Severity | "none")[] = ["error", "warning", "information", "hint", "none"];

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function nodeRow(node: ClusterNode, cluster: string, triage: NodeTriage | undefined): NodeRow {
  return {
    name: node.name,
    cluster,
    severity: triage?.severity ?? "none",
    status: statusOf(node),
    unschedulable: node.unschedulable,
    taints: node.taints.map(formatTaint),
    resources: resourcesOf(node),
    summary: triage?.roots[0]?.summary ?? "",
    findings: [...new Set(triage?.findings.map((finding) => finding.code) ?? [])],
  };
}

function statusOf(node: ClusterNode): string {
  const ready = node.conditions.find((condition) => condition.type === "Ready");
  const word =
    ready === undefined
      ? "Unknown"
      : ready.status === "True"
        ? "Ready"
        : ready.status === "False"
          ? "NotReady"
          : "Unknown";
  return node.unschedulable ? `${word},cordoned` : word;
}

function resourcesOf(node: ClusterNode): NodeRow["resources"] {
  const names = new Set([...Object.keys(node.capacity ?? {}), ...Object.keys(node.allocatable ?? {})]);
  return [...names]
    .filter(isExtendedResource)
    .sort()
    .map((name) => ({ name, capacity: amount(node.capacity, name), allocatable: amount(node.allocatable, name) }));
}

function amount(resources: Resources | null, name: string): number | null {
  return resources !== null && Object.hasOwn(resources, name) ? (resources[name] ?? null) : null;
}

/** `rdma/hca 2/4`: allocatable of capacity, one number where they are equal. */
export function resourceText({ name, capacity, allocatable }: NodeRow["resources"][number]): string {
  const left = allocatable ?? "?";
  return capacity === allocatable ? `${name} ${left}` : `${name} ${left}/${capacity ?? "?"}`;
}
