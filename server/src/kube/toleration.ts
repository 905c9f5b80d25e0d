// Kubernetes data layer: tolerations as plain data.

/**
 * A toleration as written. Fields hold what the source says, also where the API server would refuse it:
 * judging is the scheduling layer's work.
 */
export interface Toleration {
  /** Empty: matches every key (valid only with operator Exists). */
  readonly key: string;
  /** `""` means Equal. */
  readonly operator: string;
  readonly value: string;
  /** Empty: matches every effect. */
  readonly effect: string;
  /** Seconds; null when unset (for ever). */
  readonly tolerationSeconds: number | null;
}

/** Writes a toleration on one line for people, e.g. `dedicated=rdma:NoSchedule`, `nvidia.com/gpu Exists`, `Exists (every taint)`. */
export function formatToleration(toleration: Toleration): string {
  const effect = toleration.effect === "" ? "" : `:${toleration.effect}`;
  const seconds = toleration.tolerationSeconds === null ? "" : ` for ${toleration.tolerationSeconds}s`;
  if (toleration.operator === "" || toleration.operator === "Equal") {
    const value = toleration.value === "" ? "" : `=${toleration.value}`;
    return `${toleration.key}${value}${effect}${seconds}`;
  }
  if (toleration.operator === "Exists") {
    return toleration.key === ""
      ? `Exists${effect} (every key)${seconds}`
      : `${toleration.key}${effect} Exists${seconds}`;
  }
  const words = [toleration.key, toleration.operator, toleration.value].filter((word) => word !== "");
  return `${words.join(" ")}${effect}${seconds}`;
}
