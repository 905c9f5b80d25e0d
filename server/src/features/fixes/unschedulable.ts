// Features layer, fixes: tolerations that let some nodes take a pod that no node takes now.

import { isDeliberateTaint } from "../../coverage/deliberate-taints.ts";
import { statedOs } from "../../coverage/hosting.ts";
import { formatTaint } from "../../kube/taint.ts";
import type { TaintAnswer } from "../../scheduling/verdict.ts";
import type { Fix } from "../diagnostic.ts";
import { isOsKey } from "../diagnostics/gap-notes.ts";
import { countsAsGap } from "../diagnostics/gaps.ts";
import type { JudgedCluster } from "../diagnostics/judge.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { tolerationFixes } from "./add-toleration.ts";
import { isEvictedLater } from "./evicted-later.ts";

/** Sets of taints offered; more would be a list to search, not a help. */
const OFFERED = 3;

/** For each set of taints that alone keeps nodes from the pod, the tolerations of it; the set of most nodes first. */
export function unschedulableFixes(cluster: JudgedCluster, context: WorkloadContext): readonly Fix[] {
  const sets = new Map<string, { readonly answers: readonly TaintAnswer[]; size: number }>();
  const unstated = statedOs(context.item.workload.template) === null;
  for (const group of cluster.groups()) {
    const { placement, hosting, nodes, host } = group;
    if (placement.verdict !== "taint" || placement.short.length > 0 || hosting !== "hosts") continue;
    if ((unstated && host.os !== null && host.os !== "linux") || isEvictedLater(group, context)) continue;
    const answers = placement.taints.filter(
      (answer) => answer.toleratedBy === null && countsAsGap(answer.taint, context),
    );
    if (answers.some((answer) => isOsKey(answer.taint.key)) && statedOs(context.item.workload.template) === null)
      continue;
    const key = answers.map((answer) => formatTaint(answer.taint)).join(" ");
    const known = sets.get(key) ?? { answers, size: 0 };
    known.size += nodes.length;
    sets.set(key, known);
  }
  const ranked = [...sets.values()].sort(
    (a, b) => Number(isControlPlane(a.answers)) - Number(isControlPlane(b.answers)) || b.size - a.size,
  );
  const offered = ranked.slice(0, OFFERED);
  return offered.flatMap(({ answers }) => {
    const preferred = offered.length === 1 && !isControlPlane(answers);
    const fixes = tolerationFixes(context, answers, preferred);
    // One taint of several would not make a node feasible.
    return answers.length > 1 ? fixes.filter((fix) => fix.kind === "whole-workload") : fixes;
  });
}

function isControlPlane(answers: readonly TaintAnswer[]): boolean {
  return answers.some((answer) => isDeliberateTaint(answer.taint, "application"));
}
