// Triage layer: what the caller can set, with its defaults and their reasons.
import type { ClusterModel } from "../cluster/model.ts";
import type { TaintPattern } from "../config/pattern.ts";
import type { ExpectedGap, RoleRule, WorkspaceConfig } from "../config/workspace.ts";
import { DEFAULT_SCHEDULING, type SchedulingOptions } from "../scheduling/verdict.ts";

const MINUTE = 60_000;

export interface TriageOptions {
  /** Observation time, milliseconds; null: the model's own. Without either, everything that depends on age is unknown. */
  readonly now: number | null;
  /** Names of the nodes to report on; null: all. The others are still read, for causes and peers. */
  readonly nodes: readonly string[] | null;
  /** An earlier model of the same cluster: what the nodes used to offer. */
  readonly baseline: ClusterModel | null;
  /** How long a pod, a plugin or a node may take to start before it counts as stuck, milliseconds. */
  readonly graceMs: number;
  /** How long an owner (cloud controller, Karpenter …) may take to prepare a node, milliseconds. */
  readonly initializationMs: number;
  /** From which age on a cordon no longer looks like maintenance under way, milliseconds. */
  readonly cordonMs: number;
  readonly scheduling: SchedulingOptions;
  /** Roles that the workspace file states. */
  readonly roles: readonly RoleRule[];
  /** Gaps that the workspace file calls expected: they are no findings. */
  readonly expected: readonly ExpectedGap[];
  /** Taints that go by themselves, beside the built-in ones. */
  readonly transientTaints: readonly TaintPattern[];
}

/** What the workspace file sets of it. */
export function triageOptions(
  config: Pick<WorkspaceConfig, "roles" | "expected" | "transientTaints">,
): Pick<TriageOptions, "roles" | "expected" | "transientTaints"> {
  return { roles: config.roles, expected: config.expected, transientTaints: config.transientTaints };
}

/**
 * Grace: five minutes, for the kubelet itself keeps a stopped device plugin's devices that long, and a first image pull
 * takes minutes. Initialization: ten, for machines with accelerators load drivers first. Cordon: a day.
 */
export const DEFAULT_TRIAGE: TriageOptions = {
  now: null,
  nodes: null,
  baseline: null,
  graceMs: 5 * MINUTE,
  initializationMs: 10 * MINUTE,
  cordonMs: 24 * 60 * MINUTE,
  scheduling: DEFAULT_SCHEDULING,
  roles: [],
  expected: [],
  transientTaints: [],
};
