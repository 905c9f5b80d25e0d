// Report layer: `nodes` for a terminal and as Markdown.
import type { ClusterModel } from "../cluster/model.ts";
import { clusterText } from "./check-text.ts";
import { code, escapeMarkdown, table } from "./markdown.ts";
import { type NodeRow, resourceText } from "./nodes-report.ts";
import type { Palette } from "./paint.ts";
import { columns } from "./text-layout.ts";

/** A table, worst node first. */
export function nodesText(cluster: ClusterModel, rows: readonly NodeRow[], palette: Palette): string {
  const header = ["NODE", "STATUS", "TAINTS", "EXTENDED RESOURCES", "WHAT IS WRONG"].map(palette.faint);
  const body = rows.map((row) => [
    palette.strong(row.name),
    row.status === "Ready" ? row.status : palette.severity("warning")(row.status),
    row.taints.join(" ") || "-",
    row.resources.map(resourceText).join(", ") || "-",
    row.severity === "none"
      ? palette.good("ok")
      : `${palette.severity(row.severity)(row.severity)}: ${row.summary || row.findings.join(", ")}`,
  ]);
  return `${[palette.faint(`Cluster ${clusterText(cluster)}`), ...columns([header, ...body])].join("\n")}\n`;
}

/** The same as a Markdown table. */
export function nodesMarkdown(cluster: ClusterModel, rows: readonly NodeRow[]): string {
  const body = rows.map((row) => [
    code(row.name),
    row.status,
    row.taints.map(code).join(" "),
    escapeMarkdown(row.resources.map(resourceText).join(", ")),
    row.severity,
    escapeMarkdown(row.summary || row.findings.join(", ")),
  ]);
  const head = ["node", "status", "taints", "extended resources", "severity", "what is wrong"];
  return `${[`## Nodes of ${escapeMarkdown(clusterText(cluster))}`, "", ...table(head, body)].join("\n")}\n`;
}
