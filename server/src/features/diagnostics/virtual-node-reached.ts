// Diagnostic `virtual-node-reached`: a DaemonSet tolerates its way onto nodes that run no DaemonSet pods.
import type { Fix } from "../diagnostic.ts";
import { count, fill, listing } from "../fill.ts";
import { fixOf } from "../fixes/fix.ts";
import { requireLabel } from "../fixes/require-label.ts";
import { tellingLabel, without } from "../fixes/telling-label.ts";
import type { JudgedCluster, JudgedGroup } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";

export const messages = {
  reached:
    "A pod of this DaemonSet is created for {nodes} ({names}) that cannot run it ({what}); it stays Pending and the rollout never completes.",
  exclude: "Leave virtual nodes out: require {requirement}",
} as const;

export const virtualNodeReached: PlacementRule = {
  code: "virtual-node-reached",
  subject: "placement",
  check(context) {
    if (context.item.workload.kind !== "DaemonSet") return [];
    return context.clusters.flatMap((cluster): readonly Found[] => {
      const reached = cluster
        .groups()
        .filter((group) => group.hosting === "virtual" && group.placement.verdict === "run");
      const [first] = reached;
      if (first === undefined) return [];
      const names = reached.flatMap((group) => group.nodes);
      return [
        {
          severity: "warning",
          span: context.item.nameSpan,
          message: fill(messages.reached, {
            nodes: count(names.length, "node"),
            names: listing(names),
            what: first.host.virtual ?? "",
          }),
          taints: [],
          nodes: names,
          cluster: cluster.model.name,
          fixes: excludeFix(reached, context, cluster),
        },
      ];
    });
  },
};

/** One requirement for each kind of virtual node would be needed; only one kind is offered as an edit. */
function excludeFix(reached: readonly JudgedGroup[], context: WorkloadContext, cluster: JudgedCluster): readonly Fix[] {
  const namesOf = (groups: readonly JudgedGroup[]) => groups.flatMap((group) => group.nodes);
  const others = namesOf(cluster.groups().filter((group) => group.hosting !== "virtual"));
  const taints = reached.flatMap((group) => group.placement.taints.map((answer) => answer.taint));
  const label = tellingLabel(namesOf(reached), others, taints, cluster);
  if (label === null) return [];
  const requirement = without(label, others, cluster);
  const words = [requirement.key, requirement.operator, requirement.values.join(", ")].join(" ").trim();
  const title = fill(messages.exclude, { requirement: words });
  return fixOf(title, requireLabel(context, requirement), "exclude", true);
}
