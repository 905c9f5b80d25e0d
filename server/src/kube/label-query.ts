// Kubernetes data layer: a label selector as kubectl's --selector takes it.

/** One requirement of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "in" | "notin" | "exists" | "absent";
  readonly values: readonly string[];
}

const KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const EXISTENCE = new RegExp(`^(!?)\\s*(${KEY})$`);

/**
 * Reads kubectl's label selectors; else a sentence with what is wrong.
 * Source: k8s.io/apimachinery/pkg/labels Parse.
 */
export function readLabelQuery(text: string): readonly LabelRequirement[] | { readonly problem: string } {
  const requirements: LabelRequirement[] = [];
  for (const part of text.split(/,(?![^(]*\))/)) {
    const requirement = readRequirement(part.trim());
    if (requirement === null) {
      const problem = `"${part.trim()}" cannot be read; write key=value, key!=value, key in (a,b) or key.`;
      return { problem };
    }
    requirements.push(requirement);
  }
  return requirements;
}

/** Whether labels meet every requirement. */
export function meetsQuery(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return requirements.every((requirement) => meetsOne(requirement, labels));
}

function meetsOne({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
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

function readRequirement(word: string): LabelRequirement | null {
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
  if (existence === null) return null;
  return { key: existence[2] ?? "", operator: existence[1] === "!" ? "absent" : "exists", values: [] };
}
