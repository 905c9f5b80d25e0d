// Coverage layer: taints that come and go by themselves. The one table for diagnostics, coverage and triage.
import { matchesName, matchesTaint, type TaintPattern } from "../config/pattern.ts";
import type { Taint } from "../kube/taint.ts";
import type { Role } from "./role.ts";

type TaintIdentity = Pick<Taint, "key" | "value" | "effect">;

/** Keys of taints that a controller sets and takes away again; `*` stands for any characters. */
const TRANSIENT_KEYS: readonly string[] = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/pid-pressure",
  "node.kubernetes.io/network-unavailable",
  "node.kubernetes.io/unschedulable",
  "node.kubernetes.io/out-of-service",
  "node.cloudprovider.kubernetes.io/uninitialized",
  "node.cloudprovider.kubernetes.io/shutdown",
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
  "karpenter.sh/disrupted",
  "karpenter.sh/disruption",
  "karpenter.sh/unregistered",
  "*/agent-not-ready",
  "startup-taint.cluster-autoscaler.kubernetes.io/*",
  "readiness.k8s.io/*",
  // The cloud takes the machine within minutes: aws/aws-node-termination-handler, and GKE for its spot machines.
  "aws-node-termination-handler/*",
  "cloud.google.com/impending-node-termination",
];

/**
 * Whether the taint goes by itself: it alone never makes a manifest diagnostic and is never offered as a toleration.
 * `configured` are the workspace file's own patterns.
 */
export function isTransientTaint(taint: TaintIdentity, configured: readonly TaintPattern[] = []): boolean {
  return (
    TRANSIENT_KEYS.some((pattern) => matchesName(pattern, taint.key)) ||
    configured.some((pattern) => matchesTaint(pattern, taint))
  );
}

/**
 * Whether a workload is the one that clears this transient taint, so that it must tolerate it or wait for itself: a
 * network plugin and not-ready:NoSchedule or network-unavailable, or the agent after which an agent-not-ready taint is
 * named (`node.cilium.io/agent-not-ready` and a workload called cilium). `names` are the workload's name and images.
 */
export function clearsTaint(role: Role, taint: TaintIdentity, names: readonly string[]): boolean {
  if (role === "network plugin" && taint.effect === "NoSchedule") {
    if (taint.key === "node.kubernetes.io/not-ready" || taint.key === "node.kubernetes.io/network-unavailable") {
      return true;
    }
  }
  if (!taint.key.endsWith("/agent-not-ready")) return false;
  const owners = taint.key
    .split("/", 1)
    .join("")
    .split(".")
    .filter((word) => !GENERIC_WORDS.has(word));
  return owners.some((owner) => names.some((name) => name.includes(owner)));
}

/** Parts of a domain that name nobody. */
const GENERIC_WORDS: ReadonlySet<string> = new Set([
  "node",
  "io",
  "com",
  "net",
  "org",
  "dev",
  "kubernetes",
  "k8s",
  "sh",
]);
