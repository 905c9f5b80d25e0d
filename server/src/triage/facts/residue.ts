// Triage layer, facts: Failed pods that are only left over, because their work is done or done elsewhere.
import type { ClusterPod } from "../../kube/pod.ts";
import type { Workload } from "../../kube/workload.ts";
import { homeOf, isLiving, podKey, startOf } from "./pod-state.ts";

export interface Owners {
  /** Pods of one controller. */
  siblings(pod: ClusterPod): readonly ClusterPod[];
  /** The pod's controller as an object, where owners were read. */
  controller(pod: ClusterPod): Workload | null;
}

/** Sorts pods by controller; pods of ReplicaSets of one Deployment belong together. */
export function indexOwners(pods: readonly ClusterPod[], workloads: readonly Workload[]): Owners {
  const byUid = new Map<string, Workload>();
  const byName = new Map<string, Workload>();
  for (const workload of workloads) {
    if (workload.uid !== "") byUid.set(workload.uid, workload);
    byName.set(`${workload.kind}|${workload.namespace ?? ""}|${workload.name ?? ""}`, workload);
  }
  const controller = (pod: ClusterPod): Workload | null => {
    if (pod.controller === null) return null;
    const { kind, name, uid } = pod.controller;
    return byUid.get(uid) ?? byName.get(`${kind}|${pod.namespace}|${name}`) ?? null;
  };
  const groupKey = (pod: ClusterPod): string | null => {
    if (pod.controller === null) return null;
    const above = controller(pod)?.controller ?? null;
    if (above !== null) return `${pod.namespace}|${above.kind}|${above.name}`;
    // Without the ReplicaSets their Deployment's name is what stands before the template's hash.
    const hash = pod.labels["pod-template-hash"] ?? "";
    const { kind, name } = pod.controller;
    const deployment = kind === "ReplicaSet" && hash !== "" && name.endsWith(`-${hash}`);
    return `${pod.namespace}|${deployment ? `Deployment|${name.slice(0, -hash.length - 1)}` : `${kind}|${name}`}`;
  };
  const groups = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    const key = groupKey(pod);
    if (key === null) continue;
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [pod]);
    else list.push(pod);
  }
  return {
    siblings: (pod) => {
      const key = groupKey(pod);
      return key === null ? [] : (groups.get(key) ?? []);
    },
    controller,
  };
}

/**
 * Whether a Failed pod is only left over: its Job has finished, its controller wants none, or a living pod has taken
 * its place. A DaemonSet's pod is replaced only on its own node, a StatefulSet's only under its own name, a pod without
 * controller never.
 */
export function isResidue(pod: ClusterPod, owners: Owners): boolean {
  if (pod.controller === null || pod.controller.kind === "StatefulSet") return false;
  const workload = owners.controller(pod);
  if (workload !== null && (workload.finished || workload.suspended || workload.replicas === 0)) return true;
  const home = homeOf(pod);
  const living = owners
    .siblings(pod)
    .filter((other) => podKey(other) !== podKey(pod) && isLiving(other))
    .filter((other) => pod.controller?.kind !== "DaemonSet" || homeOf(other) === home);
  if (workload?.replicas !== null && workload?.replicas !== undefined && living.length >= workload.replicas)
    return true;
  const ended = startOf(pod);
  return living.some((other) => {
    const started = startOf(other);
    return started === null || ended === null || started >= ended;
  });
}
