// Features layer, fixes: a selector made to match labels that nodes carry.

import { removeEntry, setScalar } from "../../yaml/edit/index.ts";
import { itemsAt } from "../../yaml/locate.ts";
import type { Fix } from "../diagnostic.ts";
import type { Asked } from "../diagnostics/asked.ts";
import type { NodeFacts } from "../diagnostics/judge.ts";
import { nearest } from "../diagnostics/nearest.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { fixOf, targetOf, together } from "./fix.ts";
import { requireLabel } from "./require-label.ts";

export const messages = {
  value: "Select {key}={value} instead",
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
  const offered = close.length > 0 ? close.slice(0, 1) : values.length <= FEW ? values : [];
  const single = offered.length === 1 && close.length === 1;
  const target = targetOf(context);
  const replaced = offered.flatMap((value) =>
    fixOf(
      fill(messages.value, { key, value }),
      setScalar(target, valuePath(entry, context), value),
      "suggested",
      single,
    ),
  );
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
  if (entry.where !== "affinity" || value === undefined) return [];
  const key = keys.find((candidate) => nodes.some((node) => node.labels[candidate] === value));
  if (key === undefined) return [];
  const edits = setScalar(targetOf(context), [...entry.path, "key"], key);
  return fixOf(fill(messages.value, { key, value }), edits, "suggested", true);
}

function valuePath({ where, path }: Asked, context: WorkloadContext) {
  if (where === "nodeSelector") return path;
  const items = itemsAt(context.item.object, [...path, "values"]);
  return items.length === 1 ? [...path, "values", 0] : [...path, "values", -1];
}

function presenceFix({ path, requirement: { key } }: Asked, context: WorkloadContext): readonly Fix[] {
  const edits = together([
    removeEntry(targetOf(context), path),
    requireLabel(context, { key, operator: "Exists", values: [] }),
  ]);
  return fixOf(fill(messages.presence, { key }), edits, "suggested", true);
}
