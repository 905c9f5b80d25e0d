// Features layer, fixes: a selector made to match labels that nodes carry.

import type { NodeSelector, NodeSelectorRequirement } from "../../kube/node-selector.ts";
import type { PodSpec } from "../../kube/pod-spec.ts";
import { formatTaint } from "../../kube/taint.ts";
import { type Edits, type EditTarget, removeEntry, setScalar } from "../../yaml/edit/index.ts";
import { ownNode } from "../../yaml/edit/target.ts";
import { entryAt, itemsAt } from "../../yaml/locate.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { Fix } from "../diagnostic.ts";
import type { Asked } from "../diagnostics/asked.ts";
import type { NodeFacts } from "../diagnostics/judge.ts";
import { nearest } from "../diagnostics/nearest.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { addTolerations } from "./add-toleration.ts";
import { fixOf, targetOf, together } from "./fix.ts";
import { taintsToTolerate } from "./preview.ts";
import { requireLabel } from "./require-label.ts";

export const messages = {
  value: "Select {key}={value} instead",
  tolerating: "{title}, and tolerate {taints}",
  presence: "Require only that {key} is there (node affinity, operator Exists)",
} as const;

/** Values offered where none is close. */
const FEW = 3;

/** Other values of the label that nodes carry; where only presence can matter, node affinity with Exists. */
export function valueFixes(entry: Asked, values: readonly string[], context: WorkloadContext): readonly Fix[] {
  const { key } = entry.requirement;
  const [wanted] = entry.requirement.values;
  if (wanted === undefined) return [];
  const close = nearest(wanted, values);
  const likely = close.length > 0 ? close.slice(0, 1) : values.length <= FEW ? values : [];
  const single = likely.length === 1 && close.length === 1;
  const target = targetOf(context);
  const replaced = likely.flatMap((value) => {
    const edits = setScalar(target, valuePath(entry, context), value);
    const title = fill(messages.value, { key, value });
    return soundFix(
      title,
      edits,
      replacing(entry, { ...entry.requirement, values: [value] }, context),
      context,
      single,
    );
  });
  const flagLike = entry.where === "nodeSelector" && (wanted === "" || wanted === "true");
  return flagLike ? [...presenceFix(entry, context), ...replaced] : replaced;
}

/** Close keys, where nodes carry them with the value that is asked for. */
export function selectorFixes(
  entry: Asked,
  keys: readonly string[],
  nodes: readonly NodeFacts[],
  context: WorkloadContext,
): readonly Fix[] {
  const [value] = entry.requirement.values;
  if (entry.where === "field" || value === undefined) return [];
  const key = keys.find((candidate) => nodes.some((node) => node.labels[candidate] === value));
  if (key === undefined) return [];
  const edits =
    entry.where === "affinity"
      ? setScalar(targetOf(context), [...entry.path, "key"], key)
      : renameKey(targetOf(context), entry.path, key);
  const title = fill(messages.value, { key, value });
  return soundFix(title, edits, replacing(entry, { ...entry.requirement, key }, context), context, true);
}

/** Another key for the entry that `path` ends with; a label's key needs no quotes, and keeps those it has. */
function renameKey(target: EditTarget, path: YamlPath, key: string): Edits {
  const mapping = ownNode(target, path.slice(0, -1));
  const entry = entryAt(mapping, String(path.at(-1)));
  if (mapping === null || entry === null || entry.merged || entry.key.alias !== null) return null;
  if (entryAt(mapping, key) !== null) return null;
  const quote = entry.key.style === "double" ? '"' : entry.key.style === "single" ? "'" : "";
  return [{ span: entry.key.span, newText: `${quote}${key}${quote}` }];
}

/** The change, with the tolerations that it would lack; none where it would bring other trouble. */
function soundFix(
  title: string,
  edits: Edits,
  preview: PodSpec,
  context: WorkloadContext,
  preferred: boolean,
): readonly Fix[] {
  const taints = taintsToTolerate(preview, context);
  if (taints === null) return [];
  if (taints.length === 0) return fixOf(title, edits, "suggested", preferred);
  const words = taints.map(formatTaint).join(", ");
  const both = together([edits, addTolerations(context, taints)]);
  return fixOf(fill(messages.tolerating, { title, taints: words }), both, "suggested", preferred);
}

/** The pod spec with one requirement in place of another. */
function replacing(entry: Asked, by: NodeSelectorRequirement, { item }: WorkloadContext): PodSpec {
  const { template } = item.workload;
  if (entry.where === "nodeSelector") {
    const { [entry.requirement.key]: _, ...rest } = template.nodeSelector;
    if (by.operator === "In") return { ...template, nodeSelector: { ...rest, [by.key]: by.values[0] ?? "" } };
    return {
      ...template,
      nodeSelector: rest,
      requiredAffinity: { terms: withRequirement(template.requiredAffinity, by) },
    };
  }
  const terms = (template.requiredAffinity?.terms ?? []).map((term) => ({
    ...term,
    matchExpressions: term.matchExpressions.map((other) => (other === entry.requirement ? by : other)),
  }));
  return { ...template, requiredAffinity: { terms } };
}

function withRequirement(affinity: NodeSelector | null, by: NodeSelectorRequirement): NodeSelector["terms"] {
  const terms = affinity?.terms ?? [{ matchExpressions: [], matchFields: [] }];
  return terms.map((term) => ({ ...term, matchExpressions: [...term.matchExpressions, by] }));
}

function valuePath({ where, path }: Asked, context: WorkloadContext) {
  if (where === "nodeSelector") return path;
  const items = itemsAt(context.item.object, [...path, "values"]);
  return items.length === 1 ? [...path, "values", 0] : [...path, "values", -1];
}

function presenceFix(entry: Asked, context: WorkloadContext): readonly Fix[] {
  const { path, requirement } = entry;
  const { key } = requirement;
  const edits = together([
    removeEntry(targetOf(context), path),
    requireLabel(context, { key, operator: "Exists", values: [] }),
  ]);
  const preview = replacing(entry, { key, operator: "Exists", values: [] }, context);
  return soundFix(fill(messages.presence, { key }), edits, preview, context, true);
}
