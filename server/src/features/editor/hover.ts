// Features layer, editor: what stands under the cursor, in the terms of the cluster. Markdown without HTML.

import { findRole } from "../../coverage/find-role.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { formatToleration, type Toleration } from "../../kube/toleration.ts";
import { formatRef } from "../../kube/workload.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import { daemonSetTolerations } from "../../scheduling/implied-tolerations.ts";
import { compileSelection, requirementMatches } from "../../scheduling/node-affinity.ts";
import { placementReason } from "../../scheduling/reason.ts";
import { schedulerAnswer } from "../../scheduling/scheduler-sentence.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import type { Span } from "../../text/span.ts";
import type { ManifestWorkload } from "../../workload/manifest.ts";
import { nodeAt, shownSpan, toPlain } from "../../yaml/locate.ts";
import { type JudgedCluster, schedulingOf } from "../diagnostics/judge.ts";
import { count, fill } from "../fill.ts";
import { type EditorContext, judged } from "./context.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { code, codeList, plain } from "./markdown.ts";
import { summarise } from "./summary.ts";

export interface HoverAnswer {
  readonly markdown: string;
  readonly span: Span;
}

export const messages = {
  noCluster: "No cluster is chosen: what it matches is not known.",
  noNodes: "Nodes of {cluster} are not known.",
  matchesNone: "matches no taint of {cluster}",
  labelNone: "no node of {cluster} has it",
  implied: "The DaemonSet controller adds this one to every pod by itself.",
} as const;

/** The answer at an offset; null where there is nothing to say. */
export function hover(context: EditorContext, offset: number): HoverAnswer | null {
  const cursor = cursorAt(context.file, offset);
  if (cursor === null) return null;
  const lines = linesOf(cursor, context);
  return lines.length === 0 ? null : { markdown: lines.join("\n\n"), span: spanOf(cursor) };
}

function spanOf(cursor: Cursor): Span {
  return cursor.kind === "name" ? cursor.item.nameSpan : shownSpan(cursor.node);
}

function linesOf(cursor: Cursor, context: EditorContext): readonly string[] {
  switch (cursor.kind) {
    case "name":
      return aboutWorkload(cursor.item, context);
    case "toleration": {
      const toleration = cursor.item.workload.template.tolerations[cursor.index];
      return toleration === undefined ? [] : aboutToleration(toleration, cursor.item, context);
    }
    case "tolerations":
      return aboutImplied(cursor.item);
    case "nodeSelector":
      return cursor.key === null ? [] : aboutLabel(cursor.key, cursor.item, context);
    case "expression":
      return aboutExpression(cursor, context);
    case "resource":
      return isExtendedResource(cursor.resource) ? aboutResource(cursor.resource, context) : [];
  }
}

function aboutWorkload(item: ManifestWorkload, context: EditorContext): readonly string[] {
  const { workload } = item;
  const { role, because } = findRole(workload, context.config.roles);
  const head = `**${plain(formatRef(workload))}** — ${role} (${plain(because)})`;
  if (context.clusters.length === 0) return [head, messages.noCluster];
  return [
    head,
    ...judged(item, context).flatMap((cluster) => [...standing(cluster), ...sentence(item, cluster, context)]),
  ];
}

function standing(cluster: JudgedCluster): readonly string[] {
  const { name } = cluster.model;
  const summary = summarise(cluster);
  if (summary === null) return [fill(messages.noNodes, { cluster: plain(name) })];
  const rows = cluster
    .groups()
    .filter((group) => group.placement.verdict !== "run" && group.placement.verdict !== "fits")
    .slice(0, 6)
    .map((group) => `- ${codeList(group.nodes, 3)}: ${plain(placementReason(group.placement))}`);
  return [[`${code(name)}: ${plain(summary)}`, ...rows].join("\n")];
}

/** What the scheduler would write, where no node can take the pod. */
function sentence(
  item: ManifestWorkload,
  { model, coverage }: JudgedCluster,
  context: EditorContext,
): readonly string[] {
  const good = (coverage.counts.run ?? 0) + (coverage.counts.fits ?? 0);
  if (item.workload.kind === "DaemonSet" || good > 0 || model.nodes.size === 0) return [];
  const nodes = [...model.nodes.values()].map((node) => ({ node }));
  const answer = schedulerAnswer(item.workload.template, nodes, schedulingOf(context.config, model));
  return answer.sentence === null ? [] : [`The scheduler would write: ${code(answer.sentence)}`];
}

function aboutToleration(toleration: Toleration, item: ManifestWorkload, context: EditorContext): readonly string[] {
  const head = `Toleration ${code(formatToleration(toleration))}`;
  const implied = isImplied(toleration, item) ? [messages.implied] : [];
  if (context.clusters.length === 0) return [head, ...implied, messages.noCluster];
  const rows = context.clusters.map((cluster) => {
    const options = schedulingOf(context.config, cluster);
    const matched = byTaint(cluster.nodes.values(), (taint) => tolerates(toleration, taint, options));
    if (cluster.parts.nodes !== "known") return fill(messages.noNodes, { cluster: plain(cluster.name) });
    if (matched.size === 0) return fill(messages.matchesNone, { cluster: plain(cluster.name) });
    return [`matches in ${code(cluster.name)}:`, ...taintRows(matched)].join("\n");
  });
  return [head, ...implied, ...rows];
}

function isImplied(toleration: Toleration, item: ManifestWorkload): boolean {
  if (item.workload.kind !== "DaemonSet") return false;
  const { key, operator, value, effect } = toleration;
  return daemonSetTolerations(item.workload.template).some(
    ({ toleration: added, index }) =>
      index === null &&
      added.key === key &&
      added.operator === operator &&
      added.value === value &&
      added.effect === effect,
  );
}

function aboutImplied(item: ManifestWorkload): readonly string[] {
  if (item.workload.kind !== "DaemonSet") return [];
  const added = daemonSetTolerations(item.workload.template).filter(({ index }) => index === null);
  return [
    [
      "The DaemonSet controller adds to every pod:",
      ...added.map(({ toleration }) => `- ${code(formatToleration(toleration))}`),
    ].join("\n"),
  ];
}

/** Taints that pass, each with the nodes that carry it; hard ones first. */
function byTaint(
  nodes: Iterable<ClusterNode>,
  passes: (taint: Taint) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const node of nodes) {
    for (const taint of node.taints) {
      if (!passes(taint)) continue;
      const key = formatTaint(taint);
      found.set(key, [...(found.get(key) ?? []), node.name]);
    }
  }
  return new Map([...found].sort(([left], [right]) => Number(isHard(right)) - Number(isHard(left))));
}

function isHard(taint: string): boolean {
  return isHardEffect(taint.slice(taint.lastIndexOf(":") + 1));
}

function taintRows(taints: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const rows = [...taints]
    .slice(0, 8)
    .map(([taint, nodes]) => `- ${code(taint)} on ${count(nodes.length, "node")}: ${codeList(nodes, 3)}`);
  return taints.size > 8 ? [...rows, `- and ${taints.size - 8} more`] : rows;
}

function aboutLabel(key: string, item: ManifestWorkload, context: EditorContext): readonly string[] {
  const wanted = item.workload.template.nodeSelector[key] ?? "";
  const head = `Node selector ${code(`${key}=${wanted}`)}`;
  if (context.clusters.length === 0) return [head, messages.noCluster];
  return [head, ...context.clusters.map((cluster) => labelRow(key, (value) => value === wanted, cluster))];
}

function labelRow(key: string, passes: (value: string) => boolean, cluster: EditorContext["clusters"][number]): string {
  if (cluster.parts.nodes !== "known") return fill(messages.noNodes, { cluster: plain(cluster.name) });
  const byValue = new Map<string, string[]>();
  for (const node of cluster.nodes.values()) {
    const value = node.labels[key];
    if (value !== undefined) byValue.set(value, [...(byValue.get(value) ?? []), node.name]);
  }
  const good = [...byValue].filter(([value]) => passes(value)).flatMap(([, nodes]) => nodes);
  const others = [...byValue].filter(([value]) => !passes(value));
  const admitted =
    good.length === 0
      ? fill(messages.labelNone, { cluster: plain(cluster.name) })
      : `${count(good.length, "node")} of ${code(cluster.name)}: ${codeList(good)}`;
  if (others.length === 0) return admitted;
  const values = others.map(([value, nodes]) => `${value === "" ? '""' : value} (${nodes.length})`);
  return `${admitted}. Other values there: ${codeList(values)}`;
}

function aboutExpression(cursor: Extract<Cursor, { kind: "expression" }>, context: EditorContext): readonly string[] {
  const { item, path } = cursor;
  const written = toPlain(nodeAt(item.object, path));
  const list = path.at(-2);
  if (typeof written !== "object" || written === null) return [];
  const fields = new Map(Object.entries(written));
  const text = (name: string): string => String(fields.get(name) ?? "");
  const values = fields.get("values");
  const requirement = {
    key: text("key"),
    operator: text("operator"),
    values: Array.isArray(values) ? values.map(String) : [],
  };
  const terms = [
    {
      matchExpressions: list === "matchExpressions" ? [requirement] : [],
      matchFields: list === "matchFields" ? [requirement] : [],
    },
  ];
  const [compiled] =
    compileSelection({ nodeName: "", nodeSelector: {}, requiredAffinity: { terms } }).terms?.[0]?.requirements ?? [];
  const head = `${code([requirement.key, requirement.operator, requirement.values.join(", ")].join(" ").trim())}`;
  if (compiled === undefined) return [];
  if (context.clusters.length === 0) return [head, messages.noCluster];
  return [
    head,
    ...context.clusters.map((cluster) => {
      const nodes = [...cluster.nodes.values()]
        .filter((node) => requirementMatches(compiled, node))
        .map((node) => node.name);
      return nodes.length === 0
        ? fill(messages.labelNone, { cluster: plain(cluster.name) })
        : `${count(nodes.length, "node")} of ${code(cluster.name)}: ${codeList(nodes)}`;
    }),
  ];
}

function aboutResource(resource: string, context: EditorContext): readonly string[] {
  const head = `Extended resource ${code(resource)}`;
  if (context.clusters.length === 0) return [head, messages.noCluster];
  return [head, ...context.clusters.map((cluster) => resourceRow(resource, cluster))];
}

function resourceRow(resource: string, cluster: EditorContext["clusters"][number]): string {
  const offering = [...cluster.nodes.values()].filter(
    (node) => resource in (node.capacity ?? {}) || resource in (node.allocatable ?? {}),
  );
  if (offering.length === 0)
    return `No node of ${code(cluster.name)} names it: its device plugin never registered there.`;
  const rows = offering.slice(0, 8).map((node) => {
    const [has, of] = [node.allocatable?.[resource] ?? 0, node.capacity?.[resource] ?? 0];
    return `- ${code(node.name)}: ${formatAmount(resource, has)} allocatable of ${formatAmount(resource, of)}`;
  });
  const more = offering.length > 8 ? [`- and ${offering.length - 8} more`] : [];
  return [`in ${code(cluster.name)}:`, ...rows, ...more].join("\n");
}
