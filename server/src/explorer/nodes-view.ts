// Explorer layer: the view "Nodes": what several nodes share, then the nodes by pool, by problem or in one list, worst first.
import type { ExplorerOptions, RowState } from "../../../shared/src/explorer.ts";
import type { ClusterNode } from "../kube/node.ts";
import { formatTaint } from "../kube/taint.ts";
import { formatRef } from "../kube/workload.ts";
import { count, listSome } from "../report/text-layout.ts";
import type { NodeTriage } from "../triage/finding.ts";
import { causeElement } from "./cause-element.ts";
import { byState, type Element, element, gravest, stateOf } from "./element.ts";
import { textFilter } from "./filter.ts";
import { flapsOf } from "./flap-text.ts";
import type { JudgedCluster } from "./judged-cluster.ts";
import { nodeElement } from "./node-rows/node-element.ts";
import { type Pool, poolFinder } from "./pool.ts";

interface Entry {
  readonly node: ClusterNode;
  readonly triage: NodeTriage;
  readonly state: RowState;
}

/** The top of the view. Several clusters stand each in a row of its own. */
export function nodesView(clusters: readonly JudgedCluster[], options: ExplorerOptions): readonly Element[] {
  if (clusters.length === 1) return clusters.flatMap((cluster) => clusterElements("nodes", cluster, options));
  return clusters.map((cluster) => {
    const entries = entriesOf(cluster, options);
    return element({
      parent: "nodes",
      key: cluster.key,
      kind: "cluster",
      label: cluster.model.name,
      description: countText(entries),
      state: gravest(entries.map((entry) => entry.state)),
      children: (id) => {
        const rows = clusterElements("nodes", cluster, options);
        return rows.length > 0 ? rows : [emptyRow(id, cluster, options)];
      },
      expanded: true,
    });
  });
}

/** Why a cluster has no row: its branch is never just empty. */
function emptyRow(parent: string, { model }: JudgedCluster, { filter, onlyProblems }: ExplorerOptions): Element {
  const label =
    model.parts.nodes !== "known"
      ? "Nodes are unknown"
      : model.nodes.size === 0
        ? "The cluster has no nodes now"
        : filter !== ""
          ? "No node matches the filter"
          : onlyProblems
            ? "No node has a known problem"
            : "No nodes";
  return element({ parent, key: "empty", kind: "note", label });
}

function clusterElements(parent: string, cluster: JudgedCluster, options: ExplorerOptions): readonly Element[] {
  const id = `${parent}/${encodeURIComponent(cluster.key)}`;
  const entries = entriesOf(cluster, options);
  const causes = options.filter === "" ? causeElements(id, cluster) : [];
  return [...causes, ...grouped(id, cluster, entries, options)];
}

/** The nodes that are to be shown, worst first, then by name. */
function entriesOf(cluster: JudgedCluster, options: ExplorerOptions): readonly Entry[] {
  const passes = textFilter(options.filter);
  const poolOf = poolFinder(options.poolLabel);
  const entries: Entry[] = [];
  for (const node of cluster.model.nodes.values()) {
    const triage = cluster.nodes.get(node.name);
    if (triage === undefined) continue;
    const state = nodeState(cluster, triage);
    if (options.onlyProblems && triage.severity === "none" && state !== "warning") continue;
    if (options.filter !== "" && !passes(searchable(node, triage, poolOf(node)))) continue;
    entries.push({ node, triage, state });
  }
  return entries.sort((left, right) => byState(left.state, right.state) || compare(left.node.name, right.node.name));
}

/** A node with nothing to report is healthy only where pods and DaemonSets were read. */
function nodeState(cluster: JudgedCluster, triage: NodeTriage): RowState {
  if (triage.severity !== "none") return stateOf(triage.severity);
  if (flapsOf(cluster, triage.name).length > 0) return "warning";
  const { model } = cluster;
  return model.parts.pods === "known" && model.parts.daemonsets === "known" ? "good" : "unknown";
}

function searchable(node: ClusterNode, triage: NodeTriage, pool: Pool): readonly string[] {
  return [
    node.name,
    pool.name,
    ...node.taints.map(formatTaint),
    ...triage.roots.map((root) => root.summary),
    ...triage.findings.flatMap(({ code, items }) => [code, ...items.map(({ message }) => message)]),
  ];
}

function grouped(
  parent: string,
  cluster: JudgedCluster,
  entries: readonly Entry[],
  { grouping, poolLabel }: ExplorerOptions,
): readonly Element[] {
  const rows = (id: string, members: readonly Entry[]) =>
    members.map(({ node, triage, state }) => nodeElement(id, cluster, node, triage, state));
  if (grouping === "flat") return rows(`${parent}/flat`, entries);
  const poolOf = poolFinder(poolLabel);
  const groups = new Map<string, { readonly name: string; readonly members: Entry[] }>();
  for (const entry of entries) {
    const { key, name } = grouping === "pool" ? poolOf(entry.node) : problemOf(entry.triage);
    const group = groups.get(key) ?? { name, members: [] };
    groups.set(key, group);
    group.members.push(entry);
  }
  return [...groups]
    .map(([key, { name, members }]) => {
      const state = gravest(members.map((member) => member.state));
      return {
        state,
        name,
        made: element({
          parent: `${parent}/${grouping}`,
          key,
          kind: "group",
          label: name,
          description: countText(members),
          tooltip: [
            listSome(
              members.map((member) => member.node.name),
              12,
            ),
          ],
          state,
          children: (id) => rows(id, members),
          expanded: state === "error" || state === "warning",
        }),
      };
    })
    .sort((left, right) => byState(left.state, right.state) || compare(left.name, right.name))
    .map(({ made }) => made);
}

/** The group of a node by what is wrong with it: its first root, whichever object it lies in. */
function problemOf(triage: NodeTriage): { readonly key: string; readonly name: string } {
  const [root] = triage.roots;
  if (root === undefined) return { key: "none", name: "Nothing to report" };
  const object = root.object === null || root.object.kind === "Node" || root.object.kind === "Pod" ? null : root.object;
  return {
    key: `${root.code}|${object === null ? "" : formatRef(object)}`,
    name: object === null ? words(root.code) : `${words(root.code)}: ${formatRef(object)}`,
  };
}

/** `extended-resource-gone` as words. */
function words(code: string): string {
  const text = code.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One cause for many nodes is said once, above them, with what the root says on the first of them. */
function causeElements(parent: string, cluster: JudgedCluster): readonly Element[] {
  return cluster.report.clusterCauses.map((cause) => {
    const [first = ""] = cause.nodes;
    const root = cluster.nodes.get(first)?.roots.find(({ summary }) => summary === cause.summary);
    const fixIn = root?.fixIn ?? [];
    return causeElement(
      cluster,
      // The nodes tell shared causes of one kind apart.
      {
        code: root?.code ?? "outside",
        object: root?.object ?? null,
        summary: cause.summary,
        advice: cause.advice,
        fixIn,
      },
      {
        parent: `${parent}/shared/${encodeURIComponent(`${cause.summary}|${first}`)}`,
        description: `one cause for ${count(cause.nodes.length, "node")}`,
        state: "error",
        node: null,
        more: [listSome(cause.nodes, 20)],
      },
    );
  });
}

/** `2 of 5 nodes with problems`. */
function countText(entries: readonly Entry[]): string {
  const sick = entries.filter(({ triage }) => triage.severity !== "none").length;
  const all = count(entries.length, "node");
  return sick === 0 ? all : `${sick} of ${all} with problems`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
