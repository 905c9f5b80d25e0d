// Change layer: why the server refused a patch whose tests did not hold. Its own words for that name nothing.
import { isObject, type JsonObject } from "../kube/decode/reading.ts";
import { type JsonPatchStep, valueAt } from "../kube/json-patch.ts";

/** What a tested field is called. */
const WORDS: readonly (readonly [suffix: string, words: string])[] = [
  ["/uid", "it was replaced by another object of this name"],
  ["/generation", "somebody changed its specification"],
  ["/tolerations", "somebody changed its tolerations"],
  ["/taints", "somebody changed its taints"],
  ["/unschedulable", "somebody cordoned or uncordoned it"],
];

/** The first test of the patch that does not hold for the object as it is now, in words; null when all hold. */
export function changedMeanwhile(live: JsonObject, patch: readonly JsonPatchStep[]): string | null {
  for (const step of patch) {
    if (step.op !== "test" || equal(valueAt(live, step.path) ?? null, step.value)) continue;
    return WORDS.find(([suffix]) => step.path.endsWith(suffix))?.[1] ?? `somebody changed ${step.path}`;
  }
  return null;
}

function equal(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

/** The same with every object's keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
