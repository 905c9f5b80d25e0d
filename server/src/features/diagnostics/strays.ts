// Features layer: pods that may enter a dedicated pool but are not kept in it.
import { isControlPlaneTaint } from "../../coverage/deliberate-taints.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { isExtendedResource } from "../../kube/resources.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import type { JudgedCluster } from "./judge.ts";
import type { WorkloadContext } from "./rule.ts";

/**
 * Whether pods that may enter one more pool would still run outside of it: they can move, go to nodes without taints
 * as well, and ask for no device that would keep them in.
 */
export function wouldStray({ item, clusters }: WorkloadContext): boolean {
  const { workload } = item;
  if (workload.kind === "DaemonSet" || workload.template.nodeName !== "") return false;
  if (Object.keys(workload.template.requests).some(isExtendedResource)) return false;
  return clusters.some((cluster) =>
    cluster.groups().some(({ placement }) => placement.verdict === "fits" && placement.taints.length === 0),
  );
}

/** The pool that a taint dedicates, and the nodes outside it. */
export interface Pool {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/**
 * The pool of a taint where a pod that tolerates it may run, and the other nodes that take it as well; null where the
 * taint makes no pool (transient, control plane, not hard), where the pods go nowhere else, or where nothing of it is
 * the pods' to choose (DaemonSets, nodeName).
 */
export function straysFrom(taint: Taint, context: WorkloadContext, cluster: JudgedCluster): Pool | null {
  const { workload } = context.item;
  if (workload.kind === "DaemonSet" || workload.template.nodeName !== "") return null;
  if (!isHardEffect(taint.effect) || isControlPlaneTaint(taint)) return null;
  if (isTransientTaint(taint, context.config.transientTaints)) return null;
  const wanted = formatTaint(taint);
  const inside: string[] = [];
  const outside: string[] = [];
  let plain = false;
  for (const { nodes, placement, hosting } of cluster.groups()) {
    if (placement.verdict !== "fits" || hosting !== "hosts") continue;
    const carries = placement.taints.some((answer) => formatTaint(answer.taint) === wanted);
    (carries ? inside : outside).push(...nodes);
    plain ||= placement.taints.length === 0;
  }
  if (inside.length === 0 || !plain || Object.keys(workload.template.requests).some(isExtendedResource)) return null;
  return { inside, outside };
}
