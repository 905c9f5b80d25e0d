// Scheduling layer: one toleration against one taint, and in what they differ.
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import { parseComparable } from "./int64.ts";
import type { Difference, SchedulingOptions } from "./verdict.ts";

/** What of a taint matters to a toleration. */
export type TaintIdentity = Pick<Taint, "key" | "value" | "effect">;

/**
 * Whether the toleration matches the taint. Unknown operators never match; `Lt` and `Gt` only with the gate on.
 * Source: k8s.io/api/core/v1 Toleration.ToleratesTaint.
 */
export function tolerates(
  toleration: Toleration,
  taint: TaintIdentity,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): boolean {
  if (toleration.effect !== "" && toleration.effect !== taint.effect) return false;
  if (toleration.key !== "" && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case "":
    case "Equal":
      return toleration.value === taint.value;
    case "Exists":
      return true;
    case "Lt":
    case "Gt":
      return options.comparisonOperators && compares(toleration, taint.value);
    default:
      return false;
  }
}

/** Whether any toleration of the list matches the taint. Source: component-helpers TolerationsTolerateTaint. */
export function anyTolerates(
  tolerations: readonly Toleration[],
  taint: TaintIdentity,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): boolean {
  for (const toleration of tolerations) {
    if (tolerates(toleration, taint, options)) return true;
  }
  return false;
}

/** Every respect in which the toleration fails the taint, in the order key, effect, operator, value; empty when it matches. */
export function differences(
  toleration: Toleration,
  taint: TaintIdentity,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): readonly Difference[] {
  const found: Difference[] = [];
  if (toleration.key !== "" && toleration.key !== taint.key) found.push("key");
  if (toleration.effect !== "" && toleration.effect !== taint.effect) found.push("effect");
  const valueDifference = differenceInValue(toleration, taint.value, options);
  if (valueDifference !== null) found.push(valueDifference);
  return found;
}

function differenceInValue(
  toleration: Toleration,
  taintValue: string,
  options: Pick<SchedulingOptions, "comparisonOperators">,
): Difference | null {
  switch (toleration.operator) {
    case "":
    case "Equal":
      return toleration.value === taintValue ? null : "value";
    case "Exists":
      return null;
    case "Lt":
    case "Gt":
      if (!options.comparisonOperators) return "comparison-gate-off";
      if (parseComparable(toleration.value) === null || parseComparable(taintValue) === null) return "not-an-integer";
      return compares(toleration, taintValue) ? null : "comparison";
    default:
      return "operator";
  }
}

/** Source: k8s.io/api/core/v1 compareNumericValues: the taint's value is held against the toleration's. */
function compares(toleration: Toleration, taintValue: string): boolean {
  const limit = parseComparable(toleration.value);
  const value = parseComparable(taintValue);
  if (limit === null || value === null) return false;
  return toleration.operator === "Lt" ? value < limit : value > limit;
}
