// Diagnostic `toleration-defeats-drain`: pods that can move go straight back to the node being drained.
import type { Taint } from "../../kube/taint.ts";
import { formatToleration } from "../../kube/toleration.ts";
import { tolerates } from "../../scheduling/tolerates.ts";
import { fill } from "../fill.ts";
import { exactInstead } from "../fixes/exact-instead.ts";
import { removeToleration } from "../fixes/remove-toleration.ts";
import type { PlacementRule, WorkloadContext } from "./rule.ts";
import { validTolerations, type WrittenToleration } from "./written.ts";

export const messages = {
  defeats:
    "{toleration} tolerates {taint}: when its node is drained, the {kind}'s replacement pod goes straight back to the cordoned node and the drain does not end.",
  remove: "Remove the toleration of cordoned nodes",
} as const;

const CORDON: Taint = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule", timeAdded: null };

/** Kinds whose controller makes a new pod as soon as one is evicted, on any node that takes it. */
const REPLACED: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"]);

export const tolerationDefeatsDrain: PlacementRule = {
  code: "toleration-defeats-drain",
  subject: "placement",
  check(context) {
    const { workload } = context.item;
    if (!REPLACED.has(workload.kind) || workload.template.nodeName !== "") return [];
    return validTolerations(context)
      .filter(({ toleration }) => tolerates(toleration, CORDON, context.scheduling))
      .map((written) => ({
        severity: "warning" as const,
        span: written.label,
        message: fill(messages.defeats, {
          toleration: formatToleration(written.toleration),
          taint: "node.kubernetes.io/unschedulable:NoSchedule",
          kind: workload.kind,
        }),
        fixes: fixes(context, written),
      }));
  },
};

function fixes(context: WorkloadContext, written: WrittenToleration) {
  if (written.toleration.key === "") return exactInstead(context, written);
  return removeToleration(context, written, messages.remove, "suggested");
}
