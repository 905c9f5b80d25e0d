// Kubernetes data layer: taints as plain data and in kubectl's notation.

/** The three effects of k8s.io/api/core/v1 TaintEffect. */
export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

export interface Taint {
  readonly key: string;
  /** Empty when the taint has no value. */
  readonly value: string;
  readonly effect: TaintEffect;
  /** Milliseconds since the epoch; null where nobody set it (people and the kubelet do not). */
  readonly timeAdded: number | null;
}

/**
 * Writes a taint as kubectl does: `key=value:Effect`, or `key:Effect` without a value.
 * Source: k8s.io/api/core/v1 Taint.ToString.
 */
export function formatTaint(taint: Pick<Taint, "key" | "value" | "effect">): string {
  return taint.value === "" ? `${taint.key}:${taint.effect}` : `${taint.key}=${taint.value}:${taint.effect}`;
}

/** Whether the effect keeps pods away (NoSchedule, NoExecute); PreferNoSchedule never makes a gap. */
export function isHardEffect(effect: string): boolean {
  return effect === "NoSchedule" || effect === "NoExecute";
}
