// Kubernetes data layer: a Node as plain data.
import type { Resources } from "./resources.ts";
import type { Taint } from "./taint.ts";

export interface NodeCondition {
  readonly type: string;
  /** True, False, Unknown; as written. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch, null when absent. */
  readonly lastTransitionTime: number | null;
  readonly lastHeartbeatTime: number | null;
}

export interface NodeInfo {
  readonly kubeletVersion: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly operatingSystem: string;
  readonly architecture: string;
  readonly containerRuntimeVersion: string;
  readonly bootID: string;
}

/** Where an object was read: the file and the UTF-16 offset of its document or item. */
export interface SourcePlace {
  readonly path: string;
  readonly offset: number;
}

export interface ClusterNode {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number | null;
  readonly deletedAt: number | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Only the listed annotations; see kube/decode. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly providerID: string;
  /** null when the node has no status.capacity: unknown, never short. */
  readonly capacity: Resources | null;
  readonly allocatable: Resources | null;
  readonly conditions: readonly NodeCondition[];
  readonly info: NodeInfo | null;
  /** Names of volumes in status.volumesAttached. */
  readonly volumesAttached: readonly string[];
  /** null for a live cluster. */
  readonly place: SourcePlace | null;
}
