// Diagnostic `toleration-attracts-nothing`: pods may enter a dedicated pool, but nothing keeps them there.
import { formatTaint, type Taint } from "../../kube/taint.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import { itemsAt } from "../../yaml/locate.ts";
import { count, fill, listing } from "../fill.ts";
import { fixOf } from "../fixes/fix.ts";
import { selectLabel } from "../fixes/require-label.ts";
import { tellingLabel } from "../fixes/telling-label.ts";
import type { JudgedCluster } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { type Pool, straysFrom } from "./strays.ts";
import { validTolerations, type WrittenToleration } from "./written.ts";

export const messages = {
  strays:
    "The pods may run on {inside} with {taint}, and on {outside} without it ({names}): a toleration permits, it does not attract.",
  select: "Keep the pods in the pool: select {label}",
} as const;

export const tolerationAttractsNothing: PlacementRule = {
  code: "toleration-attracts-nothing",
  subject: "placement",
  check(context) {
    if (prefersNodes(context)) return [];
    return context.clusters.flatMap((cluster) =>
      validTolerations(context).flatMap((written) => {
        // Add-ons carry this one by custom, to be let in where they must be, not to stay there.
        if (written.toleration.key === "" || written.toleration.key === "CriticalAddonsOnly") return [];
        const taint = taintOf(written, cluster, context);
        const pool = taint === null ? null : straysFrom(taint, context, cluster);
        return taint === null || pool === null ? [] : [found(written, taint, pool, context, cluster)];
      }),
    );
  },
};

/** A preferred node affinity attracts: running elsewhere at need is then meant. */
function prefersNodes({ item }: WorkloadContext): boolean {
  const path = [...item.podSpecPath, "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"];
  return itemsAt(item.object, path).length > 0;
}

/** The first taint that the toleration matches on a node that takes the pods. */
function taintOf(written: WrittenToleration, cluster: JudgedCluster, context: WorkloadContext): Taint | null {
  for (const { placement } of cluster.groups()) {
    if (placement.verdict !== "fits") continue;
    const match = placement.taints.find((answer) => tolerates(written.toleration, answer.taint, context.scheduling));
    if (match !== undefined) return match.taint;
  }
  return null;
}

function found(
  written: WrittenToleration,
  taint: Taint,
  { inside, outside }: Pool,
  context: WorkloadContext,
  cluster: JudgedCluster,
): Found {
  const label = tellingLabel(inside, outside, [taint], cluster);
  const fixes =
    label === null
      ? []
      : fixOf(
          fill(messages.select, { label: `${label.key}=${label.value}` }),
          selectLabel(context, label.key, label.value),
          "suggested",
          true,
        );
  return {
    severity: "hint",
    span: written.label,
    message: fill(messages.strays, {
      inside: count(inside.length, "node"),
      taint: formatTaint(taint),
      outside: count(outside.length, "node"),
      names: listing(outside),
    }),
    taints: [formatTaint(taint)],
    nodes: inside,
    cluster: cluster.model.name,
    fixes,
  };
}
