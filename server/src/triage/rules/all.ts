// Triage layer, rules: the table of rules that judge one node each.
import type { ClusterFacts } from "../facts/cluster.ts";
import type { NodeFacts } from "../facts/node.ts";
import type { Symptom } from "../symptom.ts";
import { csiDriverMissing } from "./csi-driver-missing.ts";
import { extendedResourceDegraded } from "./extended-resource-degraded.ts";
import { extendedResourceGone } from "./extended-resource-gone.ts";
import { extendedResourceOvercommitted } from "./extended-resource-overcommitted.ts";
import { imagePullFailing } from "./image-pull-failing.ts";
import { nodeClockSkew } from "./node-clock-skew.ts";
import { nodeCondition } from "./node-condition.ts";
import { nodeFlapping } from "./node-flapping.ts";
import { nodeNotInitialized } from "./node-not-initialized.ts";
import { nodeNotReady } from "./node-not-ready.ts";
import { nodeUnknown } from "./node-unknown.ts";
import { nodeUnschedulable } from "./node-unschedulable.ts";
import { nodeVersionSkew } from "./node-version-skew.ts";
import { nodeWarning } from "./node-warning.ts";
import { platformPodMissing } from "./platform-pod-missing.ts";
import { platformPodNotReady } from "./platform-pod-not-ready.ts";
import { platformPodTimeBomb } from "./platform-pod-time-bomb.ts";
import { podRejected } from "./pod-rejected.ts";
import { podStuckCreating } from "./pod-stuck-creating.ts";
import { podStuckTerminating } from "./pod-stuck-terminating.ts";
import { podsEvicted } from "./pods-evicted.ts";
import { taintLeftBehind } from "./taint-left-behind.ts";

export type NodeRule = (facts: ClusterFacts, node: NodeFacts) => readonly Symptom[];

/** pod-pending is not among them: it weighs all nodes against each other. */
export const NODE_RULES: readonly NodeRule[] = [
  nodeUnknown,
  nodeNotReady,
  nodeFlapping,
  nodeCondition,
  nodeWarning,
  nodeClockSkew,
  nodeVersionSkew,
  nodeNotInitialized,
  taintLeftBehind,
  nodeUnschedulable,
  imagePullFailing,
  podsEvicted,
  platformPodMissing,
  platformPodNotReady,
  platformPodTimeBomb,
  csiDriverMissing,
  extendedResourceGone,
  extendedResourceDegraded,
  extendedResourceOvercommitted,
  podRejected,
  podStuckCreating,
  podStuckTerminating,
];
