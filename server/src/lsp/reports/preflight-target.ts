// LSP layer: which nodes a preflight's target means.
import type { ClusterModel } from "../../cluster/model.ts";
import { meetsQuery, readLabelQuery } from "../../kube/label-query.ts";
import { listSome } from "../../report/text-layout.ts";
import { nearest } from "../../text/nearest.ts";

/** The names of the nodes, or a sentence that says what is wrong. */
export type Target = { readonly nodes: readonly string[] } | { readonly problem: string };

/**
 * Reads node names separated by commas, or a label selector. A text that could be both means the nodes, since a
 * selector without an operator asks for a key only.
 */
export function readTarget(text: string, clusters: readonly ClusterModel[]): Target {
  const words = text.split(",").flatMap((word) => word.trim() || []);
  if (words.length === 0) return { problem: "Name nodes (node-1,node-2) or a label selector (pool=rdma)." };
  const nodes = clusters.flatMap((cluster) => [...cluster.nodes.values()]);
  const known = new Set(nodes.map((node) => node.name));
  if (words.every((word) => known.has(word))) return { nodes: [...new Set(words)] };
  const query = readLabelQuery(text.trim());
  const chosen = "problem" in query ? [] : nodes.filter((node) => meetsQuery(query, node.labels));
  if (chosen.length > 0) return { nodes: [...new Set(chosen.map((node) => node.name))] };
  if (/[=!(]/.test(text)) {
    return { problem: "problem" in query ? query.problem : `${text.trim()} matches no node.` };
  }
  const unknown = words.find((word) => !known.has(word)) ?? text;
  const close = nearest(unknown, [...known]);
  const hint = close === null ? `Nodes: ${listSome([...known], 10)}.` : `Did you mean ${close}?`;
  return { problem: `There is no node "${unknown}". ${hint}` };
}
