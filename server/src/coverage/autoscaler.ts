// Coverage layer: signs that nodes may appear which are not there now.
import type { ClusterModel } from "../cluster/model.ts";

const POOL_LABELS: readonly (readonly [key: string, who: string])[] = [
  ["karpenter.sh/nodepool", "Karpenter"],
  ["karpenter.sh/provisioner-name", "Karpenter"],
  ["eks.amazonaws.com/compute-type", "EKS"],
];

/**
 * What shows that an autoscaler is at work, in words; empty when nothing does. A pool at zero is then invisible, and
 * "no node" means "no node now".
 */
export function autoscalerSigns(cluster: Pick<ClusterModel, "autoscaler" | "nodes">): readonly string[] {
  const signs = new Set(cluster.autoscaler.signs);
  for (const node of cluster.nodes.values()) {
    for (const [key, who] of POOL_LABELS) {
      const value = node.labels[key];
      if (value === undefined || (who === "EKS" && value !== "auto")) continue;
      signs.add(who === "EKS" ? "EKS Auto Mode nodes" : `${who} node pool ${value}`);
    }
  }
  return [...signs];
}
