// Scheduling layer: how long a running pod stays on a node whose NoExecute taints it may or may not tolerate.
import type { Taint } from "../kube/taint.ts";
import type { EffectiveToleration } from "./implied-tolerations.ts";
import { tolerates } from "./tolerates.ts";
import type { SchedulingOptions } from "./verdict.ts";

/** When the taint eviction controller removes a pod, and what decides it. */
export interface Eviction {
  /** Seconds after the last of the taints appeared; 0 at once. */
  readonly afterSeconds: number;
  /** The taint that decides: the first untolerated one, else the one whose toleration ends first. */
  readonly taint: Taint;
  /** The toleration that ends; null when the taint is not tolerated at all. */
  readonly toleration: EffectiveToleration | null;
}

/**
 * When a pod with these tolerations is evicted from a node with these taints; null when it stays. For each NoExecute
 * taint the first toleration in list order that matches counts, even where a longer one follows; the pod leaves with
 * the smallest of their seconds, and at once where that is 0 or less or a taint is not tolerated.
 * Source: k8s.io/kubernetes/pkg/controller/tainteviction processPodOnNode and getMinTolerationTime.
 */
export function evictionOf(
  tolerations: readonly EffectiveToleration[],
  taints: readonly Taint[],
  options: SchedulingOptions,
): Eviction | null {
  let earliest: Eviction | null = null;
  for (const taint of taints) {
    if (taint.effect !== "NoExecute") continue;
    const toleration = tolerations.find((entry) => tolerates(entry.toleration, taint, options)) ?? null;
    if (toleration === null) return { afterSeconds: 0, taint, toleration: null };
    const seconds = toleration.toleration.tolerationSeconds;
    if (seconds === null) continue;
    const afterSeconds = Math.max(seconds, 0);
    if (earliest === null || afterSeconds < earliest.afterSeconds) earliest = { afterSeconds, taint, toleration };
  }
  return earliest;
}
