// Diagnostic `toleration-gap`: nodes a DaemonSet is meant for, blocked by taints it does not tolerate.
import type { Severity } from "../../../../shared/src/severity.ts";
import { isPlatformRole } from "../../coverage/role.ts";
import { formatTaint } from "../../kube/taint.ts";
import { roleLoss } from "../../triage/wording/role-loss.ts";
import { count, fill, listing } from "../fill.ts";
import { gapFixes } from "../fixes/gap.ts";
import { closestNotes, gapNotes, taintPlaces } from "./gap-notes.ts";
import { findGaps, type Gap, type Gaps } from "./gaps.ts";
import type { JudgedCluster } from "./judge.ts";
import type { Found, PlacementRule, WorkloadContext } from "./rule.ts";
import { taintsOf } from "./words.ts";

export const messages = {
  gap: "No pod of this {role}DaemonSet is created on {nodes} ({names}): {taints} not tolerated.",
  everywhere: "No pod of this {role}DaemonSet is created anywhere: {taints} not tolerated on {nodes} ({names}).",
  circular:
    "This {role} waits for itself on {nodes} ({names}): {taints} stays until it runs there, and it does not tolerate it.",
  noDevice:
    "Nothing shows that this node has its devices: no resource, label or taint speaks of them, as on other nodes.",
  noDevices:
    "Nothing shows that these nodes have its devices: no resource, label or taint speaks of them, as on others.",
  deliberate: "Kept off {nodes} ({names}) by {taints}, as such nodes usually are.",
  expected: "Kept off {nodes} ({names}) by {taints}, as expected{reason}.",
} as const;

export const tolerationGap: PlacementRule = {
  code: "toleration-gap",
  subject: "placement",
  check(context) {
    if (context.item.workload.kind !== "DaemonSet") return [];
    return context.clusters.flatMap((cluster) => {
      const gaps = findGaps(context, cluster);
      return gatherGaps(gaps, cluster, false).map((gathered) => found(gathered, gaps, context, cluster));
    });
  },
};

/**
 * The gaps of a cluster where its pod runs (`running`) or does not, gathered by what is to be said of them; each has
 * at least one node.
 */
export function gatherGaps({ gaps }: Gaps, cluster: JudgedCluster, running: boolean): readonly Gap[] {
  const gathered = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const lasting = gap.answers.every((answer) => answer.taint.effect === "NoSchedule");
    const nodes = gap.nodes.filter((node) => (lasting && cluster.coverage.running(node) === true) === running);
    if (nodes.length === 0) continue;
    const key = `${gap.reason} ${gap.expectation}`;
    const parts = gathered.get(key) ?? [];
    parts.push({ ...gap, nodes });
    gathered.set(key, parts);
  }
  return [...gathered.values()].flatMap(join);
}

/** Gaps of one reason as one; of taints that several have the last answer stays, at its place. */
function join(parts: readonly Gap[]): readonly Gap[] {
  const answers = new Map<string, Gap["answers"][number]>();
  for (const answer of parts.flatMap((part) => part.answers)) {
    const taint = formatTaint(answer.taint);
    answers.delete(taint);
    answers.set(taint, answer);
  }
  const nodes = parts.flatMap((part) => part.nodes);
  const groups = parts.flatMap((part) => part.groups);
  return parts.slice(0, 1).map((first) => ({ ...first, answers: [...answers.values()], nodes, groups }));
}

function found(gap: Gap, gaps: Gaps, context: WorkloadContext, cluster: JudgedCluster): Found {
  return {
    severity: severityOf(gap, gaps, context),
    span: context.item.nameSpan,
    message: [
      sentence(gap, gaps, context),
      ...consequence(gap, context),
      ...closestNotes(gap),
      ...gapNotes(gap, context, cluster),
    ].join(" "),
    taints: taintsOf(gap.answers),
    nodes: gap.nodes,
    cluster: cluster.model.name,
    related: taintPlaces(gap, cluster),
    get fixes() {
      return gapFixes(gap, context, cluster);
    },
  };
}

/** Why a missing device plugin may be no loss there. */
export function noDeviceNote(nodes: readonly string[]): string {
  return nodes.length === 1 ? messages.noDevice : messages.noDevices;
}

/** What people will notice on these nodes; nothing where the nodes are kept free on purpose or the role says nothing. */
function consequence({ reason, nodes }: Gap, { role }: WorkloadContext): readonly string[] {
  if (reason === "no device") return [noDeviceNote(nodes)];
  if (reason === "deliberate" || role === "application" || role === "node agent") return [];
  return [roleLoss(role, [])];
}

function severityOf(gap: Gap, gaps: Gaps, { role }: WorkloadContext): Severity {
  if (gap.reason === "circular") return "error";
  if (gap.reason === "deliberate" || (gap.reason === "no device" && !gaps.everywhere)) return "information";
  return isPlatformRole(role) || gaps.everywhere ? "warning" : "information";
}

function sentence(gap: Gap, gaps: Gaps, { role }: WorkloadContext): string {
  const values = {
    role: isPlatformRole(role) ? `${role} ` : "",
    nodes: count(gap.nodes.length, "node"),
    names: listing(gap.nodes),
    taints: listing(taintsOf(gap.answers), 5),
  };
  if (gap.reason === "circular") return fill(messages.circular, { ...values, role });
  if (gap.reason === "deliberate") {
    const reason = gap.expectation === "" ? "" : ` (${gap.expectation})`;
    return fill(gap.expected ? messages.expected : messages.deliberate, { ...values, reason });
  }
  return fill(gaps.everywhere ? messages.everywhere : messages.gap, values);
}
