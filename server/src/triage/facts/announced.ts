// Triage layer, facts: extended resources that a node's labels and taints announce.
import type { ClusterNode } from "../../kube/node.ts";

/** A resource, and the label or taint that announces it, in words. */
export interface Announcement {
  readonly resource: string;
  readonly text: string;
}

interface LabelRule {
  readonly key: RegExp;
  readonly value: RegExp;
  /** The resource for the label; null when the label names no maker we know. */
  readonly resource: (labels: Readonly<Record<string, string>>, match: RegExpExecArray) => string | null;
}

const POSITIVE = /^[1-9]\d*$/;
const ANY = /./;

const LABEL_RULES: readonly LabelRule[] = [
  { key: /^nvidia\.com\/gpu\.count$/, value: POSITIVE, resource: () => "nvidia.com/gpu" },
  { key: /^nvidia\.com\/gpu\.present$/, value: /^true$/, resource: () => "nvidia.com/gpu" },
  { key: /^amd\.com\/gpu\.(present|count)$/, value: /^(true|[1-9]\d*)$/, resource: () => "amd.com/gpu" },
  {
    key: /^karpenter\.k8s\.aws\/instance-gpu-count$/,
    value: POSITIVE,
    resource: (labels) =>
      ({ amd: "amd.com/gpu", habana: "habana.ai/gaudi" })[
        labels["karpenter.k8s.aws/instance-gpu-manufacturer"] ?? ""
      ] ?? "nvidia.com/gpu",
  },
  {
    key: /^karpenter\.k8s\.aws\/instance-accelerator-count$/,
    value: POSITIVE,
    resource: (labels) =>
      (labels["karpenter.k8s.aws/instance-accelerator-manufacturer"] ?? "aws") === "aws"
        ? "aws.amazon.com/neuron"
        : null,
  },
  { key: /^karpenter\.azure\.com\/sku-gpu-count$/, value: POSITIVE, resource: () => "nvidia.com/gpu" },
  { key: /^cloud\.google\.com\/gke-accelerator$/, value: ANY, resource: () => "nvidia.com/gpu" },
  { key: /^cloud\.google\.com\/gke-tpu-accelerator$/, value: ANY, resource: () => "google.com/tpu" },
  { key: /^kubernetes\.azure\.com\/accelerator$/, value: /^nvidia$/, resource: () => "nvidia.com/gpu" },
  {
    key: /^feature\.node\.kubernetes\.io\/pci-(?:[0-9a-f]{4}_)?(10de|1002)(?:[._].*)?\.present$/,
    value: /^true$/,
    resource: (_labels, match) => (match[1] === "10de" ? "nvidia.com/gpu" : "amd.com/gpu"),
  },
];

/**
 * The resources that the node's labels and taints announce. A taint announces the resource whose name is its key, if
 * `isResource` says that the cluster knows a resource of that name.
 */
export function announcedBy(
  node: Pick<ClusterNode, "labels" | "taints">,
  isResource: (name: string) => boolean,
): readonly Announcement[] {
  const found: Announcement[] = [];
  for (const [key, value] of Object.entries(node.labels)) {
    for (const rule of LABEL_RULES) {
      const match = rule.key.exec(key);
      if (match === null || !rule.value.test(value)) continue;
      const resource = rule.resource(node.labels, match);
      if (resource !== null) found.push({ resource, text: `label ${key}=${value}` });
    }
  }
  for (const taint of node.taints) {
    if (taint.key.includes("/") && isResource(taint.key)) {
      found.push({ resource: taint.key, text: `taint ${taint.key}` });
    }
  }
  return found;
}
