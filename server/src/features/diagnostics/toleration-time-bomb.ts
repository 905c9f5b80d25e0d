// Diagnostic `toleration-time-bomb`: a pod runs on a node where the DaemonSet would not get a new one.
import type { UpdateStrategy } from "../../kube/workload.ts";
import { count, fill, listing } from "../fill.ts";
import { gapFixes } from "../fixes/gap.ts";
import { closestNotes, gapNotes, taintPlaces } from "./gap-notes.ts";
import { findGaps, type Gap } from "./gaps.ts";
import type { JudgedCluster } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { gatherGaps, noDeviceNote } from "./toleration-gap.ts";
import { taintsOf } from "./words.ts";

export const messages = {
  bomb: "Its pod on {nodes} ({names}) runs only until it is deleted: {taints} not tolerated, so none would come back. {strategy}",
  rolling: "RollingUpdate: the next change of the template deletes it.",
  surge: "RollingUpdate with maxSurge {surge}: it stays through a rollout until it is deleted or its node is replaced.",
  onDelete: "OnDelete: it is lost when somebody deletes it or its node is replaced.",
} as const;

export const tolerationTimeBomb: PlacementRule = {
  code: "toleration-time-bomb",
  subject: "placement",
  check(context) {
    if (context.item.workload.kind !== "DaemonSet") return [];
    return context.clusters.flatMap((cluster) =>
      gatherGaps(findGaps(context, cluster), cluster, true).map((gap) => found(gap, context, cluster)),
    );
  },
};

function found(gap: Gap, context: WorkloadContext, cluster: JudgedCluster): Found {
  const message = fill(messages.bomb, {
    nodes: count(gap.nodes.length, "node"),
    names: listing(gap.nodes),
    taints: listing(taintsOf(gap.answers), 5),
    strategy: strategySentence(context.item.workload.updateStrategy),
  });
  const devices = gap.reason === "no device" ? [noDeviceNote(gap.nodes)] : [];
  return {
    severity: gap.reason === "deliberate" || gap.reason === "no device" ? "information" : "warning",
    span: context.item.nameSpan,
    message: [message, ...devices, ...closestNotes(gap), ...gapNotes(gap, context, cluster)].join(" "),
    taints: taintsOf(gap.answers),
    nodes: gap.nodes,
    cluster: cluster.model.name,
    related: taintPlaces(gap, cluster),
    get fixes() {
      return gapFixes(gap, context, cluster);
    },
  };
}

/** RollingUpdate is the default. */
function strategySentence(strategy: UpdateStrategy | null): string {
  if (strategy?.type === "OnDelete") return messages.onDelete;
  const surge = strategy?.maxSurge ?? "";
  return /^0*%?$/.test(surge) ? messages.rolling : fill(messages.surge, { surge });
}
