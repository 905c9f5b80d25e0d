// Report layer: `explain` for a terminal.
import type { Severity } from "../../../shared/src/severity.ts";
import { formatRef } from "../kube/workload.ts";
import type { Verdict } from "../scheduling/verdict.ts";
import { clusterText } from "./check-text.ts";
import {
  type ExplainedWorkload,
  type ExplainReport,
  groupNodes,
  isBlocked,
  isPlaced,
  type NodeGroup,
} from "./explain-report.ts";
import type { Palette } from "./paint.ts";
import { count, listSome, padTo, wrap } from "./text-layout.ts";

/** What a verdict means, in a word or two. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  run: "runs",
  keep: "no new pod",
  evict: "evicted",
  affinity: "not meant",
  taint: "tainted",
  resource: "too small",
  fits: "fits",
};

const TONES: Readonly<Record<Verdict, Severity | "none">> = {
  run: "none",
  fits: "none",
  keep: "warning",
  evict: "error",
  taint: "warning",
  resource: "warning",
  affinity: "hint",
};

const NAMES = 8;

/** The whole explanation. In: the terminal's width in columns. */
export function explainText(report: ExplainReport, palette: Palette, width: number): string {
  const clusters = report.clusters.map((cluster) => palette.faint(`Cluster ${clusterText(cluster)}`));
  const sections = report.workloads.map((workload) => workloadSection(workload, palette, Math.max(60, width)));
  return [clusters, ...sections]
    .filter((section) => section.length > 0)
    .map((section) => `${section.join("\n")}\n`)
    .join("\n");
}

function workloadSection(workload: ExplainedWorkload, palette: Palette, width: number): readonly string[] {
  const name = formatRef({ ...workload.ref, generateName: workload.generateName });
  const place = workload.path === null ? "" : `${workload.path}:${(workload.line ?? 0) + 1}`;
  const groups = groupNodes(workload.nodes);
  const problems = workload.problems.map(({ code, severity }) => palette.severity(severity)(code));
  return [
    [palette.strong(name), palette.faint(workload.role), palette.path(place)].filter((part) => part !== "").join("  "),
    ...(workload.cluster === null ? [] : [`  ${headline(workload)}`]),
    ...groups.flatMap((group) => groupLines(group, palette, width)),
    ...(workload.sentence === null ? [] : [`  The scheduler would say: ${workload.sentence}`]),
    ...(problems.length === 0 ? [] : [`  Problems: ${[...new Set(problems)].join(", ")}`]),
  ];
}

function headline(workload: ExplainedWorkload): string {
  const { nodes } = workload;
  const placed = nodes.filter((node) => isPlaced(node.verdict)).length;
  const blocked = nodes.filter((node) => isBlocked(node.verdict));
  const bombs = blocked.filter((node) => node.running === true && node.verdict === "keep").length;
  const verb = workload.ref.kind === "DaemonSet" ? "Runs on" : "Fits on";
  return [
    `${workload.cluster}: ${verb} ${placed} of ${count(nodes.length, "node")}`,
    ...(blocked.length > 0 ? [`${blocked.length} blocked`] : []),
    ...(bombs > 0 ? [count(bombs, "time bomb")] : []),
  ].join(", ");
}

function groupLines(group: NodeGroup, palette: Palette, width: number): readonly string[] {
  const word = palette.severity(TONES[group.verdict])(padTo(VERDICT_WORDS[group.verdict], 10));
  const names = listSome(group.names, NAMES);
  const running =
    group.running.length > 0 && !isPlaced(group.verdict)
      ? ` (its pod runs now on ${listSome(group.running, NAMES)})`
      : "";
  const indent = " ".repeat(14);
  const reason =
    group.reason === "" ? [] : wrap(group.reason, width - indent.length).map((line) => indent + palette.faint(line));
  return [`  ${word}  ${palette.strong(names)}${running}`, ...reason];
}
