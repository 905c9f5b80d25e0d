// Features layer, fixes: what can be done about a gap.
import { statedOs } from "../../coverage/hosting.ts";
import type { NodeSelectorRequirement } from "../../kube/node-selector.ts";
import { formatTaint } from "../../kube/taint.ts";
import type { Fix } from "../diagnostic.ts";
import { isOsKey } from "../diagnostics/gap-notes.ts";
import type { Gap } from "../diagnostics/gaps.ts";
import type { JudgedCluster } from "../diagnostics/judge.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { tolerationFixes } from "./add-toleration.ts";
import { isEvictedLater } from "./evicted-later.ts";
import { fixOf } from "./fix.ts";
import { requireLabel, selectLabel } from "./require-label.ts";
import { tellingLabel, without } from "./telling-label.ts";

export const messages = {
  exclude: "Leave these nodes out on purpose: require {requirement}",
  os: "Select {os} nodes: add kubernetes.io/os to the nodeSelector",
} as const;

/** Whether nothing speaks for the gap: then its tolerations are what people most likely want. */
function isUnwanted({ reason }: Gap): boolean {
  return reason === "blocked" || reason === "circular";
}

/** Up to this many nodes can be left out by name. */
const FEW = 3;

/**
 * The fixes of a gap, the preferred one first. Where nodes of another operating system are among its nodes and the
 * workload states no system, a selector comes first: a toleration would bring its image to a system that cannot run it.
 */
export function gapFixes(gap: Gap, context: WorkloadContext, cluster: JudgedCluster): readonly Fix[] {
  const foreign = foreignTaints(gap, context);
  const answers = gap.answers.filter((answer) => !foreign.has(formatTaint(answer.taint)));
  const partly = answers.length < gap.answers.length;
  const tolerations = gap.groups.some((group) => isEvictedLater(group, context))
    ? []
    : tolerationFixes(context, answers, isUnwanted(gap) && !partly);
  const system = partly ? osFix(gap, context, cluster) : [];
  return [...system, ...tolerations, ...(partly && answers.length === 0 ? [] : excludeFix(gap, context, cluster))];
}

/**
 * The taints that keep the workload from nodes of a system that its image cannot run on, where it states no system:
 * those named after a system, and whatever such nodes carry.
 */
function foreignTaints(gap: Gap, context: WorkloadContext): ReadonlySet<string> {
  if (statedOs(context.item.workload.template) !== null) return new Set();
  const carried = gap.groups
    .filter((group) => group.host.os !== null && group.host.os !== "linux")
    .flatMap((group) => group.placement.untolerated.map(formatTaint));
  const named = gap.answers.filter((answer) => isOsKey(answer.taint.key)).map((answer) => formatTaint(answer.taint));
  return new Set([...carried, ...named]);
}

function osFix(gap: Gap, context: WorkloadContext, cluster: JudgedCluster): readonly Fix[] {
  const blocked = new Set(gap.groups.flatMap((group) => group.nodes[0] ?? []));
  const others = cluster.groups().filter((group) => group.hosting === "hosts" && !blocked.has(group.nodes[0] ?? ""));
  const systems = new Set(others.flatMap((group) => group.host.os ?? []));
  const [os, ...more] = systems.size === 0 ? ["linux"] : systems;
  if (os === undefined || more.length > 0) return [];
  return fixOf(fill(messages.os, { os }), selectLabel(context, "kubernetes.io/os", os), "suggested", true);
}

/** Only where nodes are left to run on. */
function excludeFix(gap: Gap, context: WorkloadContext, cluster: JudgedCluster): readonly Fix[] {
  const others = openNodes(cluster);
  if (others.length === 0) return [];
  const taints = gap.answers.map((answer) => answer.taint);
  const label = tellingLabel(gap.nodes, others, taints, cluster);
  const requirement = label === null ? byName(gap.nodes, cluster) : without(label, others, cluster);
  if (requirement === null) return [];
  const words = [requirement.key, requirement.operator, requirement.values.join(", ")].join(" ").trim();
  return fixOf(fill(messages.exclude, { requirement: words }), requireLabel(context, requirement), "exclude");
}

function byName(nodes: readonly string[], cluster: JudgedCluster): NodeSelectorRequirement | null {
  if (nodes.length > FEW) return null;
  const names = nodes.flatMap((name) => cluster.node(name)?.labels["kubernetes.io/hostname"] ?? []);
  if (names.length !== nodes.length) return null;
  return { key: "kubernetes.io/hostname", operator: "NotIn", values: names };
}

/** Nodes where a pod of the workload is created. */
function openNodes(cluster: JudgedCluster): readonly string[] {
  return cluster.groups().flatMap(({ placement, nodes }) => (placement.verdict === "run" ? nodes : []));
}
