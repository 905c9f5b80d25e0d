// Kubernetes data layer: a Pod of a cluster as plain data.
import type { NodeCondition } from "./node.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { OwnerRef } from "./workload.ts";

export interface ContainerStatus {
  readonly name: string;
  readonly init: boolean;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly waiting: { readonly reason: string; readonly message: string } | null;
  readonly running: { readonly startedAt: number | null } | null;
  readonly terminated: ContainerEnd | null;
  readonly lastTerminated: ContainerEnd | null;
}

export interface ContainerEnd {
  readonly reason: string;
  readonly message: string;
  readonly exitCode: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

export interface ClusterPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly controller: OwnerRef | null;
  readonly spec: PodSpec;
  readonly phase: string;
  /** status.reason and status.message, e.g. Evicted. */
  readonly reason: string;
  readonly message: string;
  readonly startTime: number | null;
  /** The time after which it should be gone (metadata.deletionTimestamp), milliseconds. */
  readonly deletedAt: number | null;
  readonly deletionGraceSeconds: number | null;
  readonly finalizers: readonly string[];
  /** Same shape as a node's condition; Ready, PodScheduled, DisruptionTarget … */
  readonly conditions: readonly NodeCondition[];
  readonly containers: readonly ContainerStatus[];
  readonly nominatedNodeName: string;
  /** Annotation kubernetes.io/config.mirror is set: a static pod's mirror. */
  readonly mirror: boolean;
  /** spec.priority; null when unset. */
  readonly priority: number | null;
}
