// Coverage layer: what putting a taint on nodes, or taking one off, would change.
import { applyTaint, type TaintChange, taintNode } from "../cluster/taint-change.ts";
import type { ClusterPod } from "../kube/pod.ts";
import type { Taint } from "../kube/taint.ts";
import type { Workload } from "../kube/workload.ts";
import { type Eviction, evictionOf } from "../scheduling/eviction.ts";
import { templateTolerations } from "../scheduling/implied-tolerations.ts";
import type { Verdict } from "../scheduling/verdict.ts";
import type { CoverageIndex } from "./coverage-index.ts";
import { hostingOf } from "./hosting.ts";
import { runsOnNode } from "./identity.ts";
import { type TolerationPatch, tolerationPatch } from "./toleration-patch.ts";
import type { WorkloadCoverage } from "./workload-coverage.ts";

/** A taint to put on or take off, and where. */
export interface NodeTaintChange extends TaintChange {
  readonly nodes: readonly string[];
}

/** A workload whose verdict changes on a node. */
export interface VerdictChange {
  readonly workload: Workload;
  readonly node: string;
  readonly from: Verdict;
  readonly to: Verdict;
  /** Whether a pod of it runs there now; null when that is not known. */
  readonly running: boolean | null;
  /** A running pod that stays and would not come back. */
  readonly timeBomb: boolean;
}

/** A running pod that would be removed from its node. */
export interface PodEviction {
  readonly pod: ClusterPod;
  readonly node: string;
  /** Seconds after the taint is put on; 0 at once. */
  readonly afterSeconds: number;
  /** The taint that decides. */
  readonly taint: Taint;
  /** Who removes it: the taint eviction controller, or the DaemonSet controller, which does not wait. */
  readonly by: "taint eviction" | "DaemonSet controller";
}

/** A workload that had, or would have, no node at all. */
export interface Feasibility {
  readonly workload: Workload;
  readonly becomes: "unplaceable" | "placeable";
}

export interface Preflight {
  /** Nodes of the change that are in the cluster and would change. */
  readonly nodes: readonly string[];
  /** Nodes that already are as the change wants them. */
  readonly unchanged: readonly string[];
  /** Nodes that the cluster does not have. */
  readonly absent: readonly string[];
  /**
   * Every DaemonSet whose verdict changes on a node that can host it; of other workloads those with pods there, and
   * those that the change leaves without a node or gives one.
   */
  readonly changes: readonly VerdictChange[];
  readonly feasibility: readonly Feasibility[];
  readonly evictions: readonly PodEviction[];
  /** What could not be judged, in words. */
  readonly unknown: readonly string[];
}

/** Answers what the change would do to the cluster of the index. Nothing in the cluster is touched. */
export function preflight(index: CoverageIndex, change: NodeTaintChange): Preflight {
  const before = index.cluster;
  const present = change.nodes.filter((name) => before.nodes.has(name));
  const touched = present.filter((name) => {
    const node = before.nodes.get(name);
    return node !== undefined && taintNode(node, change) !== node;
  });
  const after = index.update(applyTaint(before, touched, change));
  const pairs = topLevel(before.workloads).map((workload) => ({
    old: index.coverage(workload),
    new: after.coverage(workload),
  }));
  const feasibility = pairs.flatMap((pair) => feasibilityChange(pair.old, pair.new));
  const decided = new Map(feasibility.map((entry) => [entry.workload, entry]));
  const changes = pairs.flatMap((pair) => verdictChanges(pair.old, pair.new, touched, decided.has(pair.old.workload)));
  return {
    nodes: touched,
    unchanged: present.filter((name) => !touched.includes(name)),
    absent: change.nodes.filter((name) => !before.nodes.has(name)),
    changes,
    feasibility,
    evictions: change.remove ? [] : evictions(index, after, touched, changes),
    unknown: unknownParts(index),
  };
}

/** Workloads that no other workload of the cluster controls. */
function topLevel(workloads: readonly Workload[]): readonly Workload[] {
  const uids = new Set(workloads.map((workload) => workload.uid).filter((uid) => uid !== ""));
  return workloads.filter(
    ({ controller, finished }) => !finished && (controller === null || !uids.has(controller.uid)),
  );
}

function feasibilityChange(old: WorkloadCoverage, changed: WorkloadCoverage): readonly Feasibility[] {
  const [had, has] = [hasPlace(old), hasPlace(changed)];
  if (had === has) return [];
  return [{ workload: old.workload, becomes: has ? "placeable" : "unplaceable" }];
}

function hasPlace(covered: WorkloadCoverage): boolean {
  return (covered.counts.run ?? 0) + (covered.counts.fits ?? 0) > 0;
}

function verdictChanges(
  old: WorkloadCoverage,
  changed: WorkloadCoverage,
  nodes: readonly string[],
  decided: boolean,
): readonly VerdictChange[] {
  const { workload } = old;
  const changes: VerdictChange[] = [];
  for (const node of nodes) {
    const [from, to] = [old.verdictOn(node), changed.verdictOn(node)];
    if (from === null || to === null || from === to) continue;
    const host = changed.hostOf(node);
    if (host !== null && hostingOf(workload.kind, changed.os, host) !== "hosts") continue;
    const running = old.running(node);
    if (workload.kind !== "DaemonSet" && running !== true && !decided) continue;
    changes.push({ workload, node, from, to, running, timeBomb: to === "keep" && running === true });
  }
  return changes;
}

function evictions(
  index: CoverageIndex,
  after: CoverageIndex,
  nodes: readonly string[],
  changes: readonly VerdictChange[],
): readonly PodEviction[] {
  const removed = removedByController(after, changes);
  const touched = new Set(nodes);
  const found: PodEviction[] = [];
  for (const pod of index.cluster.pods) {
    const node = pod.spec.nodeName;
    // The kubelet owns static pods: their mirror may go, they stay.
    if (!touched.has(node) || !runsOnNode(pod) || pod.mirror) continue;
    const blocking = removed.get(pod.uid);
    const [was, is] = [evictionOn(pod, index), evictionOn(pod, after)];
    if (blocking !== undefined && pod.uid !== "") {
      found.push({ pod, node, afterSeconds: 0, taint: blocking, by: "DaemonSet controller" });
    } else if (is !== null && (was === null || is.afterSeconds < was.afterSeconds)) {
      found.push({ pod, node, afterSeconds: is.afterSeconds, taint: is.taint, by: "taint eviction" });
    }
  }
  return found;
}

function evictionOn(pod: ClusterPod, index: CoverageIndex): Eviction | null {
  const taints = index.cluster.nodes.get(pod.spec.nodeName)?.taints ?? [];
  return evictionOf(templateTolerations(pod.spec), taints, index.options.scheduling);
}

/**
 * Pods (by UID) that their DaemonSet would remove, with the taint: it goes by its template, so that what admission
 * added to the pod does not help, and it does not wait. Source: daemon podsShouldBeOnNode.
 */
function removedByController(after: CoverageIndex, changes: readonly VerdictChange[]): ReadonlyMap<string, Taint> {
  const removed = new Map<string, Taint>();
  for (const { workload, node, to } of changes) {
    if (to !== "evict") continue;
    const covered = after.coverage(workload);
    const blocking = covered.placementOn(node)?.untolerated.find((taint) => taint.effect === "NoExecute");
    if (blocking === undefined) continue;
    for (const pod of covered.podsOn(node)) removed.set(pod.uid, blocking);
  }
  return removed;
}

function unknownParts(index: CoverageIndex): readonly string[] {
  const { parts } = index.cluster;
  const unknown: string[] = [];
  if (parts.daemonsets !== "known") unknown.push("DaemonSets were not read: which of them lose a node is unknown.");
  if (parts.owners !== "known")
    unknown.push("Deployments and other workloads were not read: whether they keep a node is unknown.");
  if (parts.pods !== "known") unknown.push("Pods were not read: time bombs and evictions are unknown.");
  return unknown;
}

/**
 * The patches that would let every workload keep what the change takes from it: DaemonSets that lose a node, others
 * that lose their last one. `ownerOf` names who would revert an edit; such workloads get none. Empty where a taint is
 * taken off.
 */
export function preflightPatches(
  answer: Preflight,
  change: NodeTaintChange,
  ownerOf: (workload: Workload) => string | null,
): readonly TolerationPatch[] {
  if (change.remove) return [];
  const losing = new Set<Workload>();
  for (const { workload, to } of answer.changes) if (to === "keep" || to === "evict") losing.add(workload);
  for (const { workload, becomes } of answer.feasibility) if (becomes === "unplaceable") losing.add(workload);
  const taint: Taint = { ...change.taint, timeAdded: null };
  return [...losing].flatMap((workload) => {
    const patch = ownerOf(workload) === null ? tolerationPatch(workload, [taint]) : null;
    return patch === null ? [] : [patch];
  });
}
