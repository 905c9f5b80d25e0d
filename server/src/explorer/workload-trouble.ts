// Explorer layer: workloads that are not, or not for long, where they should be.
import type { RowState } from "../../../shared/src/explorer.ts";
import type { CoverageClass, WorkloadCoverage } from "../coverage/workload-coverage.ts";
import type { ClusterPod } from "../kube/pod.ts";
import { formatTaint } from "../kube/taint.ts";
import { type ObjectRef, type Workload, workloadRef } from "../kube/workload.ts";
import { count } from "../report/text-layout.ts";
import { evictionOf } from "../scheduling/eviction.ts";
import { templateTolerations } from "../scheduling/implied-tolerations.ts";
import { placementReason } from "../scheduling/reason.ts";
import { schedulerAnswer } from "../scheduling/scheduler-sentence.ts";
import type { Verdict } from "../scheduling/verdict.ts";
import type { DaemonSetFacts } from "../triage/facts/daemon-set.ts";
import { gapOf } from "../triage/facts/gap.ts";
import { canHost } from "../triage/facts/need.ts";
import type { NodeFacts } from "../triage/facts/node.ts";
import { isLiving } from "../triage/facts/pod-state.ts";
import { severityOf } from "../triage/facts/severity-of-role.ts";
import type { JudgedCluster } from "./judged-cluster.ts";

export interface WorkloadTrouble {
  /** `bomb`: runs where it would not come back; `gap`: is kept away; `eviction`: is removed. */
  readonly kind: "bomb" | "gap" | "eviction";
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly state: RowState;
  /** `on 3 nodes`; empty when it is about the whole cluster. */
  readonly where: string;
  readonly reason: string;
  readonly nodes: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Every workload of the cluster in trouble, DaemonSets first, with a pause after each of them. Gaps that are meant, or
 * that pass by themselves, are none.
 */
export function* findTroubles(cluster: Cluster): Generator<undefined, readonly WorkloadTrouble[], undefined> {
  const found: WorkloadTrouble[] = [];
  for (const daemonSet of cluster.facts.daemonSets) {
    found.push(...daemonSetTroubles(cluster, daemonSet));
    yield;
  }
  found.push(...placeless(cluster));
  yield;
  found.push(...evictions(cluster));
  return found;
}

type Cluster = Omit<JudgedCluster, "troubles">;

function daemonSetTroubles(cluster: Cluster, daemonSet: DaemonSetFacts): readonly WorkloadTrouble[] {
  const covered = cluster.coverage().coverage(daemonSet.workload);
  const blocked = covered.gaps.flatMap((gap) => gapNodes(cluster, daemonSet, gap));
  const bombs = blocked.filter(({ name, verdict }) => verdict === "keep" && covered.running(name) === true);
  const bombNames = new Set(bombs.map(({ name }) => name));
  const gaps = blocked.filter(({ name }) => !bombNames.has(name));
  const trouble = (kind: "bomb" | "gap", nodes: typeof blocked): readonly WorkloadTrouble[] => {
    const [first] = nodes;
    if (first === undefined) return [];
    return [
      {
        kind,
        ref: daemonSet.ref,
        uid: daemonSet.workload.uid,
        // What still runs is no loss yet.
        state: kind === "bomb" ? "warning" : severityOf(daemonSet),
        where: `on ${count(nodes.length, "node")}`,
        reason: first.reason,
        nodes: nodes.map(({ name, reason }) => ({ name, reason })),
      },
    ];
  };
  return [...trouble("bomb", bombs), ...trouble("gap", gaps)];
}

/** Nodes of one class have the same taints, so that one of them answers for all, unless names make the difference. */
function gapNodes(cluster: Cluster, daemonSet: DaemonSetFacts, gap: CoverageClass): readonly BlockedNode[] {
  const byName = cluster.config.expected.some((entry) => entry.nodes.length > 0);
  const unwanted = (facts: NodeFacts) =>
    canHost(facts, daemonSet) && gapOf(cluster.facts, facts, daemonSet).unwanted.length > 0;
  const nodes = gap.nodes.flatMap((name) => cluster.facts.nodes.get(name) ?? []);
  const [first] = nodes.filter(isStaying);
  if (first === undefined || (!byName && !unwanted(first))) return [];
  const reason = placementReason(gap.placement);
  return nodes
    .filter((facts) => (byName ? unwanted(facts) : isStaying(facts)))
    .map(({ name }) => ({ name, verdict: gap.verdict, reason }));
}

interface BlockedNode {
  readonly name: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

function isStaying({ node, shuttingDown }: NodeFacts): boolean {
  return node.deletedAt === null && !shuttingDown;
}

/** Other workloads that no node can take. */
function placeless(cluster: Cluster): readonly WorkloadTrouble[] {
  const { model, facts } = cluster;
  if (model.parts.nodes !== "known" || model.nodes.size === 0) return [];
  const uids = new Set(model.workloads.map(({ uid }) => uid).filter((uid) => uid !== ""));
  const index = cluster.coverage();
  const nodes = [...model.nodes.values()].map((node) => ({ node }));
  return model.workloads.flatMap((workload) => {
    if (workload.kind === "DaemonSet" || !wantsPods(workload)) return [];
    if (workload.controller !== null && uids.has(workload.controller.uid)) return [];
    const covered = index.coverage(workload);
    if ((covered.counts.fits ?? 0) > 0) return [];
    const { sentence } = schedulerAnswer(workload.template, nodes, facts.options.scheduling);
    return [
      {
        kind: "gap" as const,
        ref: workloadRef(workload),
        uid: workload.uid,
        state: "warning" as const,
        where: "fits on no node",
        reason: sentence ?? "",
        nodes: meantFor(covered),
      },
    ];
  });
}

/** The nodes that its selectors admit, with what keeps it from each. */
function meantFor({ classes }: WorkloadCoverage): WorkloadTrouble["nodes"] {
  return classes
    .filter(({ verdict }) => verdict === "taint" || verdict === "resource")
    .flatMap(({ nodes, placement }) => nodes.map((name) => ({ name, reason: placementReason(placement) })));
}

function wantsPods({ finished, suspended, replicas, template }: Workload): boolean {
  return !finished && !suspended && replicas !== 0 && template.nodeName === "";
}

/** Living pods on nodes whose NoExecute taints they do not tolerate for ever, by the workload that owns them. */
function evictions({ facts, model }: Cluster): readonly WorkloadTrouble[] {
  const owners = new Map<string, { ref: ObjectRef; uid: string; nodes: { name: string; reason: string }[] }>();
  for (const { node, pods } of facts.nodes.values()) {
    if (!node.taints.some((taint) => taint.effect === "NoExecute")) continue;
    for (const pod of pods) {
      const eviction =
        isLiving(pod) && !pod.mirror && pod.spec.nodeName === node.name
          ? evictionOf(templateTolerations(pod.spec), node.taints, facts.options.scheduling)
          : null;
      if (eviction === null) continue;
      const { ref, uid } = ownerOf(pod, model.workloads);
      const key = uid || `${ref.kind}/${ref.namespace}/${ref.name}`;
      const owner = owners.get(key) ?? { ref, uid, nodes: [] };
      owners.set(key, owner);
      const when = eviction.afterSeconds === 0 ? "at once" : `after ${eviction.afterSeconds} s`;
      if (owner.nodes.some(({ name }) => name === node.name)) continue;
      owner.nodes.push({ name: node.name, reason: `removed ${when} by ${formatTaint(eviction.taint)}` });
    }
  }
  return [...owners.values()].map(({ ref, uid, nodes }) => ({
    kind: "eviction",
    ref,
    uid,
    state: "warning",
    where: `on ${count(nodes.length, "node")}`,
    reason: nodes[0]?.reason ?? "",
    nodes,
  }));
}

/** The pod's controller, or its controller's where that is known; the pod itself where it has none. */
function ownerOf(pod: ClusterPod, workloads: readonly Workload[]): { readonly ref: ObjectRef; readonly uid: string } {
  const { controller } = pod;
  if (controller === null) return { ref: { kind: "Pod", namespace: pod.namespace, name: pod.name }, uid: pod.uid };
  const above = workloads.find(({ uid }) => uid !== "" && uid === controller.uid)?.controller ?? controller;
  return { ref: { kind: above.kind, namespace: pod.namespace, name: above.name }, uid: above.uid };
}
