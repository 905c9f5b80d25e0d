// Coverage layer: the answer for one workload and one cluster. Types only; coverage-index.ts gives them.
import type { ClusterPod } from "../kube/pod.ts";
import type { Workload } from "../kube/workload.ts";
import type { Placement, Verdict } from "../scheduling/verdict.ts";
import type { Hosting, NodeHost } from "./hosting.ts";
import type { LiveMatch } from "./identity.ts";

/** Nodes that the workload's rules cannot tell apart. */
export interface CoverageClass {
  readonly verdict: Verdict;
  /** Names of nodes that are there, in the cluster's order. */
  readonly nodes: readonly string[];
  /** Names of declared pools whose nodes would be of this class. */
  readonly pools: readonly string[];
  /**
   * The placement on the first node. Verdict, taints and resources hold for every node of the class; the value that a
   * selector mismatch found may be another on labels with very many values (hostnames).
   */
  readonly placement: Placement;
  readonly host: NodeHost;
  /** Nodes that cannot host the workload are never gaps. */
  readonly hosting: Hosting;
}

/** Gap nodes where the workload's pods run today and would not come back. */
export interface TimeBomb {
  readonly class: CoverageClass;
  readonly nodes: readonly string[];
}

export interface WorkloadCoverage {
  readonly workload: Workload;
  /** The operating system the workload states, null when it states none. */
  readonly os: string | null;
  readonly live: LiveMatch;
  /** Number of nodes by verdict, declared pools included. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly classes: readonly CoverageClass[];
  /** Classes the workload is meant for and kept out of by a taint, that could host it: `keep`, `evict`, `taint`. */
  readonly gaps: readonly CoverageClass[];
  readonly timeBombs: readonly TimeBomb[];
  /** The exact placement on a node; null when there is no such node. */
  readonly placementOn: (node: string) => Placement | null;
  /** The verdict on a node, without its reasons; null when there is no such node. */
  readonly verdictOn: (node: string) => Verdict | null;
  /** What a node is as a host; null when there is no such node. */
  readonly hostOf: (node: string) => NodeHost | null;
  /** Whether a pod of the workload runs on the node; null when that is not known. */
  readonly running: (node: string) => boolean | null;
  /** The workload's running pods on a node; empty also when nothing is known. */
  readonly podsOn: (node: string) => readonly ClusterPod[];
}
