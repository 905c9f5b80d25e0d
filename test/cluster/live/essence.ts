// What placement reads of a cluster, as lines that can be compared: of a model, and of a fresh list.
import type { ClusterModel } from "../../../server/src/cluster/model.ts";
import { decodeNode } from "../../../server/src/kube/decode/node.ts";
import { decodePod } from "../../../server/src/kube/decode/pod.ts";
import { formatTaint } from "../../../server/src/kube/taint.ts";
import type { ApiClient, Json } from "../api.ts";

/** Lines: nodes with their taints, pods with node and phase. */
export function essence(model: Pick<ClusterModel, "nodes" | "pods">): readonly string[] {
  const nodes = [...model.nodes.values()].map(
    (node) => `node ${node.name} ${node.taints.map(formatTaint).sort().join(",")}`,
  );
  const pods = model.pods.map((pod) => `pod ${pod.namespace}/${pod.name} @${pod.spec.nodeName} ${pod.phase}`);
  return [...nodes, ...pods].sort();
}

/** The same of a fresh list. */
export async function freshEssence(api: ApiClient): Promise<readonly string[]> {
  const [nodes, pods] = await Promise.all([api.get("/api/v1/nodes"), api.get("/api/v1/pods")]);
  return essence({
    nodes: new Map(nodes.items.map((item: Json) => [item.metadata.name, decodeNode(item, null)])),
    pods: pods.items.map((item: Json) => decodePod(item)),
  });
}
