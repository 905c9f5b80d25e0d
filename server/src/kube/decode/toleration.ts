// Kubernetes data layer, decoding: tolerations and taints.
import type { Taint, TaintEffect } from "../taint.ts";
import type { Toleration } from "../toleration.ts";
import { integerOf, isObject, listOf, textOf, timeOf } from "./reading.ts";

/** A list of tolerations, kept as written and in its order; an item that is no mapping becomes one that matches nothing. */
export function decodeTolerations(value: unknown): readonly Toleration[] {
  return listOf(value).map(decodeToleration);
}

function decodeToleration(value: unknown): Toleration {
  // An item of a wrong type keeps its place: indices must stay those of the source. An empty toleration would match.
  if (!isObject(value)) return { key: "", operator: "invalid", value: "", effect: "", tolerationSeconds: null };
  const toleration = value;
  return {
    key: textOf(toleration.key),
    operator: textOf(toleration.operator),
    value: textOf(toleration.value),
    effect: textOf(toleration.effect),
    tolerationSeconds: integerOf(toleration.tolerationSeconds),
  };
}

/** A node's taints; entries without key or with an effect Kubernetes does not know are left out (the API refuses them). */
export function decodeTaints(value: unknown): readonly Taint[] {
  const taints: Taint[] = [];
  for (const item of listOf(value)) {
    if (!isObject(item)) continue;
    const key = textOf(item.key);
    const effect = effectOf(item.effect);
    if (key === "" || effect === null) continue;
    taints.push({ key, value: textOf(item.value), effect, timeAdded: timeOf(item.timeAdded) });
  }
  return taints;
}

function effectOf(value: unknown): TaintEffect | null {
  return value === "NoSchedule" || value === "PreferNoSchedule" || value === "NoExecute" ? value : null;
}
