// Report layer: `check` as a Markdown report.

import { formatRef } from "../kube/workload.ts";
import type { CheckReport } from "./check-report.ts";
import { severityCounts } from "./check-report.ts";
import { clusterText } from "./check-text.ts";
import { code, escapeMarkdown, table } from "./markdown.ts";
import { count, listSome } from "./text-layout.ts";

/** A report to paste into a merge request or a channel. */
export function checkMarkdown(report: CheckReport): string {
  const counts = severityCounts(report.problems).map(([severity, amount]) =>
    severity === "information" ? `${amount} information` : count(amount, severity),
  );
  const lines = [
    `### Taintwise: ${counts.length === 0 ? "no problems" : counts.join(", ")} in ${count(report.files, "file")}`,
    "",
    report.clusters.length === 0
      ? "Judged without a cluster."
      : `Judged against ${report.clusters.map((cluster) => escapeMarkdown(clusterText(cluster))).join(" and ")}.`,
    ...report.notes.map((note) => `\n> ${escapeMarkdown(note)}`),
  ];
  if (report.problems.length > 0) {
    const rows = report.problems.map(({ path, range, diagnostic, fixes }) => {
      const fix = fixes.find((candidate) => candidate.preferred) ?? fixes[0];
      return [
        diagnostic.severity,
        `${code(`${path}:${range.start.line + 1}`)}`,
        diagnostic.workload === null ? "" : code(formatRef(diagnostic.workload)),
        code(diagnostic.code),
        escapeMarkdown(diagnostic.message),
        escapeMarkdown(listSome(diagnostic.nodes, 5)),
        fix === undefined ? "" : escapeMarkdown(fix.title),
      ];
    });
    lines.push("", ...table(["severity", "place", "workload", "code", "what", "nodes", "fix"], rows));
  }
  return `${lines.join("\n")}\n`;
}
