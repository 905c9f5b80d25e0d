// Explorer layer, reports: the investigation of a node in five steps, with what the API server gives and no shell, and
// what its kubelet tells where it may be asked.

import type { FindingCode } from "../../../../shared/src/codes.ts";
import type { ClusterPart } from "../../cluster/model.ts";
import type { OnNode } from "../../cluster/on-node.ts";
import type { DaemonSetFacts } from "../../triage/facts/daemon-set.ts";
import type { ItemOfFinding, JudgedCluster } from "../judged-cluster.ts";
import { csiLines, daemonSetLines, nameServers, nodeLines, podLines, resourceLines } from "./investigation-lines.ts";
import { kubectl, podsOn } from "./kubectl.ts";
import { onNodeSteps } from "./on-node-steps.ts";
import type { InvestigationStep } from "./step.ts";

/** Investigates a node; null when the cluster has none of this name. `onNode`: what its kubelet told, or why not. */
export function investigate(cluster: JudgedCluster, name: string, onNode: OnNode): readonly InvestigationStep[] | null {
  const node = cluster.facts.nodes.get(name);
  if (node === undefined) return null;
  const { access } = cluster;
  const dns = nameServers(cluster);
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
      codes: [...POD_CODES, ...PLATFORM_CODES],
      only: (item) => !isPlatform(item) || partOf(cluster, item) === "other",
      seen: podLines(cluster, name),
      command: kubectl(access, ...podsOn(name)),
    }),
    step(cluster, name, {
      title: "Network plugin, service addresses and DNS",
      parts: ["pods", "daemonsets"],
      wants: [],
      codes: PLATFORM_CODES,
      only: (item) => partOf(cluster, item) === "network",
      faults: dns.faults,
      seen: [
        ...daemonSetLines(
          cluster,
          name,
          (daemonSet) => partOfDaemonSet(daemonSet) === "network",
          "a network plugin, kube-proxy or DNS cache",
        ),
        ...dns.seen,
      ],
      command: kubectl(access, ...podsOn(name)),
    }),
    step(cluster, name, {
      title: "CSI registration and mounts",
      parts: ["csinodes"],
      wants: ["events"],
      codes: ["csi-driver-missing", "pod-stuck-creating", "pod-stuck-terminating", ...PLATFORM_CODES],
      only: (item) => (isPlatform(item) ? partOf(cluster, item) === "storage" : VOLUME.test(item.item.message)),
      seen: csiLines(cluster, name),
      command: kubectl(access, "describe", "csinode", name),
    }),
    step(cluster, name, {
      title: "Resources",
      parts: ["nodes"],
      wants: ["pods"],
      codes: [...RESOURCE_CODES, ...PLATFORM_CODES],
      only: (item) => !isPlatform(item) || partOf(cluster, item) === "devices",
      seen: resourceLines(cluster, name),
      command: kubectl(access, "get", "node", name, "-o", "jsonpath={.status.capacity} {.status.allocatable}"),
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

/** What speaks of a volume among the failures of pods to start and to end. */
const VOLUME = /CSI driver|\b(un)?mount|\bvolume\b/i;

interface StepDraft {
  readonly title: string;
  /** Without one of these the step cannot be made. */
  readonly parts: readonly ClusterPart[];
  /** What else would tell more. */
  readonly wants: readonly ClusterPart[];
  readonly codes: readonly FindingCode[];
  /** Narrows what triage found to what belongs to the step. */
  readonly only?: (found: ItemOfFinding) => boolean;
  /** What is wrong beside the findings of the node. */
  readonly faults?: readonly string[];
  readonly seen: readonly string[];
  readonly command: string;
}

function step(cluster: JudgedCluster, name: string, draft: StepDraft): InvestigationStep {
  const { parts } = cluster.model;
  const { title, only, faults = [] } = draft;
  const commands = [draft.command];
  const lacking = draft.parts.find((part) => parts[part] !== "known");
  const lost = draft.wants.filter((part) => parts[part] !== "known");
  const limits = lost.map((part) =>
    parts[part] === "forbidden" ? `${part} may not be listed.` : `${part} are not in what was read.`,
  );
  const items = (cluster.nodes.get(name)?.findings ?? [])
    .filter(({ code }) => draft.codes.includes(code))
    .flatMap((finding) => finding.items.map((item) => ({ finding, item })))
    .filter((found) => only === undefined || only(found));
  const found = [
    ...faults,
    ...items.map(({ item }) => [item.message, item.consequence].filter((text) => text !== "").join(" ")),
  ];
  if (found.length > 0) return { title, state: "found", seen: [...found, ...draft.seen, ...limits], commands };
  if (lacking !== undefined) {
    const state = parts[lacking] === "forbidden" ? "not allowed" : "not in what was read";
    return { title, state, seen: [`${lacking}: ${state}.`], commands };
  }
  return { title, state: "ok", seen: [...draft.seen, ...limits], commands };
}

function isPlatform({ finding }: ItemOfFinding): boolean {
  return PLATFORM_CODES.includes(finding.code);
}

type Part = "network" | "storage" | "devices" | "other";

/** The part of the node that a finding about a platform pod belongs to: by its DaemonSet, or the pod's. */
function partOf({ facts }: JudgedCluster, { item: { object } }: ItemOfFinding): Part {
  const key = `${object?.namespace ?? ""}/${object?.name ?? ""}`;
  const pod = object?.kind === "Pod" ? facts.pods.get(key) : undefined;
  const found = pod === undefined ? facts.daemonSets.find((one) => one.key === key) : facts.daemonSetOf(pod);
  if (found !== null && found !== undefined) return partOfDaemonSet(found);
  // A static pod has no DaemonSet.
  return /dns|proxy/.test(key) ? "network" : "other";
}

function partOfDaemonSet({ role, name }: DaemonSetFacts): Part {
  if (role === "network plugin" || role === "kube-proxy" || /dns/.test(name)) return "network";
  if (role === "CSI node driver") return "storage";
  return role === "device plugin" ? "devices" : "other";
}
