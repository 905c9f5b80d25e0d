// Features layer, fixes: a label that tells one set of nodes from another.

import type { NodeSelectorRequirement } from "../../kube/node-selector.ts";
import type { Taint } from "../../kube/taint.ts";
import type { JudgedCluster } from "../diagnostics/judge.ts";

/** Labels that differ on every node, or say nothing of a pool. */
const OF_ONE_NODE =
  /^(kubernetes\.io\/hostname|topology\.|failure-domain\.|.*\/(node-?id|instance-?id|machine-?id|provider-?id|serial|uuid))/;
const LIKELY = /pool|group|role|dedicated|purpose|tier|type|gpu|accelerator/i;

/** A label with its value, as nodes carry it. */
export interface Label {
  readonly key: string;
  readonly value: string;
}

/**
 * The label that all of `nodes` carry with one value and none of `others` does; the one that a taint of theirs is
 * named after first, then one that sounds like a pool's. null when there is none. Both are names of the cluster's nodes.
 */
export function tellingLabel(
  nodes: readonly string[],
  others: readonly string[],
  taints: readonly Pick<Taint, "key" | "value">[],
  { node }: Pick<JudgedCluster, "node">,
): Label | null {
  const labelOf = (name: string, key: string): string | undefined => node(name)?.labels[key];
  const labels = Object.entries(node(nodes[0] ?? "")?.labels ?? {})
    .filter(([key]) => !OF_ONE_NODE.test(key))
    // In this order most labels are ruled out by the first node that is looked at.
    .filter(([key, value]) => !others.some((name) => labelOf(name, key) === value))
    .filter(([key, value]) => nodes.every((name) => labelOf(name, key) === value))
    .map(([key, value]) => ({ key, value, rank: rankOf(key, value, taints) }));
  labels.sort((a, b) => a.rank - b.rank || a.key.length - b.key.length || (a.key < b.key ? -1 : 1));
  const [best] = labels;
  return best === undefined ? null : { key: best.key, value: best.value };
}

function rankOf(key: string, value: string, taints: readonly Pick<Taint, "key" | "value">[]): number {
  if (taints.some((taint) => taint.key === key && taint.value === value)) return 0;
  if (taints.some((taint) => taint.key === key)) return 1;
  if (taints.some((taint) => taint.value !== "" && taint.value === value)) return 2;
  return LIKELY.test(key) ? 3 : 4;
}

/** The requirement that leaves nodes with this label out and keeps `others`. */
export function without(
  { key, value }: Label,
  others: readonly string[],
  { node }: Pick<JudgedCluster, "node">,
): NodeSelectorRequirement {
  const keyAlone = value === "" && !others.some((name) => Object.hasOwn(node(name)?.labels ?? {}, key));
  return keyAlone ? { key, operator: "DoesNotExist", values: [] } : { key, operator: "NotIn", values: [value] };
}
