// Command-line layer: which nodes --node, --selector and operands mean.
import type { ClusterModel } from "../../cluster/model.ts";
import type { ClusterNode } from "../../kube/node.ts";
import { listSome } from "../../report/text-layout.ts";
import type { Arguments } from "../arguments.ts";
import { nearest } from "../nearest.ts";
import { listOf } from "../settings.ts";
import { Unusable } from "../unusable.ts";

/** One requirement of a label selector. */
interface Requirement {
  readonly key: string;
  readonly operator: "in" | "notin" | "exists" | "absent";
  readonly values: readonly string[];
}

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
    (node) => names.includes(node.name) || (requirements !== null && matchesAll(requirements, node)),
  );
  if (chosen.length === 0) throw new Unusable(`--selector "${selector ?? ""}" matches no node.`);
  return [...new Set(chosen.map((node) => node.name))];
}

function matchesAll(requirements: readonly Requirement[], node: ClusterNode): boolean {
  return requirements.every((requirement) => matchesOne(requirement, node));
}

function matchesOne({ key, operator, values }: Requirement, node: ClusterNode): boolean {
  const value = Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
    case "in":
      return value !== undefined && values.includes(value);
    case "notin":
      return value === undefined || !values.includes(value);
  }
}

const KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const EXISTENCE = new RegExp(`^(!?)\\s*(${KEY})$`);

/** Reads kubectl's label selectors. Source: k8s.io/apimachinery/pkg/labels Parse. */
function parseSelector(text: string): readonly Requirement[] {
  return text.split(/,(?![^(]*\))/).map((part) => {
    const word = part.trim();
    const set = SET.exec(word);
    if (set !== null) {
      const operator = set[3] === "in" ? "in" : "notin";
      return { key: set[1] ?? "", operator, values: (set[4] ?? "").split(",").map((value) => value.trim()) };
    }
    const equality = EQUALITY.exec(word);
    if (equality !== null) {
      return { key: equality[1] ?? "", operator: equality[3] === "!=" ? "notin" : "in", values: [equality[4] ?? ""] };
    }
    const existence = EXISTENCE.exec(word);
    if (existence !== null) {
      return { key: existence[2] ?? "", operator: existence[1] === "!" ? "absent" : "exists", values: [] };
    }
    throw new Unusable(
      `--selector "${text}": "${word}" cannot be read; write key=value, key!=value, key in (a,b) or key.`,
    );
  });
}
