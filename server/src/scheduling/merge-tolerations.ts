// Scheduling layer: two toleration lists made one, as admission plugins do.
import type { Toleration } from "../kube/toleration.ts";

/**
 * Joins two lists; an entry that another one covers is dropped, and of equal ones the first stays.
 * Source: k8s.io/kubernetes/pkg/util/tolerations MergeTolerations.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  all.forEach((toleration, index) => {
    if (merged.some((kept) => covers(kept, toleration))) return;
    const later = all.slice(index + 1);
    if (later.some((other) => !equal(other, toleration) && covers(other, toleration))) return;
    merged.push(toleration);
  });
  return merged;
}

/**
 * Whether `wide` tolerates all that `narrow` does. An `Equal` written out is covered by one left out, not the other
 * way round. Source: k8s.io/kubernetes/pkg/util/tolerations isSuperset.
 */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (equal(wide, narrow)) return true;
  if (narrow.key !== wide.key && (wide.key !== "" || wide.operator !== "Exists")) return false;
  if (narrow.effect !== wide.effect && wide.effect !== "") return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== null) {
    if (narrow.tolerationSeconds === null || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  switch (wide.operator) {
    case "Equal":
    case "":
      return narrow.operator === "Equal" && narrow.value === wide.value;
    case "Exists":
      return true;
    default:
      return false;
  }
}

function equal(a: Toleration, b: Toleration): boolean {
  return (
    a.key === b.key &&
    a.operator === b.operator &&
    a.value === b.value &&
    a.effect === b.effect &&
    a.tolerationSeconds === b.tolerationSeconds
  );
}
