// Scheduling layer: the verdict for one workload on one node, with every reason.
import type { ClusterNode } from "../kube/node.ts";
import type { PodSpec } from "../kube/pod-spec.ts";
import { isHardEffect, type Taint } from "../kube/taint.ts";
import { daemonSetTolerations, type EffectiveToleration, templateTolerations } from "./implied-tolerations.ts";
import { admits, type CompiledSelection, compileSelection, selectorMismatches } from "./node-affinity.ts";
import { shortResources } from "./resource-fit.ts";
import { answerTaint } from "./taint-answer.ts";
import type { Placement, SchedulingOptions, Verdict } from "./verdict.ts";

/** What of a node placement reads. */
export type PlaceableNode = Pick<ClusterNode, "name" | "labels" | "taints" | "unschedulable" | "allocatable">;

/**
 * Which rules hold for a workload's pods: `daemonset`; `scheduled` by the scheduler; `pinned` by nodeName, so that
 * only the kubelet judges; `static`, so that not even NoExecute counts.
 */
export type PlacementMode = "daemonset" | "scheduled" | "pinned" | "static";

/** A workload's placement, read once and asked about many nodes. */
export interface CompiledPlacement {
  readonly mode: PlacementMode;
  readonly selection: CompiledSelection;
  readonly tolerations: readonly EffectiveToleration[];
  readonly spec: PodSpec;
}

const CORDON: Taint = {
  key: "node.kubernetes.io/unschedulable",
  value: "",
  effect: "NoSchedule",
  timeAdded: null,
};

/**
 * Reads a workload's placement rules: `kind` DaemonSet brings the implied tolerations; `staticPod` is for mirror pods
 * and files of the kubelet's manifest folder.
 */
export function compilePlacement(workload: {
  readonly kind: string;
  readonly template: PodSpec;
  readonly staticPod?: boolean;
}): CompiledPlacement {
  const spec = workload.template;
  const mode = modeOf(workload.kind, spec, workload.staticPod ?? false);
  const tolerations = mode === "daemonset" ? daemonSetTolerations(spec) : templateTolerations(spec);
  return { mode, selection: compileSelection(spec), tolerations, spec };
}

function modeOf(kind: string, spec: PodSpec, staticPod: boolean): PlacementMode {
  if (kind === "DaemonSet") return "daemonset";
  if (staticPod) return "static";
  return spec.nodeName === "" ? "scheduled" : "pinned";
}

/**
 * The taints of a node that count for this way of placing: the hard ones; NoExecute alone where the scheduler is
 * skipped; none for a static pod. A cordoned node that does not carry the cordon taint yet counts as if it did, except
 * for DaemonSets, whose controller reads taints only. Sources: daemon.predicates, plugins nodeunschedulable and
 * tainttoleration, k8s.io/kubernetes/pkg/kubelet/lifecycle generalFilter.
 */
export function countingTaints(
  mode: PlacementMode,
  node: Pick<PlaceableNode, "taints" | "unschedulable">,
): readonly Taint[] {
  if (mode === "static") return [];
  if (mode === "pinned") return node.taints.filter((taint) => taint.effect === "NoExecute");
  const hard = node.taints.filter((taint) => isHardEffect(taint.effect));
  if (mode === "daemonset" || !node.unschedulable) return hard;
  const cordoned = hard.some((taint) => taint.key === CORDON.key && taint.effect === CORDON.effect);
  return cordoned ? hard : [...hard, CORDON];
}

/**
 * The verdict of the workload on the node, with its reasons. For a DaemonSet `short` is told beside the verdict, for
 * its controller does not look at resources. Sources: daemon.NodeShouldRunDaemonPod; the scheduler's filters in the
 * project's own precedence (affinity, taint, resource).
 */
export function placeCompiled(
  placement: CompiledPlacement,
  node: PlaceableNode,
  options: SchedulingOptions,
): Placement {
  const admitted = admits(placement.selection, node);
  const taints = countingTaints(placement.mode, node).map((taint) =>
    answerTaint(taint, placement.tolerations, options),
  );
  const untolerated = taints.filter((answer) => answer.toleratedBy === null).map((answer) => answer.taint);
  const short = shortResources(placement.spec.requests, node.allocatable);
  return {
    verdict: verdictOf(placement.mode, admitted, untolerated, short.length > 0),
    taints,
    untolerated,
    mismatches: admitted ? [] : selectorMismatches(placement.selection, node),
    short,
  };
}

/** The verdict that follows from the three answers. */
export function verdictOf(
  mode: PlacementMode,
  admitted: boolean,
  untolerated: readonly Taint[],
  short: boolean,
): Verdict {
  if (!admitted) return "affinity";
  if (mode === "daemonset") {
    if (untolerated.length === 0) return "run";
    return untolerated.some((taint) => taint.effect === "NoExecute") ? "evict" : "keep";
  }
  if (untolerated.length > 0) return "taint";
  return short ? "resource" : "fits";
}

/** `placeCompiled` for a single question. */
export function place(
  workload: { readonly kind: string; readonly template: PodSpec; readonly staticPod?: boolean },
  node: PlaceableNode,
  options: SchedulingOptions,
): Placement {
  return placeCompiled(compilePlacement(workload), node, options);
}
