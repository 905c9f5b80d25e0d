// Coverage layer: whether a node can host a workload's pods at all, taints and labels aside.
import type { ClusterNode } from "../kube/node.ts";
import type { PodSpec } from "../kube/pod-spec.ts";

/** What a node is as a host. */
export interface NodeHost {
  /** What makes it a virtual node that runs no DaemonSet pods, in words; null for a machine. */
  readonly virtual: string | null;
  /** A node made for one pod, which nothing else can join (Fargate). */
  readonly onePod: boolean;
  /** `linux`, `windows`; null when neither labels nor status say. */
  readonly os: string | null;
}

/** An unknown OS does not differ. */
export type Hosting = "hosts" | "virtual" | "os-differs";

type HostNode = Pick<ClusterNode, "labels" | "taints" | "info">;

const COMPUTE_TYPE = "eks.amazonaws.com/compute-type";

const VIRTUAL_LABELS: readonly (readonly [key: string, value: string, what: string])[] = [
  [COMPUTE_TYPE, "fargate", "a Fargate node"],
  ["type", "virtual-kubelet", "a virtual-kubelet node"],
  ["node.kubernetes.io/instance-type", "eklet", "a serverless (eklet) node"],
  ["kubernetes.io/role", "virtual-kubelet", "a virtual-kubelet node"],
];
const VIRTUAL_TAINTS: readonly (readonly [key: string, what: string])[] = [
  ["virtual-kubelet.io/provider", "a virtual-kubelet node"],
  ["eks.tke.cloud.tencent.com/eklet", "a serverless (eklet) node"],
];

/** What the node is as a host, told from its labels, taints and status. */
export function hostOf(node: HostNode): NodeHost {
  return { virtual: virtualNode(node), onePod: node.labels[COMPUTE_TYPE] === "fargate", os: osOf(node) };
}

function virtualNode(node: HostNode): string | null {
  for (const [key, value, what] of VIRTUAL_LABELS) {
    if (node.labels[key] === value) return what;
  }
  for (const [key, what] of VIRTUAL_TAINTS) {
    if (node.taints.some((taint) => taint.key === key)) return what;
  }
  return null;
}

function osOf(node: HostNode): string | null {
  const os = node.labels["kubernetes.io/os"] ?? node.labels["beta.kubernetes.io/os"] ?? node.info?.operatingSystem;
  return os === undefined || os === "" ? null : os;
}

const OS_KEYS: readonly string[] = ["kubernetes.io/os", "beta.kubernetes.io/os"];

/**
 * The operating system a pod spec states: spec.os, the nodeSelector, or required affinity all of whose terms ask for
 * the same one; null when it states none.
 */
export function statedOs(spec: Pick<PodSpec, "os" | "nodeSelector" | "requiredAffinity">): string | null {
  if (spec.os !== "") return spec.os;
  for (const key of OS_KEYS) {
    const selected = spec.nodeSelector[key];
    if (selected !== undefined) return selected;
  }
  const asked = (spec.requiredAffinity?.terms ?? []).map((term) => {
    const requirement = term.matchExpressions.find((one) => OS_KEYS.includes(one.key) && one.operator === "In");
    return requirement?.values.length === 1 ? (requirement.values[0] ?? null) : null;
  });
  const [first] = asked;
  return first !== undefined && asked.every((os) => os === first) ? first : null;
}

/**
 * Whether the node can host the workload: virtual nodes take no DaemonSet pods, a node made for one pod takes no other,
 * and a node of another OS than the workload states takes none of its pods. What cannot host is never a gap, a missing pod or a time bomb.
 */
export function hostingOf(kind: string, os: string | null, host: NodeHost): Hosting {
  if (host.virtual !== null && (kind === "DaemonSet" || host.onePod)) return "virtual";
  return os !== null && host.os !== null && os !== host.os ? "os-differs" : "hosts";
}
