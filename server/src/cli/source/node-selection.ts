// Command-line layer: which nodes --node, --selector and operands mean.
import type { ClusterModel } from "../../cluster/model.ts";
import { type LabelRequirement, meetsQuery, readLabelQuery } from "../../kube/label-query.ts";
import { listSome } from "../../report/text-layout.ts";
import { nearest } from "../../text/nearest.ts";
import type { Arguments } from "../arguments.ts";
import { listOf } from "../settings.ts";
import { Unusable } from "../unusable.ts";

/**
 * The names of the nodes that were asked for, in the model's order; null when none were named, so all are meant.
 * Throws Unusable for a name that no node has, and for a selector that cannot be read or matches nothing.
 */
export function selectedNodes(args: Arguments, clusters: readonly ClusterModel[]): readonly string[] | null {
  const names = [...args.operands, ...listOf(args, "node")];
  const selector = args.one("selector");
  if (names.length === 0 && selector === null) return null;
  const nodes = clusters.flatMap((cluster) => [...cluster.nodes.values()]);
  const known = nodes.map((node) => node.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const close = nearest(name, known);
    const hint = close === null ? ` Nodes: ${listSome(known, 10)}.` : ` Did you mean ${close}?`;
    throw new Unusable(`Node "${name}" is not in ${clusters.map((cluster) => cluster.name).join(" or ")}.${hint}`);
  }
  const requirements = selector === null ? null : parseSelector(selector);
  const chosen = nodes.filter(
    (node) => names.includes(node.name) || (requirements !== null && meetsQuery(requirements, node.labels)),
  );
  if (chosen.length === 0) throw new Unusable(`--selector "${selector ?? ""}" matches no node.`);
  return [...new Set(chosen.map((node) => node.name))];
}

function parseSelector(text: string): readonly LabelRequirement[] {
  const read = readLabelQuery(text);
  if ("problem" in read) throw new Unusable(`--selector "${text}": ${read.problem}`);
  return read;
}
