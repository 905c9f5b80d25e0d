// Scheduling layer: the words of a placement answer. Types only.
import type { Taint } from "../kube/taint.ts";
import type { Toleration } from "../kube/toleration.ts";

/** For a DaemonSet; see the vocabulary in docs/architecture.md. */
export type DaemonSetVerdict = "run" | "keep" | "evict" | "affinity";
/** For every other workload, in order of precedence. */
export type PodVerdict = "affinity" | "taint" | "resource" | "fits";
export type Verdict = DaemonSetVerdict | PodVerdict;

/** Why a toleration does not match a taint. */
export type Difference =
  | "key"
  | "value"
  | "effect"
  | "operator"
  | "comparison-gate-off"
  | "not-an-integer"
  | "comparison";

/** A hard taint and what tolerates it, or what comes closest. */
export interface TaintAnswer {
  readonly taint: Taint;
  /** The first toleration in list order that matches; null when untolerated. */
  readonly toleratedBy: Toleration | null;
  /** Index in the template's list of `toleratedBy`; null when it is implied by the DaemonSet controller or added at admission. */
  readonly tolerationIndex: number | null;
  /** For an untolerated taint: the toleration that differs least, and in what; null when none shares anything with it. */
  readonly closest: {
    readonly toleration: Toleration;
    readonly index: number;
    readonly differs: readonly Difference[];
  } | null;
}

/** Why the node is not admitted. */
export interface SelectorMismatch {
  readonly where: "nodeName" | "nodeSelector" | "affinity";
  readonly key: string;
  readonly operator: string;
  readonly wanted: readonly string[];
  /** The node's value; null when the label is absent. */
  readonly found: string | null;
  /** Why the requirement matches no node at all; null when it can be read. */
  readonly problem: string | null;
}

export interface ShortResource {
  readonly resource: string;
  readonly requested: number;
  /** 0 also where the node does not name the resource (then `advertised` is false). */
  readonly allocatable: number;
  readonly advertised: boolean;
}

export interface Placement {
  readonly verdict: Verdict;
  /** Every hard taint of the node, tolerated or not, in the node's order. */
  readonly taints: readonly TaintAnswer[];
  readonly untolerated: readonly Taint[];
  readonly mismatches: readonly SelectorMismatch[];
  readonly short: readonly ShortResource[];
}

/** What the modelled control plane is. */
export interface SchedulingOptions {
  /** Gate TaintTolerationComparisonOperators: `Lt` and `Gt` tolerations match. Off by default in 1.37. */
  readonly comparisonOperators: boolean;
  /** Minor version whose wording the scheduler's sentence follows. */
  readonly minorVersion: number;
}

export const DEFAULT_SCHEDULING: SchedulingOptions = { comparisonOperators: false, minorVersion: 37 };
