// Cluster layer: what is known of one cluster. Immutable: a change makes a new model that shares the rest.
import type { ClusterEvent } from "../kube/event.ts";
import type { ClusterNode } from "../kube/node.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { Resources } from "../kube/resources.ts";
import type { Toleration } from "../kube/toleration.ts";
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

export interface Namespace {
  readonly name: string;
  /** scheduler.alpha.kubernetes.io/{defaultTolerations,node-selector,tolerationsWhitelist}, openshift.io/node-selector. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

export interface CsiNode {
  readonly name: string;
  readonly drivers: readonly {
    readonly name: string;
    readonly nodeID: string;
    readonly allocatableCount: number | null;
  }[];
}

export interface CsiDriver {
  readonly name: string;
  readonly attachRequired: boolean;
  /** spec.preventPodSchedulingIfMissing. */
  readonly preventsScheduling: boolean;
}

export interface RuntimeClass {
  readonly name: string;
  readonly handler: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly overhead: Resources;
}

export interface DeviceClass {
  readonly name: string;
  /** spec.extendedResourceName; empty when unset. */
  readonly extendedResourceName: string;
}

export interface ResourceSlice {
  readonly name: string;
  readonly driver: string;
  /** spec.nodeName; empty when the pool is not local to a node. */
  readonly nodeName: string;
  readonly pool: string;
  readonly devices: number;
}

/** A node's lease in kube-node-lease. */
export interface NodeLease {
  readonly nodeName: string;
  readonly renewTime: number | null;
}

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
  readonly parts: Readonly<Record<ClusterPart, PartState>>;
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
