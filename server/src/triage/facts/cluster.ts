// Triage layer, facts: what every rule reads, prepared once per report.
import type { ClusterModel } from "../../cluster/model.ts";
import { isPlatformRole } from "../../coverage/role.ts";
import type { ClusterPod } from "../../kube/pod.ts";
import type { TriageOptions } from "../options.ts";
import { type ClusterIndex, indexCluster } from "./cluster-index.ts";
import { type DaemonSetFacts, readDaemonSet } from "./daemon-set.ts";
import { type EventIndex, indexEvents } from "./events.ts";
import { type NodeFacts, readNode } from "./node.ts";
import { indexPlatform, type PlatformHere } from "./platform-here.ts";
import { homeOf, podKey } from "./pod-state.ts";
import { indexOwners, type Owners } from "./residue.ts";
import { roleOf } from "./roles.ts";

export interface ClusterFacts {
  readonly cluster: ClusterModel;
  readonly options: TriageOptions;
  /** Observation time, milliseconds; null when unknown. */
  readonly now: number | null;
  readonly nodes: ReadonlyMap<string, NodeFacts>;
  /** Every DaemonSet, applications among them. */
  readonly daemonSets: readonly DaemonSetFacts[];
  /** Those with a platform role. */
  readonly platform: readonly DaemonSetFacts[];
  readonly here: PlatformHere;
  readonly events: EventIndex;
  readonly owners: Owners;
  /** By `namespace/name`. */
  readonly pods: ReadonlyMap<string, ClusterPod>;
  /** The DaemonSet that owns the pod; null when none does. */
  daemonSetOf(pod: ClusterPod): DaemonSetFacts | null;
  readonly index: ClusterIndex;
}

/** Nodes or DaemonSets that are read between two pauses. */
const STRIDE = 200;
const POD_STRIDE = 20_000;

/** Prepares the facts. Cost: one pass over pods and events; placements are answered on demand. */
export function readCluster(cluster: ClusterModel, options: TriageOptions): ClusterFacts {
  const steps = readClusterInSteps(cluster, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** As `readCluster`, with pauses between its passes. */
export function* readClusterInSteps(
  cluster: ClusterModel,
  options: TriageOptions,
): Generator<undefined, ClusterFacts, undefined> {
  const now = options.now ?? observedAt(cluster);
  const events = indexEvents(cluster.events);
  yield;
  const podsByHome = groupBy(cluster.pods, homeOf);
  yield;
  const nodes = new Map<string, NodeFacts>();
  for (const node of cluster.nodes.values()) {
    if (nodes.size % STRIDE === 0) yield;
    const pods = podsByHome.get(node.name) ?? [];
    const csi = cluster.csiNodes.get(node.name) ?? null;
    nodes.set(node.name, readNode(node, pods, events.ofNode(node.name), csi, now, options.graceMs));
  }
  const owned = groupBy(
    cluster.pods.filter((pod) => pod.controller?.kind === "DaemonSet"),
    ownerKey,
  );
  yield;
  const daemonSets: DaemonSetFacts[] = [];
  const byOwner = new Map<ClusterPod, DaemonSetFacts>();
  for (const workload of cluster.workloads) {
    if (workload.kind !== "DaemonSet" || workload.group !== "apps") continue;
    const named = `${workload.namespace ?? ""}/${workload.name ?? ""}`;
    const pods = [...(owned.get(workload.uid) ?? []), ...(workload.uid === named ? [] : (owned.get(named) ?? []))];
    const facts = readDaemonSet(workload, roleOf(workload, options.roles), pods, options.scheduling);
    daemonSets.push(facts);
    for (const pod of pods) byOwner.set(pod, facts);
    if (daemonSets.length % STRIDE === 0) yield;
  }
  yield;
  const owners = indexOwners(cluster.pods, cluster.workloads);
  yield;
  const pods = new Map<string, ClusterPod>();
  for (const pod of cluster.pods) {
    pods.set(podKey(pod), pod);
    if (pods.size % POD_STRIDE === 0) yield;
  }
  const facts: ClusterFacts = {
    cluster,
    options,
    now,
    nodes,
    daemonSets,
    platform: daemonSets.filter((daemonSet) => isPlatformRole(daemonSet.role)),
    here: indexPlatform(() => facts),
    events,
    owners,
    pods,
    daemonSetOf: (pod) => byOwner.get(pod) ?? null,
    index: indexCluster(() => facts),
  };
  return facts;
}

/**
 * When the model was observed. Where that is only a floor (the newest time that a server wrote into a dump), the nodes
 * that post may show a later one: the lower median of their heartbeats, so that of several no single clock decides.
 */
function observedAt(cluster: ClusterModel): number | null {
  if (cluster.observedAt === null || cluster.observedAtLeast !== true) return cluster.observedAt;
  const beats = [...cluster.nodes.values()]
    .flatMap((node) => node.conditions.find(({ type, status }) => type === "Ready" && status !== "Unknown") ?? [])
    .flatMap((ready) => ready.lastHeartbeatTime ?? [])
    .sort((a, b) => a - b);
  const median = beats[Math.floor((beats.length - 1) / 2)];
  return Math.max(cluster.observedAt, median ?? cluster.observedAt);
}

/** The owner's uid; `namespace/name` where a dump has lost it. */
function ownerKey(pod: ClusterPod): string {
  const uid = pod.controller?.uid ?? "";
  return uid === "" ? `${pod.namespace}/${pod.controller?.name ?? ""}` : uid;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
