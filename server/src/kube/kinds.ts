// Kubernetes data layer: which group and kind holds a pod spec, and where.

export interface WorkloadKind {
  /** API group, empty for core. */
  readonly group: string;
  readonly kind: string;
  /** Path from the object to its PodSpec. */
  readonly podSpecPath: readonly string[];
}

/** Matched by group and kind, whatever the version: volcano has kinds named Job and CronJob too. */
export const WORKLOAD_KINDS: readonly WorkloadKind[] = [
  { group: "", kind: "Pod", podSpecPath: ["spec"] },
  { group: "", kind: "ReplicationController", podSpecPath: ["spec", "template", "spec"] },
  { group: "", kind: "PodTemplate", podSpecPath: ["template", "spec"] },
  { group: "apps", kind: "ReplicaSet", podSpecPath: ["spec", "template", "spec"] },
  { group: "apps", kind: "Deployment", podSpecPath: ["spec", "template", "spec"] },
  { group: "apps", kind: "StatefulSet", podSpecPath: ["spec", "template", "spec"] },
  { group: "apps", kind: "DaemonSet", podSpecPath: ["spec", "template", "spec"] },
  { group: "batch", kind: "Job", podSpecPath: ["spec", "template", "spec"] },
  { group: "batch", kind: "CronJob", podSpecPath: ["spec", "jobTemplate", "spec", "template", "spec"] },
];

/** Splits `apiVersion` into its group, empty for core (`v1`). */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** The kind's entry, or null when it is no workload of ours. `extensions` and old beta groups of apps are read as apps. */
export function workloadKind(apiVersion: string, kind: string): WorkloadKind | null {
  const written = groupOf(apiVersion);
  const group = written === "extensions" ? "apps" : written;
  return WORKLOAD_KINDS.find((entry) => entry.group === group && entry.kind === kind) ?? null;
}
