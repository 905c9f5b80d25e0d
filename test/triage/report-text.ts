// A triage report as text, for golden files that a person reads.
import { formatTime } from "../../server/src/kube/time.ts";
import { formatRef } from "../../server/src/kube/workload.ts";
import type { Finding, NodeTriage, Root, TriageReport } from "../../server/src/triage/finding.ts";

/** The whole report, every node and every item of every finding. */
export function reportText(report: TriageReport): string {
  const lines = [
    `Cluster ${report.cluster}, observed ${report.observedAt === null ? "at an unknown time" : formatTime(report.observedAt)}`,
  ];
  for (const cause of report.clusterCauses)
    lines.push("", `For ${cause.nodes.join(", ")}: ${cause.summary}`, `  next: ${cause.advice}`);
  for (const node of report.nodes) lines.push("", ...nodeText(node));
  for (const pod of report.pods) {
    lines.push(
      "",
      `Pod ${pod.namespace}/${pod.name}, charged to no node`,
      ...rootText(pod.root),
      ...pod.findings.flatMap(findingText),
    );
  }
  if (report.unknown.length > 0) lines.push("", "Unknown:", ...report.unknown.map((text) => `  ${text}`));
  return `${lines.join("\n")}\n`;
}

function nodeText(node: NodeTriage): readonly string[] {
  if (node.severity === "none") return [`Node ${node.name}: nothing to report`];
  return [
    `Node ${node.name}: ${node.severity}`,
    ...node.roots.flatMap(rootText),
    ...node.findings.flatMap(findingText),
  ];
}

function rootText(root: Root): readonly string[] {
  const object = root.object === null ? "" : ` @ ${formatRef(root.object)}`;
  return [`  root ${root.code}${object}: ${root.summary}`, ...(root.advice === "" ? [] : [`    next: ${root.advice}`])];
}

function findingText(finding: Finding): readonly string[] {
  const because = finding.causedBy.map((id) => id.slice(id.lastIndexOf("/") + 1)).join(", ");
  return [
    `  ${finding.severity} ${finding.code}${because === "" ? "" : ` <- ${because}`}`,
    ...finding.items.flatMap((item) => [
      `    ${item.message}`,
      ...(item.consequence === "" ? [] : [`      notice: ${item.consequence}`]),
      ...item.evidence.map((seen) => `      seen${seen.at === null ? "" : ` ${formatTime(seen.at)}`}: ${seen.text}`),
    ]),
  ];
}
