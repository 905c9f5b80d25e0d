// Cluster layer: what-if models, the cluster after a taint was put on or taken off.
import type { ClusterNode } from "../kube/node.ts";
import type { Taint } from "../kube/taint.ts";
import type { ClusterModel } from "./model.ts";
import { updateModel } from "./update.ts";

/** A taint to put on, or (with `remove`) to take off. */
export interface TaintChange {
  readonly taint: Pick<Taint, "key" | "value" | "effect">;
  /** Takes off every taint of this key and effect, whatever its value, as `kubectl taint node N key:Effect-` does. */
  readonly remove: boolean;
}

/**
 * The model after the change on the named nodes; names that are not in the model are left out. Putting on a taint of a
 * key and effect that the node has replaces its value, as `kubectl taint --overwrite` does: a node never has both.
 */
export function applyTaint(model: ClusterModel, nodeNames: readonly string[], change: TaintChange): ClusterModel {
  const nodes = nodeNames.flatMap((name) => {
    const node = model.nodes.get(name);
    return node === undefined ? [] : [taintNode(node, change)];
  });
  return updateModel(model, { set: { nodes } });
}

/** The node after the change; the node itself where nothing changes. */
export function taintNode(node: ClusterNode, change: TaintChange): ClusterNode {
  const { key, value, effect } = change.taint;
  const isSame = (taint: Taint) => taint.key === key && taint.effect === effect;
  const present = node.taints.find(isSame);
  if (change.remove) return present === undefined ? node : { ...node, taints: node.taints.filter((t) => !isSame(t)) };
  if (present !== undefined && present.value === value) return node;
  const taint: Taint = { key, value, effect, timeAdded: null };
  const taints =
    present === undefined ? [...node.taints, taint] : node.taints.map((other) => (isSame(other) ? taint : other));
  return { ...node, taints };
}
