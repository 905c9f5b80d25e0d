// Coverage layer: signs that nodes may appear which are not there now.
import type { ClusterModel } from "../cluster/model.ts";

/** EKS makes such nodes without any object of its own in the cluster. */
const SCALED_BY_EKS: Readonly<Record<string, string>> = { auto: "EKS Auto Mode nodes", fargate: "Fargate nodes" };

/**
 * What shows that an autoscaler is at work, in words; empty when nothing does. A pool at zero is then invisible, and
 * "no node" means "no node now".
 */
export function autoscalerSigns(cluster: Pick<ClusterModel, "autoscaler" | "nodes">): readonly string[] {
  const signs = new Set(cluster.autoscaler.signs);
  for (const node of cluster.nodes.values()) {
    const sign = SCALED_BY_EKS[node.labels["eks.amazonaws.com/compute-type"] ?? ""];
    if (sign !== undefined) signs.add(sign);
  }
  return [...signs];
}
