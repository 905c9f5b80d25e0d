// Scheduling layer: a taint against a list of tolerations, with the reason.
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";
import type { EffectiveToleration } from "./implied-tolerations.ts";
import { differences, tolerates } from "./tolerates.ts";
import type { Difference, SchedulingOptions, TaintAnswer } from "./verdict.ts";

/**
 * Answers for one taint, whatever its effect: the first toleration in list order that matches, or the closest one.
 * Source of the order: component-helpers FindMatchingUntoleratedTaint.
 */
export function answerTaint(
  taint: Taint,
  tolerations: readonly EffectiveToleration[],
  options: SchedulingOptions,
): TaintAnswer {
  for (const { toleration, index } of tolerations) {
    if (tolerates(toleration, taint, options)) {
      return { taint, toleratedBy: toleration, tolerationIndex: index, closest: null };
    }
  }
  return { taint, toleratedBy: null, tolerationIndex: null, closest: closestToleration(taint, tolerations, options) };
}

/**
 * The written toleration that differs least from the taint; the first of equals. One that shares neither the key nor
 * a likely misspelling of it is not close, however alike its effect.
 */
function closestToleration(
  taint: Taint,
  tolerations: readonly EffectiveToleration[],
  options: SchedulingOptions,
): TaintAnswer["closest"] {
  let closest: TaintAnswer["closest"] = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { toleration, index } of tolerations) {
    if (index === null) continue;
    const differs = differences(toleration, taint, options);
    if (differs.includes("key") && !isNearKey(toleration, taint)) continue;
    const distance = differs.reduce((sum, difference) => sum + WEIGHT[difference], 0);
    if (distance < least) {
      least = distance;
      closest = { toleration, index, differs };
    }
  }
  return closest;
}

/** A toleration of the right key says most about what was meant; the effect is the commonest slip. */
const WEIGHT: Readonly<Record<Difference, number>> = {
  key: 8,
  value: 3,
  effect: 2,
  operator: 3,
  "comparison-gate-off": 3,
  "not-an-integer": 3,
  comparison: 3,
};

/** Whether the keys differ only in their domain, only in letter case, or in at most two letters. */
function isNearKey(toleration: Toleration, taint: Taint): boolean {
  const [written, meant] = [toleration.key.toLowerCase(), taint.key.toLowerCase()];
  if (written === meant) return true;
  const lastOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
  if (lastOf(written) === lastOf(meant)) return true;
  return Math.min(written.length, meant.length) >= 4 && editDistance(written, meant, 2) <= 2;
}

/** Levenshtein distance, or `limit + 1` as soon as it must exceed the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
