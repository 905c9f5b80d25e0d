// Features layer, editor: the taints and labels of the clusters, with the nodes that have them.
import type { ClusterModel } from "../../cluster/model.ts";
import type { Taint } from "../../kube/taint.ts";

/** A taint on one node. */
export interface SeenTaint {
  readonly taint: Taint;
  readonly node: string;
  readonly cluster: ClusterModel;
}

/** Every taint of every node. */
export function taintsOf(clusters: readonly ClusterModel[]): readonly SeenTaint[] {
  return clusters.flatMap((cluster) =>
    [...cluster.nodes.values()].flatMap((node) => node.taints.map((taint) => ({ taint, node: node.name, cluster }))),
  );
}

/** Number of nodes by what `of` reads of their taints. */
export function nodesBy(taints: readonly SeenTaint[], of: (taint: Taint) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { taint } of taints) found.set(of(taint), (found.get(of(taint)) ?? 0) + 1);
  return found;
}

/** Label keys → values → number of nodes. */
export function labelsOf(clusters: readonly ClusterModel[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const labels = new Map<string, Map<string, number>>();
  for (const cluster of clusters) {
    for (const node of cluster.nodes.values()) {
      for (const [key, value] of Object.entries(node.labels)) {
        const byValue = labels.get(key) ?? new Map<string, number>();
        byValue.set(value, (byValue.get(value) ?? 0) + 1);
        labels.set(key, byValue);
      }
    }
  }
  return labels;
}

/** Number of nodes that have any of the values. */
export function total(byValue: ReadonlyMap<string, number>): number {
  return [...byValue.values()].reduce((sum, nodes) => sum + nodes, 0);
}
