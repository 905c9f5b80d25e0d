// Triage layer, chain: what the rules that link causes ask of two symptoms.
import { familyOf } from "../facts/resources.ts";
import type { FailureKind } from "../read/failure.ts";
import type { Symptom } from "../symptom.ts";

/** Whether the effect's own words tell a failure of one of these kinds. */
export function failsBy(symptom: Symptom, kinds: readonly FailureKind[]): boolean {
  return symptom.about.failure !== null && kinds.includes(symptom.about.failure.kind);
}

/** Everything that the components themselves say of it. */
export function textOf(symptom: Symptom): string {
  return symptom.about.texts.join(" ");
}

/** Whether the lists have an entry in common. */
export function share(a: readonly string[], b: readonly string[]): boolean {
  return a.some((entry) => b.includes(entry));
}

/** Whether both are about resources of one family, such as whole devices and their partitions. */
export function shareFamily(cause: Symptom, effect: Symptom): boolean {
  return share(cause.about.resources.map(familyOf), effect.about.resources.map(familyOf));
}
