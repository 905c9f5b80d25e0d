// Explorer layer: which pool a node belongs to.
import { isTransientTaint } from "../coverage/transient-taints.ts";
import type { ClusterNode } from "../kube/node.ts";
import { formatTaint, type Taint } from "../kube/taint.ts";

export interface Pool {
  /** Equal for nodes of one pool; stays the same while a node is cordoned or not ready. */
  readonly key: string;
  /** For people: the label's value, or roles and taints. */
  readonly name: string;
}

const ROLE_LABEL = "node-role.kubernetes.io/";

/**
 * Tells the pool of a node: the value of `label` where the node has it, else nodes with the same roles and the same
 * taints. Taints that come and go by themselves make no other pool. For many nodes keep the function: it remembers taints.
 */
export function poolFinder(label: string): (node: ClusterNode) => Pool {
  const lasting = new Map<string, boolean>();
  const lasts = (taint: Taint): boolean => {
    const text = formatTaint(taint);
    const known = lasting.get(text) ?? !isTransientTaint(taint);
    lasting.set(text, known);
    return known;
  };
  return (node) => poolOf(node, label, lasts);
}

function poolOf(node: ClusterNode, label: string, lasts: (taint: Taint) => boolean): Pool {
  const value = label !== "" && Object.hasOwn(node.labels, label) ? node.labels[label] : undefined;
  if (value !== undefined) return { key: `label=${value}`, name: value === "" ? `${label} is empty` : value };
  const roles = rolesOf(node);
  const taints = node.taints.filter(lasts).map(formatTaint).sort();
  return {
    key: `${roles.join(",")}|${taints.join(",")}`,
    name: [...(roles.length === 0 ? [] : [roles.join(", ")]), taints.join(" ") || "no taints"].join(" · "),
  };
}

function rolesOf(node: ClusterNode): readonly string[] {
  const roles = Object.keys(node.labels)
    .filter((key) => key.startsWith(ROLE_LABEL) && key.length > ROLE_LABEL.length)
    .map((key) => key.slice(ROLE_LABEL.length));
  const named = node.labels["kubernetes.io/role"];
  return [...new Set(named === undefined || named === "" ? roles : [...roles, named])].sort();
}
