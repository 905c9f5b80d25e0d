// Coverage layer: which live workload a manifest is, and on which nodes its pods run.
import { isReadIn } from "../cluster/empty.ts";
import type { ClusterModel } from "../cluster/model.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { OwnerRef, Workload } from "../kube/workload.ts";

/** Why it is not known which live workload a manifest is. */
export type UnknownIdentity =
  /** The manifest has no name, or generateName only. */
  | "no-name"
  /** The cluster's workloads of this kind were not read. */
  | "not-read"
  | "none"
  | "several"
  /** The one workload of that name selects other pods: another one, in a namespace the manifest does not state. */
  | "selector-differs";

export type LiveMatch =
  | { readonly state: "matched"; readonly workload: Workload }
  | { readonly state: "unknown"; readonly why: UnknownIdentity };

/** The workloads and running pods of a cluster, found by who they are. */
export interface IdentityIndex {
  readonly cluster: ClusterModel;
  readonly byName: ReadonlyMap<string, readonly Workload[]>;
  /** Workloads by the key of their controller. */
  readonly children: ReadonlyMap<string, readonly Workload[]>;
  /** Pods that run on a node, by the key of their controller. */
  readonly pods: ReadonlyMap<string, readonly ClusterPod[]>;
  /** Every pod by namespace and name. */
  readonly podsByName: ReadonlyMap<string, ClusterPod>;
}

/** The index of a cluster model, made once for each; its maps of pods when they are first asked for. */
export function indexIdentities(cluster: ClusterModel): IdentityIndex {
  let pods: IdentityIndex["pods"] | null = null;
  let podsByName: IdentityIndex["podsByName"] | null = null;
  return {
    cluster,
    byName: groupBy(cluster.workloads, (workload) => [nameKey(workload)]),
    children: groupBy(cluster.workloads, (workload) => controllerKeys(workload.controller, workload.namespace)),
    get pods() {
      pods ??= podsByController(cluster.pods);
      return pods;
    },
    get podsByName() {
      podsByName ??= new Map(cluster.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
      return podsByName;
    },
  };
}

/** Pods of one controller stand together in most lists and share its reference: keys are made once for each such run. */
function podsByController(pods: readonly ClusterPod[]): ReadonlyMap<string, readonly ClusterPod[]> {
  const groups = new Map<string, ClusterPod[]>();
  let owner: OwnerRef | null = null;
  let namespace = "";
  let run: readonly ClusterPod[][] = [];
  for (const pod of pods) {
    if (pod.controller === null || !runsOnNode(pod)) continue;
    if (pod.controller !== owner || pod.namespace !== namespace) {
      owner = pod.controller;
      namespace = pod.namespace;
      run = controllerKeys(owner, namespace).map((key) => groupIn(groups, key));
    }
    for (const group of run) group.push(pod);
  }
  return groups;
}

function groupIn<T>(groups: Map<string, T[]>, key: string): T[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const fresh: T[] = [];
  groups.set(key, fresh);
  return fresh;
}

function groupBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) groupIn(groups, key).push(item);
  }
  return groups;
}

function nameKey(workload: Pick<Workload, "group" | "kind" | "name">): string {
  return `${workload.group}/${workload.kind}/${workload.name}`;
}

/** By UID; objects written by hand have none, so that kind, namespace and name stand in. */
function controllerKeys(controller: OwnerRef | null, namespace: string | null): readonly string[] {
  if (controller === null) return [];
  const named = `${controller.kind}/${namespace}/${controller.name}`;
  return controller.uid === "" ? [named] : [controller.uid, named];
}

/** Whether the pod runs: bound to a node, not on its way out, not finished. */
export function runsOnNode(pod: ClusterPod): boolean {
  return pod.spec.nodeName !== "" && pod.deletedAt === null && pod.phase !== "Succeeded" && pod.phase !== "Failed";
}

/**
 * Finds the live workload that a manifest (or a live workload itself) is: by UID; else by group, kind, namespace and
 * name; without namespace by a name that is unique in the cluster and an equal selector.
 */
export function matchLive(workload: Workload, index: IdentityIndex): LiveMatch {
  if (workload.uid !== "") return { state: "matched", workload };
  if (workload.name === null) return { state: "unknown", why: "no-name" };
  if (workload.kind === "Pod") return matchPod(workload, index);
  const part = workload.kind === "DaemonSet" ? "daemonsets" : "owners";
  if (!isReadIn(index.cluster, part, workload.namespace)) return { state: "unknown", why: "not-read" };
  const named = index.byName.get(nameKey(workload)) ?? [];
  if (workload.namespace !== null) {
    const same = named.find((candidate) => candidate.namespace === workload.namespace);
    return same === undefined ? { state: "unknown", why: "none" } : { state: "matched", workload: same };
  }
  const [only] = named;
  if (only === undefined) return { state: "unknown", why: "none" };
  if (named.length > 1) return { state: "unknown", why: "several" };
  if (only.selector !== workload.selector) return { state: "unknown", why: "selector-differs" };
  return { state: "matched", workload: only };
}

/** A bare Pod is its own live object; without namespace it is never sure which one. */
function matchPod(pod: Workload, index: IdentityIndex): LiveMatch {
  if (!isReadIn(index.cluster, "pods", pod.namespace)) return { state: "unknown", why: "not-read" };
  const known = index.podsByName.has(`${pod.namespace}/${pod.name}`);
  return known ? { state: "matched", workload: pod } : { state: "unknown", why: "none" };
}

/**
 * The running pods of a live workload, those of its ReplicaSets and Jobs included; null when the pods of its namespace
 * were not read.
 */
export function runningPods(live: Workload, index: IdentityIndex): readonly ClusterPod[] | null {
  if (!isReadIn(index.cluster, "pods", live.namespace)) return null;
  if (live.kind === "Pod") {
    const pod = index.podsByName.get(`${live.namespace}/${live.name}`);
    return pod !== undefined && runsOnNode(pod) ? [pod] : [];
  }
  const pods: ClusterPod[] = [];
  const open: Workload[] = [live];
  const seen = new Set<Workload>();
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    if (seen.has(owner)) continue;
    seen.add(owner);
    const key = owner.uid === "" ? `${owner.kind}/${owner.namespace}/${owner.name}` : owner.uid;
    pods.push(...(index.pods.get(key) ?? []));
    open.push(...(index.children.get(key) ?? []));
  }
  return pods;
}
