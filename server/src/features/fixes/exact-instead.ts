// Features layer, fixes: the exact tolerations in place of one that tolerates everything.

import { matchesTaint } from "../../config/pattern.ts";
import { isControlPlaneTaint } from "../../coverage/deliberate-taints.ts";
import { isTransientTaint } from "../../coverage/transient-taints.ts";
import { formatTaint, isHardEffect, type Taint } from "../../kube/taint.ts";
import { impliedTolerations } from "../../scheduling/implied-tolerations.ts";
import { anyTolerates, tolerates } from "../../scheduling/tolerates.ts";
import { removeItem, replaceItem } from "../../yaml/edit/index.ts";
import type { Fix } from "../diagnostic.ts";
import type { WorkloadContext } from "../diagnostics/rule.ts";
import { wouldStray } from "../diagnostics/strays.ts";
import { tolerationsPath, type WrittenToleration } from "../diagnostics/written.ts";
import { fill, listing } from "../fill.ts";
import { exactToleration, fixOf, targetOf } from "./fix.ts";

export const messages = {
  exact: "Tolerate only what these nodes carry: {taints}",
  none: "Remove it: no node that the workload is meant for needs it",
} as const;

/**
 * Replaces a toleration by exact ones for the lasting taints of the nodes that the workload is meant for; removes it
 * where there are none. None without a cluster, with nodes that were not read, or where the workload reaches virtual
 * nodes (narrowing would hide that). None either where the exact ones would let pods stray into a dedicated pool.
 */
export function exactInstead(context: WorkloadContext, written: WrittenToleration): readonly Fix[] {
  const { item, clusters, scheduling } = context;
  if (clusters.length === 0 || clusters.some((cluster) => cluster.groups().length === 0)) return [];
  const groups = clusters.flatMap((cluster) => cluster.groups());
  if (groups.some((group) => group.hosting === "virtual" && group.placement.verdict !== "affinity")) return [];
  const rest = item.workload.template.tolerations.filter((_, index) => index !== written.index);
  const implied = item.workload.kind === "DaemonSet" ? impliedTolerations(item.workload.template) : [];
  const needed = new Map<string, Taint>();
  for (const { placement, hosting } of groups) {
    if (hosting !== "hosts" || placement.verdict === "affinity") continue;
    for (const { taint } of placement.taints) {
      if (!isHardEffect(taint.effect) || isTransientTaint(taint, context.config.transientTaints)) continue;
      if (context.config.ignoredTaints.some((pattern) => matchesTaint(pattern, taint))) continue;
      const covered = anyTolerates([...rest, ...implied], taint, scheduling);
      if (tolerates(written.toleration, taint, scheduling) && !covered) needed.set(formatTaint(taint), taint);
    }
  }
  const taints = [...needed.values()];
  if (taints.some((taint) => !isControlPlaneTaint(taint)) && wouldStray(context)) return [];
  const path = [...tolerationsPath(item), written.index];
  if (taints.length === 0) return fixOf(messages.none, removeItem(targetOf(context), path), "suggested", false);
  const edits = replaceItem(targetOf(context), path, taints.map(exactToleration));
  return fixOf(fill(messages.exact, { taints: listing([...needed.keys()], 4) }), edits, "suggested", true);
}
