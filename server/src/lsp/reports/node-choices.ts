// LSP layer: the nodes, selectors and taints of the clusters in use, for a preflight's questions.
import type { NodeChoices, SelectorChoice } from "../../../../shared/src/protocol.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { formatTaint } from "../../kube/taint.ts";

/** Selectors offered; a longer list is no help. */
const MOST_SELECTORS = 100;

/** What people can name. In: the models in use. */
export function nodeChoices(clusters: readonly ClusterModel[]): NodeChoices {
  const nodes = clusters.flatMap((cluster) =>
    [...cluster.nodes.values()].map(({ name, taints }) => ({
      name,
      cluster: cluster.name,
      taints: taints.map(formatTaint),
    })),
  );
  const used = new Map<string, number>();
  for (const { taints } of nodes) for (const taint of taints) used.set(taint, (used.get(taint) ?? 0) + 1);
  const taints = [...used].sort(([, left], [, right]) => right - left).map(([taint]) => taint);
  return { nodes, selectors: selectors(clusters), taints };
}

/** Labels that several nodes share and not all have, those of the most nodes first. */
function selectors(clusters: readonly ClusterModel[]): readonly SelectorChoice[] {
  const shared = new Map<string, number>();
  let total = 0;
  for (const cluster of clusters) {
    for (const { labels } of cluster.nodes.values()) {
      total += 1;
      for (const [key, value] of Object.entries(labels)) {
        shared.set(`${key}=${value}`, (shared.get(`${key}=${value}`) ?? 0) + 1);
      }
    }
  }
  return [...shared]
    .filter(([, nodes]) => nodes > 1 && nodes < total)
    .sort(([left, most], [right, fewer]) => fewer - most || (left < right ? -1 : 1))
    .slice(0, MOST_SELECTORS)
    .map(([selector, count]) => ({ selector, nodes: count }));
}
