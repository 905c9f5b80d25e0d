// Scheduling layer: the sentence the scheduler writes into FailedScheduling, and the status of each node behind it.
import type { PodSpec } from "../kube/pod-spec.ts";
import type { Resources } from "../kube/resources.ts";
import { isHardEffect } from "../kube/taint.ts";
import { admits, type CompiledSelection, compileSelection } from "./node-affinity.ts";
import type { PlaceableNode } from "./place.ts";
import { shortResources, shortWithUsed } from "./resource-fit.ts";
import { anyTolerates } from "./tolerates.ts";
import type { SchedulingOptions } from "./verdict.ts";

/** A node, and what the pods already on it hold; absent where only the empty node matters. */
export interface WeighedNode {
  readonly node: PlaceableNode;
  readonly used?: { readonly requests: Resources; readonly pods: number };
}

/** Why one node is not feasible; empty reasons: it is feasible. */
export interface NodeStatus {
  readonly node: string;
  readonly reasons: readonly string[];
  /** Whether making room could help: the scheduler then tries preemption. */
  readonly resolvable: boolean;
  /** Whether a shortage is the reason. */
  readonly short: boolean;
}

export interface SchedulerAnswer {
  /** Names of the nodes with nothing modelled against them. */
  readonly feasible: readonly string[];
  /** In the order given. Nodes that the affinity's own node names leave out have the plugin's reason. */
  readonly statuses: readonly NodeStatus[];
  /** `0/6 nodes are available: …`; null when a node is feasible. */
  readonly sentence: string | null;
}

/**
 * What the scheduler would say of a pod that no node can take, from the filters that depend on the pod and the node
 * alone: unschedulable, taints, affinity, resources, in the default profile's order, of which the first that refuses
 * is told. With `preemption` the sentence carries the suffix about it, as far as it follows without knowing
 * priorities: no lower-priority pods are supposed. Sources: k8s.io/kubernetes/pkg/scheduler findNodesThatFitPod,
 * framework.FitError, framework/preemption Evaluator.
 */
export function schedulerAnswer(
  spec: PodSpec,
  nodes: readonly WeighedNode[],
  options: SchedulingOptions,
  preemption = false,
): SchedulerAnswer {
  const selection = compileSelection(spec);
  const named = namedNodes(selection);
  if (named !== null && named.size === 0) return conflicting(nodes, preemption, options);
  const statuses = nodes.map((weighed) =>
    named !== null && !named.has(weighed.node.name)
      ? refused(weighed.node.name, "node(s) didn't satisfy plugin(s) [NodeAffinity]")
      : filterNode(spec, selection, weighed, options),
  );
  const feasible = statuses.filter((status) => status.reasons.length === 0).map((status) => status.node);
  if (feasible.length > 0) return { feasible, statuses, sentence: null };
  const head = unavailable(nodes.length, histogram(statuses.flatMap((status) => status.reasons)));
  return { feasible, statuses, sentence: preemption ? head + preemptionSuffix(statuses, options) : head };
}

function refused(node: string, ...reasons: readonly string[]): NodeStatus {
  return { node, reasons, resolvable: false, short: false };
}

/** Every term names nodes, and no term's names agree with each other. */
function conflicting(nodes: readonly WeighedNode[], preemption: boolean, options: SchedulingOptions): SchedulerAnswer {
  const statuses = nodes.map(({ node }) => refused(node.name, "pod affinity terms conflict"));
  const head = `0/${nodes.length} nodes are available: pod affinity terms conflict.`;
  return { feasible: [], statuses, sentence: preemption ? head + preemptionSuffix(statuses, options) : head };
}

function filterNode(
  spec: PodSpec,
  selection: CompiledSelection,
  weighed: WeighedNode,
  options: SchedulingOptions,
): NodeStatus {
  const { node, used } = weighed;
  const cordon = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" } as const;
  if (node.unschedulable && !anyTolerates(spec.tolerations, cordon, options)) {
    return refused(node.name, "node(s) were unschedulable");
  }
  const taint = node.taints.find((one) => isHardEffect(one.effect) && !anyTolerates(spec.tolerations, one, options));
  if (taint !== undefined) return refused(node.name, taintReason(taint, options.minorVersion));
  if (!admits(selection, node)) return refused(node.name, "node(s) didn't match Pod's node affinity/selector");
  const short =
    used === undefined
      ? shortResources(spec.requests, node.allocatable)
      : shortWithUsed(spec.requests, node.allocatable, used.requests, used.pods);
  return {
    node: node.name,
    reasons: short.map(({ resource }) => (resource === "pods" ? "Too many pods" : `Insufficient ${resource}`)),
    resolvable: shortResources(spec.requests, node.allocatable).every(({ resource }) => resource === "pods"),
    short: short.length > 0,
  };
}

/** The wording changed twice; 1.34 dropped the taint's name in a patch release. */
function taintReason(taint: { readonly key: string; readonly value: string }, minorVersion: number): string {
  if (minorVersion >= 35) return "node(s) had untolerated taint(s)";
  if (minorVersion >= 24) return `node(s) had untolerated taint {${taint.key}: ${taint.value}}`;
  return `node(s) had taint {${taint.key}: ${taint.value}}, that the pod didn't tolerate`;
}

/**
 * The nodes to which the affinity confines the pod by metadata.name In; null when it does not. An empty set: the terms
 * contradict themselves. Source: plugins/nodeaffinity PreFilter.
 */
function namedNodes(selection: CompiledSelection): ReadonlySet<string> | null {
  if (selection.terms === null || selection.terms.length === 0) return null;
  const names = new Set<string>();
  for (const term of selection.terms) {
    const lists = term.requirements
      .filter(({ field, source }) => field && source.key === "metadata.name" && source.operator === "In")
      .map(({ source }) => source.values);
    const [first, ...others] = lists;
    if (first === undefined) return null;
    for (const name of first) {
      if (others.every((values) => values.includes(name))) names.add(name);
    }
  }
  return names;
}

/** `3 reason, 1 reason`, sorted as text, as the scheduler does. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const lines = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return lines.sort(byBytes).join(", ");
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function unavailable(total: number, reasons: string): string {
  return reasons === "" ? `0/${total} nodes are available:` : `0/${total} nodes are available: ${reasons}.`;
}

/**
 * What the preemption plugin adds when it finds nothing. Before 1.34 it took every shortage for one that room could
 * mend; from 1.34 to 1.36 the DRA plugin has its say before it.
 */
function preemptionSuffix(statuses: readonly NodeStatus[], options: SchedulingOptions): string {
  const { minorVersion } = options;
  const verdicts = statuses.map((status) => {
    const room = status.resolvable || (minorVersion < 34 && status.short);
    return room ? "No preemption victims found for incoming pod" : "Preemption is not helpful for scheduling";
  });
  const claims = minorVersion >= 34 && minorVersion <= 36 ? "no new claims to deallocate, " : "";
  const stop = minorVersion < 27 ? "." : "";
  return ` ${claims}preemption: ${unavailable(statuses.length, histogram(verdicts))}${stop}`;
}
