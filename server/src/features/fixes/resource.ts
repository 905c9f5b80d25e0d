// Features layer, fixes: request and limit of an extended resource made equal.
import { parseQuantity } from "../../kube/quantity.ts";
import type { ResourceError } from "../../scheduling/validate-resources.ts";
import { insertEntry, setScalar } from "../../yaml/edit/index.ts";
import { nodeAt } from "../../yaml/locate.ts";
import type { YamlNode, YamlPath } from "../../yaml/tree.ts";
import type { Fix } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { fill } from "../fill.ts";
import { fixOf, targetOf } from "./fix.ts";

export const messages = {
  limit: "Set the limit to {amount} as well",
  raise: "Set both to the limit of {amount}",
  lower: "Set both to the request of {amount}",
} as const;

/** `path` is that of `resources`, from the workload's object. */
export function resourceFixes(
  context: WorkloadContext,
  path: YamlPath,
  { rule, resource }: ResourceError,
): readonly Fix[] {
  const target = targetOf(context);
  const request = nodeAt(target.root, [...path, "requests", resource]);
  const limit = nodeAt(target.root, [...path, "limits", resource]);
  if (rule === "limit-missing") {
    const amount = amountOf(request);
    if (amount === null) return [];
    const edits = insertEntry(target, [...path, "limits"], resource, amount);
    return fixOf(fill(messages.limit, { amount }), edits, "suggested", true);
  }
  if (rule !== "not-equal") return [];
  const [asked, capped] = [amountOf(request), amountOf(limit)];
  const raise = capped === null ? null : setScalar(target, [...path, "requests", resource], capped);
  const lower = asked === null ? null : setScalar(target, [...path, "limits", resource], asked);
  return [
    ...fixOf(fill(messages.raise, { amount: capped ?? "" }), raise, "suggested", true),
    ...fixOf(fill(messages.lower, { amount: asked ?? "" }), lower),
  ];
}

/** The amount as written, where it is one that the API server accepts for a device. */
function amountOf(node: YamlNode | null): string | number | null {
  if (node?.kind !== "scalar") return null;
  const quantity = parseQuantity(node.source);
  if (quantity === null || quantity.value < 0 || quantity.milli !== quantity.value * 1000) return null;
  return node.value.type === "number" && Number.isSafeInteger(node.value.value) ? node.value.value : node.source;
}
