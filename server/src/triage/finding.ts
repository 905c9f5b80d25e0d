// Triage layer: what is wrong with a node, with its evidence and the chain of causes. Types only.
import type { FindingCode } from "../../../shared/src/codes.ts";
import type { Severity } from "../../../shared/src/severity.ts";
import type { ObjectRef } from "../kube/workload.ts";

/** One thing seen, with its time. */
export interface Evidence {
  /** A short sentence that quotes what was read. */
  readonly text: string;
  /** When it was seen or last seen, milliseconds; null when unknown. */
  readonly at: number | null;
  readonly object: ObjectRef | null;
}

/** One object of a finding that is about several: each missing DaemonSet, each waiting pod. */
export interface FindingItem {
  readonly object: ObjectRef | null;
  readonly severity: Severity;
  /** One line, without the node's name where the finding says it. */
  readonly message: string;
  /** What people will notice; empty where the message says it. */
  readonly consequence: string;
  /** The next thing to do about this one; empty where its cause says it. */
  readonly advice: string;
  readonly evidence: readonly Evidence[];
}

export interface Finding {
  /** Unique in its report, so that causes can be told apart. */
  readonly id: string;
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What, where, why, what to do; names the node, the taint, the toleration. */
  readonly message: string;
  /** What people will notice; empty where the message says it. */
  readonly consequence: string;
  readonly object: ObjectRef | null;
  readonly evidence: readonly Evidence[];
  /** Ids of the findings (of this node) that cause this one. */
  readonly causedBy: readonly string[];
  /** The next thing to do; empty where the cause says it. */
  readonly advice: string;
  /** Since when it holds, milliseconds; null when unknown. */
  readonly since: number | null;
  /** One per object; never empty, and a node has one finding per code. */
  readonly items: readonly FindingItem[];
}

/** The root of a chain: a finding, or `outside` when no finding of a node is the cause. */
export interface Root {
  readonly code: FindingCode | "outside";
  /** Where the root lies; null when it is this node. */
  readonly object: ObjectRef | null;
  /** In words, one line: "rdma/hca gone: device plugin blocked by dedicated=rdma:NoSchedule". */
  readonly summary: string;
  /** The next thing to do. */
  readonly advice: string;
  /** Workloads whose manifests hold the remedy, a toleration; empty for every other remedy. */
  readonly fixIn: readonly ObjectRef[];
}

export interface NodeTriage {
  readonly name: string;
  readonly severity: Severity | "none";
  readonly roots: readonly Root[];
  /** Cause first, symptom last. */
  readonly findings: readonly Finding[];
}

/** A pod that must not be charged to any node. */
export interface PodTriage {
  readonly namespace: string;
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly root: Root;
}

/** One cause for many nodes, shown once above them. */
export interface ClusterCause {
  readonly summary: string;
  readonly nodes: readonly string[];
  /** The next thing to do. */
  readonly advice: string;
}

export interface TriageReport {
  readonly cluster: string;
  readonly observedAt: number | null;
  readonly nodes: readonly NodeTriage[];
  readonly pods: readonly PodTriage[];
  readonly clusterCauses: readonly ClusterCause[];
  /** What could not be judged, in words: "events are not in the file: mount failures are unknown". */
  readonly unknown: readonly string[];
}
