// Report layer: `check` for a terminal.
import type { ClusterModel } from "../cluster/model.ts";
import { formatRef } from "../kube/workload.ts";
import { type CheckReport, severityCounts } from "./check-report.ts";
import { excerptOf } from "./excerpt.ts";
import type { Palette } from "./paint.ts";
import { type Problem, problemPlace } from "./problem.ts";
import { count } from "./text-layout.ts";
import { isoTime } from "./time.ts";

/**
 * One problem: `path:line:column: severity code: message [workload]`, the line with carets, and the preferred fix. The
 * cluster is named where there are several.
 */
export function problemText(problem: Problem, palette: Palette, severalClusters: boolean): string {
  const { diagnostic, range } = problem;
  const colour = palette.severity(diagnostic.severity);
  const excerpt = excerptOf(problem.line, range);
  const gutter = " ".repeat(excerpt.number.length);
  const fix = problem.fixes.find((candidate) => candidate.preferred) ?? problem.fixes[0];
  const about = [
    diagnostic.workload === null ? "" : formatRef(diagnostic.workload),
    diagnostic.cluster !== null && severalClusters ? `on ${diagnostic.cluster}` : "",
  ].filter((part) => part !== "");
  const whom = about.length === 0 ? "" : palette.faint(` [${about.join(" ")}]`);
  const lines = [
    `${palette.path(problemPlace(problem))}: ${colour(diagnostic.severity)} ${palette.strong(diagnostic.code)}: ${diagnostic.message}${whom}`,
    `  ${palette.faint(`${excerpt.number} |`)} ${excerpt.line}`,
    `  ${palette.faint(`${gutter} |`)} ${colour(excerpt.carets)}`,
    ...(fix === undefined ? [] : [`  ${palette.faint(`${gutter} =`)} fix: ${fix.title}`]),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** The last lines: how many problems, in how many files, judged against what. */
export function summaryText(report: CheckReport, palette: Palette): string {
  const files = count(report.files, "file");
  if (report.problems.length === 0) {
    return `${palette.good(report.files === 0 ? "Nothing to check" : "No problems")} in ${files}, ${against(report.clusters)}.\n`;
  }
  const counts = severityCounts(report.problems).map(([severity, amount]) =>
    palette.severity(severity)(severity === "information" ? `${amount} information` : count(amount, severity)),
  );
  const touched = new Set(report.problems.map((problem) => problem.path)).size;
  return `${counts.join(", ")} in ${touched} of ${files}, ${against(report.clusters)}.\n${fixHint(report.problems)}`;
}

/** How to apply what can be applied without a person's decision; empty when nothing can. */
function fixHint(problems: readonly Problem[]): string {
  const fixable = problems.filter(({ fixes }) => fixes.some(({ kind }) => kind !== "silence" && kind !== "exclude"));
  if (fixable.length === 0) return "";
  const unsafe = fixable.filter(({ fixes }) => !fixes.some(({ kind }) => kind === "safe"));
  const codes = [...new Set(unsafe.map(({ diagnostic }) => diagnostic.code))];
  const safe = fixable.length - unsafe.length;
  const hints = [
    ...(safe > 0 ? [`${safe} by taintwise fix`] : []),
    ...(unsafe.length > 0 ? [`${unsafe.length} by taintwise fix --code ${codes.join(",")}`] : []),
  ];
  return `Can be fixed: ${hints.join(", ")} (--dry-run shows how).\n`;
}

function against(clusters: readonly ClusterModel[]): string {
  if (clusters.length === 0) return "judged without a cluster";
  return `judged against ${clusters.map(clusterText).join(" and ")}`;
}

/** `cluster.yaml (5 nodes, observed 2026-03-02T10:00:00Z)`. */
export function clusterText(cluster: ClusterModel): string {
  const observed = isoTime(cluster.observedAt);
  const nodes = cluster.parts.nodes === "known" ? count(cluster.nodes.size, "node") : "nodes unknown";
  return `${cluster.name} (${nodes}, ${observed === null ? "time of observation unknown" : `observed ${observed}`})`;
}
