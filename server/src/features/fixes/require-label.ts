// Features layer, fixes: a requirement added to the required node affinity, or a label to the nodeSelector.
import type { NodeSelectorRequirement } from "../../kube/node-selector.ts";
import { appendItems, type Edits, insertEntry, type PlainValue } from "../../yaml/edit/index.ts";
import { itemsAt, nodeAt } from "../../yaml/locate.ts";
import type { YamlPath } from "../../yaml/tree.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { BEFORE_CONTAINERS, targetOf, together } from "./fix.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** Path from the workload's object to the terms of its required node affinity. */
export function termsPath(podSpecPath: YamlPath): YamlPath {
  return [...podSpecPath, "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"];
}

/**
 * Edits after which the workload's nodes must meet the requirement as well: it goes into every term that there is, for
 * terms are alternatives; null where a term cannot be edited.
 */
export function requireLabel(context: WorkloadContext, requirement: NodeSelectorRequirement): Edits {
  const target = targetOf(context);
  const path = termsPath(context.item.podSpecPath);
  const plain: { readonly [field: string]: PlainValue } =
    requirement.values.length === 0 ? { key: requirement.key, operator: requirement.operator } : { ...requirement };
  const terms = itemsAt(target.root, path);
  if (terms.length > 0) {
    return together(terms.map((_, index) => appendItems(target, [...path, index, "matchExpressions"], [plain])));
  }
  return insertMissing(context, path, [{ matchExpressions: [plain] }]);
}

/** Inserts a value at a path of which only the beginning is there. */
function insertMissing(context: WorkloadContext, path: YamlPath, value: PlainValue): Edits {
  const target = targetOf(context);
  let known = path.length - 1;
  while (known > 0 && nodeAt(target.root, path.slice(0, known)) === null) known--;
  const key = path[known];
  if (typeof key !== "string") return null;
  const inner = path.slice(known + 1).reduceRight<PlainValue>((nested, step) => ({ [step]: nested }), value);
  const before = known === context.item.podSpecPath.length ? BEFORE_CONTAINERS : [];
  return insertEntry(target, path.slice(0, known), key, inner, before);
}

/** Edits that add a label to the nodeSelector, or begin it; null when the key is there already. */
export function selectLabel(context: WorkloadContext, key: string, value: string): Edits {
  const target = targetOf(context);
  const path = [...context.item.podSpecPath, "nodeSelector"];
  if (nodeAt(target.root, path) !== null) return insertEntry(target, path, key, value);
  return insertEntry(target, context.item.podSpecPath, "nodeSelector", { [key]: value }, BEFORE_CONTAINERS);
}
