// Explorer layer: the view "Workloads": what would not come back, what cannot live where it should, what is being evicted.
import type { ExplorerOptions, RowState, RowTarget } from "../../../shared/src/explorer.ts";
import { formatRef } from "../kube/workload.ts";
import { count } from "../report/text-layout.ts";
import { byState, type Element, element, gravest } from "./element.ts";
import { textFilter } from "./filter.ts";
import type { JudgedCluster } from "./judged-cluster.ts";
import type { WorkloadTrouble } from "./workload-trouble.ts";

/** In the order of their urgency. */
const GROUPS = [
  { kind: "gap", label: "Gaps", tooltip: "These workloads are meant for nodes that keep them away." },
  {
    kind: "bomb",
    label: "Time bombs",
    tooltip: "These pods run now, and would not come back after a deletion or rollout.",
  },
  { kind: "eviction", label: "Evictions", tooltip: "These pods are removed from their nodes." },
] as const;

/** The top of the view. Several clusters stand each in a row of its own. */
export function workloadsView(clusters: readonly JudgedCluster[], options: ExplorerOptions): readonly Element[] {
  if (clusters.length === 1) return clusters.flatMap((cluster) => groupElements("workloads", cluster, options));
  return clusters.flatMap((cluster) => {
    const groups = groupElements("workloads", cluster, options);
    if (groups.length === 0) return [];
    return [
      element({
        parent: "workloads",
        key: cluster.key,
        kind: "cluster",
        label: cluster.model.name,
        state: gravest(groups.map(({ row }) => row.state)),
        children: () => groups,
        expanded: true,
      }),
    ];
  });
}

function groupElements(parent: string, cluster: JudgedCluster, options: ExplorerOptions): readonly Element[] {
  const id = `${parent}/${encodeURIComponent(cluster.key)}`;
  const passes = textFilter(options.filter);
  const troubles = cluster.troubles.filter(
    (trouble) =>
      passes([formatRef(trouble.ref), trouble.reason, ...trouble.nodes.map((node) => node.name)]) &&
      (!options.onlyProblems || trouble.state === "error" || trouble.state === "warning"),
  );
  return GROUPS.flatMap(({ kind, label, tooltip }) => {
    const members = troubles.filter((trouble) => trouble.kind === kind);
    if (members.length === 0) return [];
    return [
      element({
        parent: id,
        key: kind,
        kind: "group",
        label,
        description: count(members.length, "workload"),
        tooltip: [tooltip],
        state: gravest(members.map((member) => member.state)),
        children: (group) =>
          members
            .toSorted((left, right) => byState(left.state, right.state) || right.nodes.length - left.nodes.length)
            .map((member) => workloadElement(group, cluster, member)),
        expanded: true,
      }),
    ];
  });
}

function workloadElement(parent: string, cluster: JudgedCluster, trouble: WorkloadTrouble): Element {
  const { ref, nodes, state } = trouble;
  const target: RowTarget = {
    cluster: cluster.key,
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name ?? "",
    node: nodes[0]?.name ?? null,
  };
  return element({
    parent,
    key: trouble.uid === "" ? formatRef(ref) : trouble.uid,
    kind: "workload",
    label: ref.namespace === null ? (ref.name ?? "") : `${ref.namespace}/${ref.name ?? ""}`,
    description: [ref.kind, trouble.where, trouble.reason].filter((part) => part !== "").join(" · "),
    tooltip: [formatRef(ref), trouble.reason],
    state,
    target,
    ...(nodes.length === 0 ? {} : { children: (id: string) => nodeRows(id, cluster, trouble, state) }),
  });
}

function nodeRows(
  parent: string,
  cluster: JudgedCluster,
  { nodes }: WorkloadTrouble,
  state: RowState,
): readonly Element[] {
  return nodes.map((node) =>
    element({
      parent,
      key: cluster.model.nodes.get(node.name)?.uid || node.name,
      kind: "node",
      label: node.name,
      description: node.reason,
      state,
      target: { cluster: cluster.key, kind: "Node", namespace: null, name: node.name, node: node.name },
    }),
  );
}
