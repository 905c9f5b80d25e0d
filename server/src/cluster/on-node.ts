// Cluster layer: what was asked of a node's kubelet through the API server, and what came of it. Plain data.
import type { NodeLogQuery } from "../kube/node-proxy.ts";
import type { NodeStats } from "../kube/node-stats.ts";

/** What is to be asked of one node. */
export interface OnNodeQuestions {
  readonly node: string;
  /** Milliseconds since the epoch: older lines are not judged, though the queries may ask for them. */
  readonly from: number;
  readonly kubelet: NodeLogQuery;
  /** null: the runtime has no log of its own that could be asked for. */
  readonly runtime: NodeLogQuery | null;
}

/**
 * The answer to one question. `not allowed`: a right is missing; `not enabled`: this node's kubelet does not serve it;
 * `failed`: no answer, or none that can be read. `reason` is one or more whole sentences.
 */
export type Asked<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "not allowed" | "not enabled"; readonly reason: string }
  /** `reached`: whether the kubelet itself was. */
  | { readonly kind: "failed"; readonly reason: string; readonly reached: boolean };

export interface MeasuredStats {
  readonly stats: NodeStats;
  /** Milliseconds that the node's clock is ahead of the API server's, to a second; null when nothing tells. */
  readonly clockAhead: number | null;
}

export interface NodeLog {
  /** As the node wrote them, the newest first where a pattern was asked for. */
  readonly lines: readonly string[];
  /** Whether there is more than was read. */
  readonly truncated: boolean;
}

export interface OnNodeReading {
  readonly stats: Asked<MeasuredStats>;
  readonly kubelet: Asked<NodeLog>;
  /** null: it was not asked for. */
  readonly runtime: Asked<NodeLog> | null;
}

/** What is known of a node's own facts when a report is made. */
export type OnNode =
  /** `off`: the setting; `file`: the cluster is not live. */
  | { readonly kind: "not asked"; readonly why: "off" | "file" }
  | { readonly kind: "read"; readonly reading: OnNodeReading };
