// Explorer layer, reports: what is seen at each step of an investigation, a sentence each.
import type { ClusterPod } from "../../kube/pod.ts";
import { count, listSome } from "../../report/text-layout.ts";
import { duration, eventTime } from "../../report/time.ts";
import { formatAmount } from "../../scheduling/amount.ts";
import type { DaemonSetFacts } from "../../triage/facts/daemon-set.ts";
import { posts } from "../../triage/facts/node.ts";
import { ailmentOf } from "../../triage/facts/pod-health.ts";
import { hasEnded, podKey } from "../../triage/facts/pod-state.ts";
import { namedOn, offerOf } from "../../triage/facts/resources.ts";
import type { JudgedCluster } from "../judged-cluster.ts";

/** Its conditions, and its newest events. */
export function nodeLines(cluster: JudgedCluster, name: string): readonly string[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const { now } = cluster.facts;
  const conditions = node.node.conditions.map((condition) => {
    const since = condition.lastTransitionTime;
    const age = since === null || now === null || now < since ? "" : ` for ${duration(now - since)}`;
    return `${condition.type} ${condition.status}${age}`;
  });
  const events = node.events
    .toReversed()
    .slice(0, 5)
    .map((event) => {
      const when = event.lastSeen === null ? "" : ` (${eventTime(event.lastSeen, now)})`;
      return `Event ${event.reason}: ${event.message}${when}`;
    });
  return [conditions.length === 0 ? "The node says no condition." : `Conditions: ${conditions.join(", ")}.`, ...events];
}

/** How many pods are in which phase, and which do not work. */
export function podLines(cluster: JudgedCluster, name: string): readonly string[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const byPhase = new Map<string, number>();
  for (const pod of node.pods) {
    const phase = pod.deletedAt !== null ? "Terminating" : pod.phase || "unknown";
    byPhase.set(phase, (byPhase.get(phase) ?? 0) + 1);
  }
  const phases = [...byPhase].map(([phase, pods]) => `${pods} ${phase}`);
  const ill = posts(node)
    ? node.pods.flatMap((pod) => {
        const ailment = ailmentOf(cluster.facts, pod, node.ready === "True");
        return ailment === null ? [] : [`${podKey(pod)} (${ailment.reason})`];
      })
    : [];
  return [
    `${count(node.pods.length, "pod")}${phases.length === 0 ? "" : `: ${phases.join(", ")}`}.`,
    ...(ill.length === 0 ? [] : [`Not working: ${listSome(ill, 8)}.`]),
  ];
}

/** The DaemonSets of a part of the node: which have a pod here. `what` names them where there is none. */
export function daemonSetLines(
  { facts }: JudgedCluster,
  name: string,
  isPart: (daemonSet: DaemonSetFacts) => boolean,
  what: string,
): readonly string[] {
  const part = facts.daemonSets.filter(isPart);
  const running = part.filter((daemonSet) => daemonSet.livingOn.has(name)).map((daemonSet) => daemonSet.key);
  if (part.length === 0) return [`No DaemonSet of the cluster is ${what}.`];
  return running.length === 0 ? [] : [`Has a pod of ${listSome(running, 8)}.`];
}

/** The cluster's name servers, wherever they run: a fault where none works. Nothing where none is known. */
export function nameServers({ facts }: JudgedCluster): {
  readonly faults: readonly string[];
  readonly seen: readonly string[];
} {
  const pods = [...facts.pods.values()].filter((pod) => isNameServer(pod) && !hasEnded(pod) && pod.deletedAt === null);
  if (pods.length === 0) return { faults: [], seen: [] };
  const ill = pods.flatMap((pod) => {
    const why = illness(facts, pod);
    return why === null ? [] : [`${podKey(pod)} (${why})`];
  });
  const line = `${pods.length - ill.length} of ${count(pods.length, "DNS pod")} of the cluster work${ill.length === 0 ? "" : `; not working: ${listSome(ill, 6)}`}.`;
  return ill.length === pods.length ? { faults: [line], seen: [] } : { faults: [], seen: [line] };
}

function isNameServer({ labels, name }: ClusterPod): boolean {
  return (
    labels["k8s-app"] === "kube-dns" || labels["app.kubernetes.io/name"] === "coredns" || /^(core|kube-)dns-/.test(name)
  );
}

function illness(facts: JudgedCluster["facts"], pod: ClusterPod): string | null {
  const home = facts.nodes.get(pod.spec.nodeName);
  if (pod.spec.nodeName === "") return "has no node";
  if (home !== undefined && !posts(home)) return `the kubelet of ${home.name} is silent`;
  return ailmentOf(facts, pod, home?.ready !== "False")?.reason ?? null;
}

/** The drivers that CSINode lists. */
export function csiLines(cluster: JudgedCluster, name: string): readonly string[] {
  const drivers = cluster.facts.nodes.get(name)?.csi?.drivers ?? [];
  return [
    drivers.length === 0
      ? "No CSI driver is registered on the node."
      : `Registered: ${drivers.map((driver) => driver.name).join(", ")}.`,
  ];
}

/** What the node offers of extended resources, and what pods request. */
export function resourceLines(cluster: JudgedCluster, name: string): readonly string[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const requested = cluster.facts.index.requested(node);
  return namedOn(node.node).map((resource) => {
    const { capacity, allocatable } = offerOf(node.node, resource);
    const amount = (value: number | null) => (value === null ? "absent" : formatAmount(resource, value));
    return `${resource}: ${amount(allocatable)} of ${amount(capacity)} allocatable, ${amount(requested[resource] ?? 0)} requested.`;
  });
}
