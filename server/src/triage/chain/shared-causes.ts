// Triage layer, chain: one cause for several nodes, told once above them.
import type { FindingCode } from "../../../../shared/src/codes.ts";
import type { ClusterCause, NodeTriage, Root } from "../finding.ts";

/** Roots that several nodes can have for one reason; a cordon of each is no common cause. */
const SHARED: readonly (FindingCode | "outside")[] = [
  "outside",
  "platform-pod-missing",
  "node-not-initialized",
  "image-pull-failing",
  "node-version-skew",
];

/** Roots in the same words on at least two nodes, the widest first; those that are told already are left out. */
export function sharedCauses(nodes: readonly NodeTriage[], told: readonly ClusterCause[]): readonly ClusterCause[] {
  const known = new Set(told.map((cause) => cause.summary));
  const groups = new Map<string, { readonly root: Root; readonly nodes: string[] }>();
  for (const node of nodes) {
    for (const root of node.roots) {
      if (!SHARED.includes(root.code) || known.has(root.summary)) continue;
      const group = groups.get(root.summary) ?? { root, nodes: [] };
      group.nodes.push(node.name);
      groups.set(root.summary, group);
    }
  }
  return [...groups.values()]
    .filter((group) => group.nodes.length > 1)
    .sort((a, b) => b.nodes.length - a.nodes.length)
    .map(({ root, nodes: names }) => ({ summary: root.summary, nodes: names, advice: root.advice }));
}
