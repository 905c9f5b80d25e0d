// Report layer: triage as a Markdown report for an incident channel.
import type { ClusterModel } from "../cluster/model.ts";
import { formatRef } from "../kube/workload.ts";
import type { FindingItem, NodeTriage, Root, TriageReport } from "../triage/finding.ts";
import { type ChainLink, chainOf } from "./chain.ts";
import { clusterText } from "./check-text.ts";
import { foldSentences } from "./fold-sentences.ts";
import { code, escapeMarkdown } from "./markdown.ts";
import { count, listSome } from "./text-layout.ts";
import { eventTime } from "./time.ts";

/** The report of one cluster. */
export function triageMarkdown(cluster: ClusterModel, report: TriageReport): string {
  const sick = report.nodes.filter((node) => node.findings.length > 0);
  const healthy = report.nodes.filter((node) => node.findings.length === 0).map((node) => code(node.name));
  const lines = [
    `## Node triage: ${sick.length} of ${report.nodes.length} nodes with findings`,
    "",
    // The time that every age below counts from; it may be later than what the server side wrote.
    `Cluster ${escapeMarkdown(clusterText({ ...cluster, observedAt: report.observedAt }))}`,
    ...report.clusterCauses.flatMap((cause) => [
      "",
      `**One cause for many nodes:** ${escapeMarkdown(cause.summary)} (${listSome(cause.nodes.map(code), 12)})`,
      ...(cause.advice === "" ? [] : ["", `**Next:** ${escapeMarkdown(foldSentences(cause.advice).join(" "))}`]),
    ]),
    ...sick.flatMap((node) => nodeLines(node, report.observedAt)),
    ...report.pods.flatMap((pod) => [
      "",
      `### Pod ${code(`${pod.namespace}/${pod.name}`)}: not the fault of a node`,
      "",
      ...rootLines(pod.root),
      ...chainOf(pod.findings).flatMap((link) => findingLines(link, report.observedAt)),
    ]),
    ...(healthy.length === 0 ? [] : ["", `Nothing to report: ${listSome(healthy, 20)}`]),
    ...(report.unknown.length === 0
      ? []
      : ["", "### Unknown", "", ...report.unknown.map((text) => `- ${escapeMarkdown(text)}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

function nodeLines(node: NodeTriage, observedAt: number | null): readonly string[] {
  return [
    "",
    `### ${code(node.name)}: ${node.severity}`,
    "",
    ...node.roots.flatMap(rootLines),
    "Chain of causes:",
    "",
    ...chainOf(node.findings).flatMap((link) => findingLines(link, observedAt)),
  ];
}

function rootLines(root: Root): readonly string[] {
  const where = root.object === null ? "" : ` (${code(formatRef(root.object))})`;
  const label = root.code === "outside" ? "Cause outside the node" : "Root cause";
  return [
    `**${label}:** ${escapeMarkdown(root.summary)}${where}`,
    "",
    ...(root.advice === "" ? [] : [`**Next:** ${escapeMarkdown(foldSentences(root.advice).join(" "))}`, ""]),
  ];
}

function findingLines(link: ChainLink, observedAt: number | null): readonly string[] {
  const indent = "  ".repeat(link.depth);
  const { finding } = link;
  return [
    `${indent}- **${finding.severity}** ${code(finding.code)}: ${
      finding.items.length > 1 ? count(finding.items.length, "object") : escapeMarkdown(finding.message)
    }`,
    ...(finding.items.length > 1
      ? finding.items.flatMap((item) => [
          `${indent}  - ${escapeMarkdown(item.message)}`,
          ...detailLines(item, `${indent}    `, observedAt),
        ])
      : detailLines(finding, `${indent}  `, observedAt)),
  ];
}

function detailLines(item: FindingItem, indent: string, observedAt: number | null): readonly string[] {
  return [
    ...(item.consequence === "" ? [] : [`${indent}- you will notice: ${escapeMarkdown(item.consequence)}`]),
    ...item.evidence.map((seen) => {
      const when = seen.at === null ? "" : ` (${eventTime(seen.at, observedAt)})`;
      return `${indent}- seen: ${escapeMarkdown(seen.text)}${when}`;
    }),
  ];
}
