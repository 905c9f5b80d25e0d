// Features layer: which nodes a DaemonSet is meant for and blocked from, sorted by why that may be meant to be.

import { matchesName, matchesTaint, matchesWorkload } from "../../config/pattern.ts";
import type { ExpectedGap } from "../../config/workspace.ts";
import { isDeliberateTaint } from "../../coverage/deliberate-taints.ts";
import { clearsTaint, isTransientTaint } from "../../coverage/transient-taints.ts";
import type { Taint } from "../../kube/taint.ts";
import { workloadRef } from "../../kube/workload.ts";
import type { Placement, TaintAnswer } from "../../scheduling/verdict.ts";
import { deviceSigns } from "./device-signs.ts";
import type { JudgedCluster, JudgedGroup } from "./judge.ts";
import type { WorkloadContext } from "./rule.ts";

/** Why a gap is there. */
export type GapReason =
  /** A network plugin waits for a taint that only it can make go. */
  | "circular"
  | "blocked"
  /** A device plugin, and nothing shows that the nodes have its devices, as others do. */
  | "no device"
  /** Nodes kept free on purpose: control planes, or what the workspace file expects. */
  | "deliberate";

/** Nodes with the same blocking taints and the same reason. */
export interface Gap {
  readonly reason: GapReason;
  /** Whether the workspace file lists it as expected, and why in its words (may be empty). */
  readonly expected: boolean;
  readonly expectation: string;
  readonly answers: readonly TaintAnswer[];
  /** Names; a declared pool stands as `(pool name)`. */
  readonly nodes: readonly string[];
  /** The groups that these nodes are of. */
  readonly groups: readonly JudgedGroup[];
}

export interface Gaps {
  readonly gaps: readonly Gap[];
  /** Whether no node is left that the workload is meant for and not blocked from. */
  readonly everywhere: boolean;
}

/** The gaps of a DaemonSet in one cluster. */
export function findGaps(context: WorkloadContext, cluster: JudgedCluster): Gaps {
  const hasDevices = deviceSigns(context, cluster.model);
  const found = cluster.blocked().flatMap((group) => gapsOf(group, context, cluster).flatMap(byDevices(hasDevices)));
  return { gaps: found, everywhere: found.length > 0 && !cluster.groups().some((group) => isOpen(group, context)) };
}

/** Splits a gap of a device plugin by whether its nodes show the devices; deliberate ones need no such question. */
function byDevices(hasDevices: ((node: string) => boolean) | null): (gap: Gap) => readonly Gap[] {
  return (gap) => {
    if (hasDevices === null || gap.reason !== "blocked") return [gap];
    const without = gap.nodes.filter((node) => !hasDevices(node));
    const nodes = gap.nodes.filter(hasDevices);
    const parts: readonly Gap[] = [
      { ...gap, nodes },
      { ...gap, reason: "no device", nodes: without },
    ];
    return parts.filter((part) => part.nodes.length > 0);
  };
}

/** One gap for a group, or one for each reason where the workspace file tells its nodes apart. */
function gapsOf(group: JudgedGroup, context: WorkloadContext, cluster: JudgedCluster): readonly Gap[] {
  const answers = gapAnswers(group.placement, context);
  const [first] = group.nodes;
  if (answers.length === 0 || first === undefined) return [];
  if (context.config.expected.every((entry) => entry.nodes.length === 0)) {
    return [{ ...describe(answers, first, context, cluster), nodes: group.nodes, groups: [group] }];
  }
  const byReason = new Map<string, string[]>();
  for (const node of group.nodes) {
    const { reason, expectation } = describe(answers, node, context, cluster);
    const key = `${reason} ${expectation}`;
    byReason.set(key, [...(byReason.get(key) ?? []), node]);
  }
  return [...byReason.values()].map((nodes) => ({
    ...describe(answers, nodes[0] ?? first, context, cluster),
    nodes,
    groups: [group],
  }));
}

/** Whether a pod is created on the group's nodes, or would be as soon as a taint that goes by itself is gone. */
function isOpen({ hosting, placement }: JudgedGroup, context: WorkloadContext): boolean {
  return hosting === "hosts" && placement.verdict !== "affinity" && gapAnswers(placement, context).length === 0;
}

/** The untolerated taints that count. */
function gapAnswers({ taints }: Placement, context: WorkloadContext): readonly TaintAnswer[] {
  return taints.filter((answer) => answer.toleratedBy === null && countsAsGap(answer.taint, context));
}

/**
 * Whether a taint can make a diagnostic: transient and ignored ones never do, save the transient one that only this
 * workload can take away.
 */
export function countsAsGap(taint: Taint, context: WorkloadContext): boolean {
  const { ignoredTaints, transientTaints } = context.config;
  if (ignoredTaints.some((pattern) => matchesTaint(pattern, taint))) return false;
  return waitsForItself(taint, context) || !isTransientTaint(taint, transientTaints);
}

/** Whether the taint stays until this workload runs on the node. */
function waitsForItself(taint: Taint, { item, role }: WorkloadContext): boolean {
  const { name, template } = item.workload;
  return clearsTaint(role, taint, [name ?? "", ...template.containers.map((container) => container.image)]);
}

function describe(
  answers: readonly TaintAnswer[],
  node: string,
  context: WorkloadContext,
  cluster: JudgedCluster,
): Omit<Gap, "nodes" | "groups"> {
  const expected = context.config.expected.find((entry) => meets(entry, answers, node, context, cluster));
  if (expected !== undefined) return { reason: "deliberate", expected: true, expectation: expected.reason, answers };
  if (answers.some((answer) => isDeliberateTaint(answer.taint, context.role))) {
    return { reason: "deliberate", expected: false, expectation: "", answers };
  }
  const circular = answers.some((answer) => waitsForItself(answer.taint, context));
  return { reason: circular ? "circular" : "blocked", expected: false, expectation: "", answers };
}

function meets(
  entry: ExpectedGap,
  answers: readonly TaintAnswer[],
  node: string,
  context: WorkloadContext,
  cluster: JudgedCluster,
): boolean {
  const { workload, role, taint, nodes, clusters } = entry;
  return (
    (workload === null || matchesWorkload(workload, workloadRef(context.item.workload))) &&
    (role === null || role === context.role) &&
    (taint === null || answers.some((answer) => matchesTaint(taint, answer.taint))) &&
    (nodes.length === 0 || nodes.some((pattern) => matchesName(pattern, node))) &&
    (clusters.length === 0 || clusters.includes(cluster.model.name))
  );
}
