// Kubernetes data layer: a workload as plain data, the same for a file and for a live object.
import type { PodSpec } from "./pod-spec.ts";

/** The controller reference of an object (metadata.ownerReferences with controller: true). */
export interface OwnerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** How an object names itself, on the wire and in every output. */
export interface ObjectRef {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string | null;
}

export interface UpdateStrategy {
  /** RollingUpdate, OnDelete, Recreate; empty when unset (the kind's default). */
  readonly type: string;
  /** As written (`1`, `25%`); empty when unset. */
  readonly maxSurge: string;
  readonly maxUnavailable: string;
}

/** Tools that deploy a source (fix the source), told from labels and annotations. */
export type Deployer = "Helm" | "Kustomize" | "Argo CD" | "Flux" | "Terraform";

export interface Workload {
  /** API group, empty for core; `extensions` is read as apps. */
  readonly group: string;
  readonly kind: string;
  /** null where the manifest names none. */
  readonly namespace: string | null;
  /** null when only generateName is given. */
  readonly name: string | null;
  readonly generateName: string | null;
  /** Empty for a manifest. */
  readonly uid: string;
  /** Milliseconds since the epoch, null when unknown. */
  readonly createdAt: number | null;
  readonly labels: Readonly<Record<string, string>>;
  /** spec.selector in canonical text (sorted `k=v` and expressions joined by `,`); empty when there is none. */
  readonly selector: string;
  readonly templateLabels: Readonly<Record<string, string>>;
  readonly template: PodSpec;
  /** null when unset or the kind has none. */
  readonly replicas: number | null;
  /** Job or CronJob with suspend: true. */
  readonly suspended: boolean;
  /** A Job whose status says Complete or Failed, a Pod that Succeeded or Failed. */
  readonly finished: boolean;
  readonly updateStrategy: UpdateStrategy | null;
  readonly controller: OwnerRef | null;
  /** app.kubernetes.io/managed-by; empty when unset. */
  readonly managedBy: string;
  /** Found by labels, annotations; null when nothing shows one. */
  readonly deployer: Deployer | null;
}

/** The workload's name in outputs. */
export function workloadRef(workload: Workload): ObjectRef {
  return { kind: workload.kind, namespace: workload.namespace, name: workload.name };
}

/** `Kind/namespace/name`, or `Kind/name` without a namespace; a generated name ends in `*`. */
export function formatRef(ref: ObjectRef & { readonly generateName?: string | null }): string {
  const name = ref.name ?? (ref.generateName ? `${ref.generateName}*` : "(no name)");
  return ref.namespace === null ? `${ref.kind}/${name}` : `${ref.kind}/${ref.namespace}/${name}`;
}
