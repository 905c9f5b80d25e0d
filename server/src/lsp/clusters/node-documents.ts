// LSP layer: nodes of clusters that no file holds, as documents that the client can open and ask the text of.
import { NODE_SCHEME } from "../../../../shared/src/protocol.ts";
import type { ClusterModel } from "../../cluster/model.ts";
import { nodeView } from "../../features/editor/node-view.ts";

/** The URI of a node's document. */
export function nodeUri(cluster: string, node: string): string {
  return `${NODE_SCHEME}:/${encodeURIComponent(cluster)}/${encodeURIComponent(node)}.yaml`;
}

/** The text of a node's document; null where the URI names no node of the models. */
export function nodeText(uri: string, clusters: readonly ClusterModel[]): string | null {
  for (const cluster of clusters) {
    // Clients may write the same URI with other characters escaped.
    const prefix = decoded(nodeUri(cluster.name, "")).slice(0, -".yaml".length);
    const whole = decoded(uri);
    if (!whole.startsWith(prefix) || !whole.endsWith(".yaml")) continue;
    const node = cluster.nodes.get(whole.slice(prefix.length, -".yaml".length));
    if (node !== undefined) return nodeView(cluster, node);
  }
  return null;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A `%` that escapes nothing stands for itself.
    return uri;
  }
}
