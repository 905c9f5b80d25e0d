// Features layer, editor: completions where labels of nodes are named: nodeSelector and node affinity.
import { count } from "../fill.ts";
import { labelsOf, total } from "./cluster-values.ts";
import { type Draft, draft, values } from "./completion-draft.ts";
import type { EditorContext } from "./context.ts";
import type { TypingPlace } from "./typing-place.ts";

/** What can stand in a nodeSelector: a label that is not named yet, or the value of one. */
export function inNodeSelector(place: TypingPlace, context: EditorContext): readonly Draft[] {
  const labels = labelsOf(context.clusters);
  if (place.valueOf !== null) return values("value", labels.get(place.valueOf) ?? new Map(), true);
  const present = place.siblings;
  return [...labels]
    .filter(([key]) => !present.has(key))
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([key, byValue]) => ({
      label: key,
      kind: "label",
      detail: `${count(byValue.size, "value")} on ${count(total(byValue), "node")}`,
      newText: `${key}: `,
      snippet: false,
    }));
}

/** What can stand in an item of `matchExpressions`. */
export function inExpression(place: TypingPlace, context: EditorContext): readonly Draft[] {
  const labels = labelsOf(context.clusters);
  if (place.valueOf === "key") {
    return [...labels].map(([key, byValue]) =>
      draft(key, "label", `${count(byValue.size, "value")} on ${count(total(byValue), "node")}`),
    );
  }
  if (place.valueOf === "operator") {
    const known = [
      ["In", "the value is one of `values`"],
      ["NotIn", "the label is absent or has another value"],
      ["Exists", "the label is there"],
      ["DoesNotExist", "the label is not there"],
      ["Gt", "the value is a greater whole number"],
      ["Lt", "the value is a smaller whole number"],
    ] as const;
    return known.map(([operator, detail]) => draft(operator, "operator", detail));
  }
  if (place.keys.includes("values") || place.valueOf === "values") {
    const key = place.siblings.get("key") ?? keyAbove(context.file.text, place);
    return key === null ? [] : values("value", labels.get(key) ?? new Map(), true);
  }
  return [];
}

/** The `key:` of the expression whose `values` list is typed on lines of its own. */
function keyAbove(text: string, place: TypingPlace): string | null {
  const before = text.slice(Math.max(0, place.start - 2_000), place.start);
  const found = [...before.matchAll(/(?:^|[{,\s-])key:\s*["']?([\w./-]+)/g)].at(-1);
  return found?.[1] ?? null;
}
