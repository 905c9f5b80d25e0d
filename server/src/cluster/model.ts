// Cluster layer: what is known of one cluster. Immutable: a change makes a new model that shares the rest.
import type { CsiDriver, CsiNode } from "../kube/csi.ts";
import type { DeviceClass, ResourceSlice } from "../kube/device.ts";
import type { ClusterEvent } from "../kube/event.ts";
import type { NodeLease } from "../kube/lease.ts";
import type { Namespace } from "../kube/namespace.ts";
import type { ClusterNode } from "../kube/node.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { RuntimeClass } from "../kube/runtime-class.ts";
import type { Workload } from "../kube/workload.ts";

/** The parts a model can have or lack. Workloads other than DaemonSets count as `owners`. */
export type ClusterPart =
  | "nodes"
  | "daemonsets"
  | "pods"
  | "owners"
  | "namespaces"
  | "events"
  | "csinodes"
  | "csidrivers"
  | "runtimeclasses"
  | "deviceclasses"
  | "resourceslices"
  | "leases";

export const CLUSTER_PARTS: readonly ClusterPart[] = [
  "nodes",
  "daemonsets",
  "pods",
  "owners",
  "namespaces",
  "events",
  "csinodes",
  "csidrivers",
  "runtimeclasses",
  "deviceclasses",
  "resourceslices",
  "leases",
];

/** `known`: read whole; `missing`: not in the file; `forbidden`, `failed`: a live list was refused or broke. */
export type PartState = "known" | "missing" | "forbidden" | "failed";

export type ClusterOrigin = "live" | "cache" | "file" | "none";

export type { CsiDriver, CsiNode } from "../kube/csi.ts";
export type { DeviceClass, ResourceSlice } from "../kube/device.ts";
export type { NodeLease } from "../kube/lease.ts";
export type { Namespace } from "../kube/namespace.ts";
export type { RuntimeClass } from "../kube/runtime-class.ts";

/** Other objects that prove something by being there: autoscalers, pool objects. */
export interface AutoscalerSigns {
  /** What showed it, in words: "NodePool default", "Deployment kube-system/cluster-autoscaler". */
  readonly signs: readonly string[];
}

export interface ClusterModel {
  /** Context name, file name, or the name a snapshot carries. */
  readonly name: string;
  readonly origin: ClusterOrigin;
  /** Observation time, milliseconds since the epoch; null: everything that depends on age is unknown. */
  readonly observedAt: number | null;
  /**
   * true: `observedAt` is the newest time found inside of a dump, which was taken then or later; ages are at least what
   * they seem, and a later time of a node contradicts nothing by itself. Absent where the time is known.
   */
  readonly observedAtLeast?: boolean;
  readonly parts: Readonly<Record<ClusterPart, PartState>>;
  /** Where a part is not known as a whole: the namespaces in which it was read all the same. */
  readonly readNamespaces?: Readonly<Partial<Record<ClusterPart, readonly string[]>>>;
  /** By name, sorted by name. */
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  /** Every live object with a pod template, DaemonSets among them; Pods are in `pods`. */
  readonly workloads: readonly Workload[];
  readonly pods: readonly ClusterPod[];
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly events: readonly ClusterEvent[];
  readonly csiNodes: ReadonlyMap<string, CsiNode>;
  readonly csiDrivers: ReadonlyMap<string, CsiDriver>;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClass>;
  readonly deviceClasses: readonly DeviceClass[];
  readonly resourceSlices: readonly ResourceSlice[];
  readonly leases: ReadonlyMap<string, NodeLease>;
  readonly autoscaler: AutoscalerSigns;
  /** The API server's version where it is known (from a version file of a dump, /version), e.g. "1.37"; empty otherwise. */
  readonly serverVersion: string;
}
