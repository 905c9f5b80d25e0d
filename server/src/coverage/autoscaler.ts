// Coverage layer: signs that nodes may appear which are not there now.
import type { ClusterModel } from "../cluster/model.ts";

/**
 * What shows that an autoscaler is at work, in words; empty when nothing does. A pool at zero is then invisible, and
 * "no node" means "no node now". EKS Auto Mode scales without any object of its own in the cluster.
 */
export function autoscalerSigns(cluster: Pick<ClusterModel, "autoscaler" | "nodes">): readonly string[] {
  const signs = [...cluster.autoscaler.signs];
  for (const node of cluster.nodes.values()) {
    if (node.labels["eks.amazonaws.com/compute-type"] === "auto") return [...signs, "EKS Auto Mode nodes"];
  }
  return signs;
}
