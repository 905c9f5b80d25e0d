// Features layer, fixes: a change of a pod spec tried out before it is offered.
import { hostingOf, hostOf, statedOs } from "../../coverage/hosting.ts";
import type { PodSpec } from "../../kube/pod-spec.ts";
import { formatTaint, type Taint } from "../../kube/taint.ts";
import type { Toleration } from "../../kube/toleration.ts";
import { admits } from "../../scheduling/node-affinity.ts";
import { compilePlacement, placeCompiled } from "../../scheduling/place.ts";
import { countsAsGap } from "../diagnostics/gaps.ts";
import type { JudgedCluster } from "../diagnostics/judge.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";

/**
 * Whether the pods have nodes with the changed spec, and no new trouble with it: a DaemonSet no gap and no virtual
 * node, other pods at least one node that takes them; and none of another operating system unless the spec chooses.
 */
export function isSound(template: PodSpec, context: WorkloadContext): boolean {
  const { kind } = context.item.workload;
  const os = statedOs(template);
  const admitted = new Set<string>();
  const reached = new Set<string>();
  let placed = false;
  const compiled = compilePlacement({ kind, template });
  for (const cluster of context.clusters) {
    for (const node of nodesOf(cluster)) {
      if (!admits(compiled.selection, node)) continue;
      const host = hostOf({ labels: node.labels, taints: node.taints, info: null });
      const { verdict, untolerated } = placeCompiled(compiled, { ...node, unschedulable: false }, context.scheduling);
      const hosting = hostingOf(kind, os, host);
      if (hosting === "virtual" && verdict === "run") return false;
      if (hosting !== "hosts") continue;
      if (host.os !== null) admitted.add(host.os);
      if (kind === "DaemonSet" && untolerated.some((taint) => countsAsGap(taint, context))) return false;
      if (verdict !== "run" && verdict !== "fits") continue;
      placed = true;
      if (host.os !== null) reached.add(host.os);
    }
  }
  const strays = os === null && admitted.size > 1 && [...reached].some((system) => system !== "linux");
  return placed && !strays;
}

/**
 * The tolerations that a changed spec needs besides to be sound: none where it is sound already, null where no
 * tolerations would make it so.
 */
export function taintsToTolerate(template: PodSpec, context: WorkloadContext): readonly Taint[] | null {
  if (isSound(template, context)) return [];
  const { kind } = context.item.workload;
  const needed = new Map<string, Taint>();
  const compiled = compilePlacement({ kind, template });
  for (const node of context.clusters.flatMap(nodesOf)) {
    if (!admits(compiled.selection, node)) continue;
    const { untolerated } = placeCompiled(compiled, { ...node, unschedulable: false }, context.scheduling);
    for (const taint of untolerated) if (countsAsGap(taint, context)) needed.set(formatTaint(taint), taint);
  }
  const taints = [...needed.values()];
  const tolerations = [...template.tolerations, ...taints.map(asToleration)];
  return taints.length > 0 && isSound({ ...template, tolerations }, context) ? taints : null;
}

function asToleration({ key, value, effect }: Taint): Toleration {
  return { key, operator: value === "" ? "Exists" : "Equal", value, effect, tolerationSeconds: null };
}

function nodesOf(cluster: JudgedCluster) {
  return cluster.groups().flatMap((group) => group.nodes.flatMap((name) => cluster.node(name) ?? []));
}
