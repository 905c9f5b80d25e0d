// Triage layer, facts: who puts a taint on a node, and what takes it off again.
import { matchesName } from "../../config/pattern.ts";
import type { Taint } from "../../kube/taint.ts";

/**
 * `condition`: a copy of a node condition; `cordon`; `out-of-service`: put on by people after a loss;
 * `initialization`: taken off by an owner that prepares the node; `leaving`: the node goes away; `control-plane`;
 * `dedicated`: everything else, which stays until somebody removes it.
 */
export type TaintNature =
  | "condition"
  | "cordon"
  | "out-of-service"
  | "initialization"
  | "leaving"
  | "control-plane"
  | "dedicated";

const CONDITION_KEYS: Readonly<Record<string, string>> = {
  "node.kubernetes.io/not-ready": "Ready",
  "node.kubernetes.io/unreachable": "Ready",
  "node.kubernetes.io/memory-pressure": "MemoryPressure",
  "node.kubernetes.io/disk-pressure": "DiskPressure",
  "node.kubernetes.io/pid-pressure": "PIDPressure",
  "node.kubernetes.io/network-unavailable": "NetworkUnavailable",
};

/** The condition that a taint copies; null for every other taint. Source: k8s.io/kubernetes/pkg/controller/nodelifecycle. */
export function conditionOfTaint(key: string): string | null {
  return Object.hasOwn(CONDITION_KEYS, key) ? (CONDITION_KEYS[key] ?? null) : null;
}

/** The taints that copy a condition type. */
export function taintsOfCondition(type: string): readonly string[] {
  return Object.keys(CONDITION_KEYS).filter((key) => CONDITION_KEYS[key] === type);
}

/** An owner that prepares nodes and takes its taint off when it has finished. */
export interface Preparer {
  readonly name: string;
  /** Words in names of its pods; empty when its pods are not in the cluster or not known. */
  readonly podWords: readonly RegExp[];
  /** What to look at next. */
  readonly advice: string;
}

interface PreparerRule {
  readonly matches: (key: string) => boolean;
  readonly preparer: (key: string) => Preparer;
}

/** Names of the pods that talk to the cloud about nodes: they initialize them, make routes, take lost ones away. */
export const CLOUD_CONTROLLER: readonly RegExp[] = [
  /cloud-controller/,
  /cloud-node-manager/,
  /(^|-)ccm(-|$)/,
  /cloud-provider/,
];

const CLOUD: Preparer = {
  name: "the cloud controller manager",
  podWords: CLOUD_CONTROLLER,
  advice: "Look at the cloud controller manager: kubectl get pods -A | grep -i cloud-controller, then its log.",
};

const PREPARERS: readonly PreparerRule[] = [
  { matches: (key) => key === "node.cloudprovider.kubernetes.io/uninitialized", preparer: () => CLOUD },
  {
    matches: (key) => /(^|\.)cluster\.x-k8s\.io\/uninitialized$/.test(key),
    preparer: () => ({
      name: "Cluster API",
      podWords: [],
      advice:
        "Ask the Machine that owns the node, in the management cluster: clusterctl describe cluster NAME; the cloud controller is not involved.",
    }),
  },
  {
    matches: (key) => key === "karpenter.sh/unregistered",
    preparer: () => ({
      name: "Karpenter",
      podWords: [/^karpenter/],
      advice: "Look at the NodeClaim's conditions (kubectl describe nodeclaims) and at Karpenter's log.",
    }),
  },
  {
    matches: (key) => key.endsWith("/agent-not-ready"),
    preparer: (key) => ({
      name: `the agent of ${key.slice(0, key.indexOf("/"))}`,
      podWords: [],
      advice: "Look at that agent's pod on the node: the agent takes the taint off once it is ready.",
    }),
  },
  {
    matches: (key) => key.startsWith("startup-taint.cluster-autoscaler.kubernetes.io/"),
    preparer: () => ({
      name: "the component behind this startup taint",
      podWords: [],
      advice: "Find the DaemonSet that removes this startup taint and look at its pod on the node.",
    }),
  },
  {
    matches: (key) => key.startsWith("readiness.k8s.io/"),
    preparer: () => ({
      name: "the node readiness controller",
      podWords: [/node-readiness/],
      advice: "Compare the node's conditions with the NodeReadinessRule that owns this taint.",
    }),
  },
  {
    matches: (key) => /\/(un)?initiali[sz](ed|ing)$/.test(key) || key.endsWith("/startup"),
    preparer: (key) => ({
      name: `the owner of ${key}`,
      podWords: [],
      advice: "Find the controller that removes this taint when the node is prepared, and read its log.",
    }),
  },
];

/** Who takes an initialization taint off; null for every other taint. */
export function preparerOf(key: string): Preparer | null {
  return PREPARERS.find((rule) => rule.matches(key))?.preparer(key) ?? null;
}

/** Of nodes that their autoscaler, or the cloud, takes away; `*` stands for any characters. */
const LEAVING: readonly string[] = [
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
  "karpenter.sh/disrupted",
  "karpenter.sh/disruption",
  "node.cloudprovider.kubernetes.io/shutdown",
  "aws-node-termination-handler/*",
  "cloud.google.com/impending-node-termination",
];

const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(control-plane|master|controlplane|etcd)$/;

/** What kind of taint it is, by its key. */
export function natureOf(taint: Pick<Taint, "key">): TaintNature {
  const { key } = taint;
  if (conditionOfTaint(key) !== null) return "condition";
  if (key === "node.kubernetes.io/unschedulable") return "cordon";
  if (key === "node.kubernetes.io/out-of-service") return "out-of-service";
  if (LEAVING.some((pattern) => matchesName(pattern, key))) return "leaving";
  if (preparerOf(key) !== null) return "initialization";
  if (CONTROL_PLANE.test(key)) return "control-plane";
  return "dedicated";
}

/** Whether the taint goes by itself, or with its reason: never a reason to add a toleration. */
export function isPassing(taint: Pick<Taint, "key">): boolean {
  const nature = natureOf(taint);
  return nature !== "dedicated" && nature !== "control-plane";
}
