// Diagnostic `unschedulable`: no known node can take a pod of a workload that the scheduler places.
import type { Taint } from "../../kube/taint.ts";
import { type AdmissionChange, admittedSpec } from "../../scheduling/admission.ts";
import { describeMismatch, describeShort, describeUntolerated } from "../../scheduling/reason.ts";
import { anyTolerates } from "../../scheduling/tolerates.ts";
import { count, fill, listing } from "../fill.ts";
import { unschedulableFixes } from "../fixes/unschedulable.ts";
import { isShortOfUncertain } from "./device-class.ts";
import { countsAsGap } from "./gaps.ts";
import type { JudgedCluster, JudgedGroup } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { taintsOf } from "./words.ts";

export const messages = {
  none: "No node can take {pods}: {reasons}.",
  group: "{nodes} ({names}): {reason}",
  admission: "{plugin} may add what is missing when the pod is created, if the cluster has it on.",
  autoscaler: "No such node now; {sign} may make one.",
  unmodelled: "Not judged: {parts}.",
} as const;

/** Groups shown; the rest is counted. */
const SHOWN_GROUPS = 4;

export const unschedulable: PlacementRule = {
  code: "unschedulable",
  subject: "placement",
  check(context) {
    const { workload } = context.item;
    if (workload.kind === "DaemonSet" || !isScheduled(context)) return [];
    const known = context.clusters.filter((cluster) => cluster.groups().length > 0);
    // A cluster whose nodes were not read may have room.
    if (
      known.length === 0 ||
      known.length < context.clusters.length ||
      known.some((cluster) => isFeasible(cluster, context))
    )
      return [];
    return known.map((cluster) => found(cluster, context));
  },
};

/** Other schedulers and gates decide by rules of their own. */
function isScheduled({ item }: WorkloadContext): boolean {
  const { schedulerName, schedulingGates } = item.workload.template;
  return (schedulerName === "" || schedulerName === "default-scheduler") && schedulingGates.length === 0;
}

/** A node that only taints which go by themselves keep free may take the pod in a moment. */
function isFeasible(cluster: JudgedCluster, context: WorkloadContext): boolean {
  return cluster.groups().some((group) => {
    const { placement, hosting } = group;
    if (hosting !== "hosts") return false;
    if (placement.verdict === "fits") return true;
    if (placement.verdict !== "taint" || placement.short.length > 0) return false;
    const lasting = placement.untolerated.filter((taint) => countsAsGap(taint, context));
    const proved = provedTolerations(cluster.admission());
    if (lasting.every((taint) => anyTolerates(proved, taint, context.scheduling))) return true;
    return livesThere(group, lasting, cluster, context);
  });
}

/** Whether a pod of the workload runs there with tolerations that its template lacks: something adds them to its pods. */
function livesThere(
  { nodes }: JudgedGroup,
  taints: readonly Taint[],
  { coverage }: JudgedCluster,
  { scheduling }: WorkloadContext,
): boolean {
  if (coverage.live.state !== "matched") return false;
  const pods = nodes.flatMap((node) => coverage.podsOn(node));
  return pods.some(({ spec }) => taints.every((taint) => anyTolerates(spec.tolerations, taint, scheduling)));
}

function provedTolerations(changes: readonly AdmissionChange[]) {
  return changes.filter((change) => change.certainty !== "if-on").flatMap((change) => change.tolerations);
}

function found(cluster: JudgedCluster, context: WorkloadContext): Found {
  const { workload, nameSpan } = context.item;
  const groups = reasonsOf(cluster, context);
  const shown = groups
    .slice(0, SHOWN_GROUPS)
    .map(({ reason, names }) =>
      fill(messages.group, { nodes: count(names.length, "node"), names: listing(names), reason }),
    );
  const hidden = groups.length - shown.length;
  const reasons = [...shown, ...(hidden > 0 ? [`+${hidden} more`] : [])].join("; ");
  const plugin = pluginThatHelps(cluster, context);
  const notes: string[] = [];
  if (plugin !== null) notes.push(fill(messages.admission, { plugin }));
  const [sign] = cluster.autoscalers();
  if (sign !== undefined) notes.push(fill(messages.autoscaler, { sign }));
  const soft = plugin !== null || sign !== undefined || isShortOfUncertain(cluster);
  const blocked = cluster.groups().filter(({ placement }) => placement.verdict === "taint");
  const answers = blocked.flatMap(({ placement }) => placement.taints.filter((answer) => answer.toleratedBy === null));
  return {
    severity: soft ? "information" : "warning",
    span: nameSpan,
    message: [
      fill(messages.none, { pods: workload.kind === "Pod" ? "this Pod" : `a pod of this ${workload.kind}`, reasons }),
      ...notes,
    ].join(" "),
    taints: taintsOf(answers.filter((answer) => countsAsGap(answer.taint, context))),
    nodes: groups.flatMap((group) => group.names),
    cluster: cluster.model.name,
    fixes: unschedulableFixes(cluster, context),
  };
}

/** Groups of nodes by the same reason in words, the largest first. */
function reasonsOf(
  cluster: JudgedCluster,
  context: WorkloadContext,
): readonly { readonly reason: string; readonly names: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const group of cluster.groups()) {
    const reason = reasonOf(group, context);
    const names = byReason.get(reason) ?? [];
    for (const name of group.nodes) names.push(name);
    byReason.set(reason, names);
  }
  return [...byReason].map(([reason, names]) => ({ reason, names })).sort((a, b) => b.names.length - a.names.length);
}

function reasonOf({ placement, hosting }: JudgedGroup, context: WorkloadContext): string {
  if (hosting === "os-differs") return "another operating system";
  switch (placement.verdict) {
    case "affinity":
      return placement.mismatches.map(describeMismatch).join(", ");
    case "resource":
      return placement.short.map(describeShort).join(", ");
    default: {
      const untolerated = placement.taints.filter((answer) => answer.toleratedBy === null);
      const lasting = untolerated.filter((answer) => countsAsGap(answer.taint, context));
      return (lasting.length > 0 ? lasting : untolerated).map(describeUntolerated).join(", ");
    }
  }
}

/** The admission plugin whose additions would make a node feasible; null when none would. */
function pluginThatHelps(cluster: JudgedCluster, context: WorkloadContext): string | null {
  for (const change of cluster.admission()) {
    if (change.certainty !== "if-on" || change.conflict !== null || change.tolerations.length === 0) continue;
    const admitted = admittedSpec(
      context.item.workload.template,
      cluster.admission(),
      (other) => other === change || other.certainty !== "if-on",
    );
    const helps = cluster
      .groups()
      .some(
        ({ placement }) =>
          placement.verdict === "taint" &&
          placement.short.length === 0 &&
          placement.untolerated
            .filter((taint) => countsAsGap(taint, context))
            .every((taint) => anyTolerates(admitted.tolerations, taint, context.scheduling)),
      );
    if (helps) return change.plugin;
  }
  return null;
}
