// Explorer layer, reports: the investigation of a node in five steps, with what the API server gives and no shell, and
// what its kubelet tells where it may be asked.

import type { FindingCode } from "../../../../shared/src/codes.ts";
import type { ClusterPart } from "../../cluster/model.ts";
import type { OnNode } from "../../cluster/on-node.ts";
import { count, listSome } from "../../report/text-layout.ts";
import { duration, eventTime } from "../../report/time.ts";
import { posts } from "../../triage/facts/node.ts";
import { ailmentOf } from "../../triage/facts/pod-health.ts";
import { podKey } from "../../triage/facts/pod-state.ts";
import { namedOn, offerOf } from "../../triage/facts/resources.ts";
import type { JudgedCluster } from "../judged-cluster.ts";
import { kubectl } from "./kubectl.ts";
import { onNodeSteps } from "./on-node-steps.ts";
import type { InvestigationStep } from "./step.ts";

/** Investigates a node; null when the cluster has none of this name. `onNode`: what its kubelet told, or why not. */
export function investigate(cluster: JudgedCluster, name: string, onNode: OnNode): readonly InvestigationStep[] | null {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return null;
  const { access } = cluster;
  return [
    step(cluster, name, {
      title: "The node and its events",
      parts: ["nodes"],
      wants: ["events"],
      codes: NODE_CODES,
      seen: nodeLines(cluster, name),
      command: kubectl(access, "describe", "node", name),
    }),
    step(cluster, name, {
      title: "The pods on it, by state",
      parts: ["pods"],
      wants: [],
      codes: POD_CODES,
      seen: podLines(cluster, name),
      command: kubectl(access, "get", "pods", "-A", "-o", "wide", "--field-selector", `spec.nodeName=${name}`),
    }),
    step(cluster, name, {
      title: "Network plugin, service addresses and DNS",
      parts: ["pods", "daemonsets"],
      wants: [],
      codes: PLATFORM_CODES,
      only: isNetworkRole,
      seen: platformLines(cluster, name, isNetworkRole),
      command: kubectl(
        access,
        "get",
        "pods",
        "-n",
        "kube-system",
        "-o",
        "wide",
        "--field-selector",
        `spec.nodeName=${name}`,
      ),
    }),
    step(cluster, name, {
      title: "CSI registration and mounts",
      parts: ["csinodes"],
      wants: ["events"],
      codes: ["csi-driver-missing", "pod-stuck-creating"],
      seen: csiLines(cluster, name),
      command: kubectl(access, "describe", "csinode", name),
    }),
    step(cluster, name, {
      title: "Resources",
      parts: ["nodes"],
      wants: ["pods"],
      codes: RESOURCE_CODES,
      seen: resourceLines(cluster, name),
      command: kubectl(
        access,
        "get",
        "node",
        name,
        "-o",
        'jsonpath={.status.capacity}{"\\n"}{.status.allocatable}{"\\n"}',
      ),
    }),
    ...onNodeSteps(cluster, name, onNode),
  ];
}

const NODE_CODES: readonly FindingCode[] = [
  "node-not-ready",
  "node-unknown",
  "node-flapping",
  "node-condition",
  "node-warning",
  "node-unschedulable",
  "node-not-initialized",
  "node-version-skew",
  "node-clock-skew",
  "taint-left-behind",
];
const POD_CODES: readonly FindingCode[] = [
  "pod-pending",
  "pod-stuck-creating",
  "pod-rejected",
  "pods-evicted",
  "pod-stuck-terminating",
  "image-pull-failing",
];
const PLATFORM_CODES: readonly FindingCode[] = [
  "platform-pod-missing",
  "platform-pod-not-ready",
  "platform-pod-time-bomb",
];
const RESOURCE_CODES: readonly FindingCode[] = [
  "extended-resource-gone",
  "extended-resource-degraded",
  "extended-resource-overcommitted",
];

interface StepDraft {
  readonly title: string;
  /** Without one of these the step cannot be made. */
  readonly parts: readonly ClusterPart[];
  /** What else would tell more. */
  readonly wants: readonly ClusterPart[];
  readonly codes: readonly FindingCode[];
  /** Narrows the findings to DaemonSets of some roles, by `namespace/name`. */
  readonly only?: (cluster: JudgedCluster, daemonSet: string) => boolean;
  readonly seen: readonly string[];
  readonly command: string;
}

function step(cluster: JudgedCluster, name: string, draft: StepDraft): InvestigationStep {
  const { parts } = cluster.model;
  const { title, only } = draft;
  const commands = [draft.command];
  const lacking = draft.parts.find((part) => parts[part] !== "known");
  const lost = draft.wants.filter((part) => parts[part] !== "known");
  const limits = lost.map((part) =>
    parts[part] === "forbidden" ? `${part} may not be listed.` : `${part} are not in what was read.`,
  );
  const findings = cluster.nodes.get(name)?.findings.filter(({ code }) => draft.codes.includes(code)) ?? [];
  const items = findings
    .flatMap((finding) => finding.items)
    .filter(({ object }) => only === undefined || only(cluster, `${object?.namespace ?? ""}/${object?.name ?? ""}`));
  const found = items.map((item) => [item.message, item.consequence].filter((text) => text !== "").join(" "));
  if (found.length > 0) return { title, state: "found", seen: [...found, ...draft.seen, ...limits], commands };
  if (lacking !== undefined) {
    const state = parts[lacking] === "forbidden" ? "not allowed" : "not in what was read";
    return { title, state, seen: [`${lacking}: ${state}.`], commands };
  }
  return { title, state: "ok", seen: [...draft.seen, ...limits], commands };
}

function nodeLines(cluster: JudgedCluster, name: string): readonly string[] {
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

function podLines(cluster: JudgedCluster, name: string): readonly string[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const byPhase = Map.groupBy(node.pods, (pod) => (pod.deletedAt !== null ? "Terminating" : pod.phase || "unknown"));
  const phases = [...byPhase].map(([phase, pods]) => `${pods.length} ${phase}`);
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

/** Whether the DaemonSet is part of the node's network. */
function isNetworkRole(cluster: JudgedCluster, key: string): boolean {
  const found = cluster.facts.daemonSets.find((daemonSet) => daemonSet.key === key);
  if (found === undefined) return /dns|proxy/.test(key);
  return found.role === "network plugin" || found.role === "kube-proxy" || /dns/.test(found.name);
}

function platformLines(
  cluster: JudgedCluster,
  name: string,
  only: (cluster: JudgedCluster, key: string) => boolean,
): readonly string[] {
  const meant = cluster.facts.daemonSets.filter((daemonSet) => only(cluster, daemonSet.key));
  const running = meant.filter((daemonSet) => daemonSet.livingOn.has(name)).map((daemonSet) => daemonSet.key);
  if (meant.length === 0) return ["No DaemonSet of the cluster is a network plugin, kube-proxy or DNS cache."];
  return running.length === 0 ? [] : [`Has a pod of ${listSome(running, 8)}.`];
}

function csiLines(cluster: JudgedCluster, name: string): readonly string[] {
  const drivers = cluster.facts.nodes.get(name)?.csi?.drivers ?? [];
  return [
    drivers.length === 0
      ? "No CSI driver is registered on the node."
      : `Registered: ${drivers.map((driver) => driver.name).join(", ")}.`,
  ];
}

function resourceLines(cluster: JudgedCluster, name: string): readonly string[] {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return [];
  const requested = cluster.facts.index.requested(node);
  return namedOn(node.node).map((resource) => {
    const { capacity, allocatable } = offerOf(node.node, resource);
    return `${resource}: ${allocatable ?? "absent"} of ${capacity ?? "absent"} allocatable, ${requested[resource] ?? 0} requested.`;
  });
}
