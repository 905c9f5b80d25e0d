// Report layer: `explain` as a Markdown report.
import { formatRef } from "../kube/workload.ts";
import { clusterText } from "./check-text.ts";
import { type ExplainReport, groupNodes } from "./explain-report.ts";
import { VERDICT_WORDS } from "./explain-text.ts";
import { code, escapeMarkdown, table } from "./markdown.ts";
import { listSome } from "./text-layout.ts";

/** One table for each workload. */
export function explainMarkdown(report: ExplainReport): string {
  const lines = [
    "## Where the workloads live",
    "",
    ...report.clusters.map((cluster) => `Cluster ${escapeMarkdown(clusterText(cluster))}`),
    ...report.notes.map((note) => `\n> ${escapeMarkdown(note)}`),
    ...report.workloads.flatMap((workload) => [
      "",
      `### ${code(formatRef({ ...workload.ref, generateName: workload.generateName }))} (${workload.role})`,
      ...(workload.path === null ? [] : ["", code(`${workload.path}:${(workload.line ?? 0) + 1}`)]),
      "",
      ...table(
        ["verdict", "nodes", "running", "why"],
        groupNodes(workload.nodes).map((group) => [
          `${group.verdict} (${VERDICT_WORDS[group.verdict]})`,
          `${group.names.length}: ${listSome(group.names.map(code), 8)}`,
          group.runningUnknown ? "unknown" : listSome(group.running.map(code), 8),
          escapeMarkdown(group.reason),
        ]),
      ),
      ...(workload.sentence === null ? [] : ["", `The scheduler would say: ${escapeMarkdown(workload.sentence)}`]),
      ...(workload.problems.length === 0
        ? []
        : ["", `Problems: ${[...new Set(workload.problems.map((problem) => code(problem.code)))].join(", ")}`]),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
