// Kubernetes data layer, decoding: label selectors in canonical text.
import { isObject, listOf, objectOf, textMapOf, textOf, textsOf } from "./reading.ts";

/**
 * A LabelSelector (`matchLabels`, `matchExpressions`) as canonical text, so that equal selectors have equal texts:
 * requirements sorted and joined by `,`, written `k=v`, `k in (a,b)`, `k notin (a,b)`, `k`, `!k`.
 * Empty for no selector and for an empty one.
 */
export function canonicalSelector(value: unknown): string {
  if (!isObject(value)) return "";
  const labels = equalities(textMapOf(value.matchLabels));
  const expressions = listOf(value.matchExpressions).map(canonicalExpression);
  return [...labels, ...expressions].sort().join(",");
}

/** The selector of a ReplicationController or Service: a plain map of labels, as canonical text. */
export function canonicalLabels(labels: Readonly<Record<string, string>>): string {
  return equalities(labels).sort().join(",");
}

function equalities(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([key, label]) => `${key}=${label}`);
}

function canonicalExpression(value: unknown): string {
  const expression = objectOf(value);
  const key = textOf(expression.key);
  const operator = textOf(expression.operator);
  const values = [...textsOf(expression.values)].sort().join(",");
  switch (operator) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return `${key} ${operator} (${values})`;
  }
}
