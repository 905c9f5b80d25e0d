// Report layer: triage for a terminal: the root on top, its evidence, what follows from it indented.
import type { ClusterModel } from "../cluster/model.ts";
import { formatRef } from "../kube/workload.ts";
import type { Evidence, FindingItem, NodeTriage, PodTriage, Root, TriageReport } from "../triage/finding.ts";
import { type ChainLink, chainOf } from "./chain.ts";
import { clusterText } from "./check-text.ts";
import { foldSentences } from "./fold-sentences.ts";
import type { Palette } from "./paint.ts";
import { count, listSome, wrap } from "./text-layout.ts";
import { eventTime } from "./time.ts";

interface Layout {
  readonly palette: Palette;
  readonly width: number;
  readonly observedAt: number | null;
}

/** Evidence lines shown under a finding, and under one of several objects; the JSON holds all. */
const EVIDENCE = 4;
const ITEM_EVIDENCE = 2;
/** Widest text block: longer lines are hard to read. */
const WIDEST = 110;

/** The report of one cluster. In: the terminal's width in columns. */
export function triageText(cluster: ClusterModel, report: TriageReport, palette: Palette, width: number): string {
  const layout: Layout = { palette, width: Math.min(Math.max(width, 60), WIDEST), observedAt: report.observedAt };
  const healthy = report.nodes.filter((node) => node.findings.length === 0);
  const sections = [
    // The time that every age below counts from; it may be later than what the server side wrote.
    [palette.faint(`Cluster ${clusterText({ ...cluster, observedAt: report.observedAt })}`)],
    ...report.clusterCauses.map((cause) => [
      ...hanging(`${palette.strong("One cause for many nodes:")} `, cause.summary, layout),
      ...hanging("  nodes: ", listSome(cause.nodes, 12), layout),
      ...(cause.advice === "" ? [] : adviceLines(cause.advice, layout)),
    ]),
    ...report.nodes.filter((node) => node.findings.length > 0).map((node) => nodeSection(node, layout)),
    ...report.pods.map((pod) => podSection(pod, layout)),
    healthy.length === 0 ? [] : hanging(palette.good("Nothing to report: "), healthyText(healthy, report), layout),
    report.unknown.length === 0
      ? []
      : [palette.strong("Unknown"), ...report.unknown.flatMap((text) => hanging("  ", text, layout))],
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => `${section.join("\n")}\n`)
    .join("\n");
}

function healthyText(healthy: readonly NodeTriage[], report: TriageReport): string {
  const names = listSome(
    healthy.map((node) => node.name),
    8,
  );
  return healthy.length === report.nodes.length && healthy.length > 1
    ? `all ${healthy.length} nodes (${names})`
    : names;
}

function nodeSection(node: NodeTriage, layout: Layout): readonly string[] {
  const { palette } = layout;
  return [
    `${palette.strong(`Node ${node.name}`)}  ${palette.severity(node.severity)(node.severity)}`,
    ...node.roots.flatMap((root) => rootLines(root, layout)),
    ...chainOf(node.findings).flatMap((link) => findingLines(link, layout)),
  ];
}

function podSection(pod: PodTriage, layout: Layout): readonly string[] {
  const { palette } = layout;
  return [
    `${palette.strong(`Pod ${pod.namespace}/${pod.name}`)}  ${palette.faint("not the fault of a node")}`,
    ...rootLines(pod.root, layout),
    ...chainOf(pod.findings).flatMap((link) => findingLines(link, layout)),
  ];
}

function rootLines(root: Root, layout: Layout): readonly string[] {
  const { palette } = layout;
  const where = root.object === null ? "" : ` (${formatRef(root.object)})`;
  const label = root.code === "outside" ? "Cause outside the node: " : "Root cause: ";
  const parts = root.summary.split("; ");
  const summary =
    parts.length > 1
      ? [`  ${palette.strong(label.trim())}`, ...parts.flatMap((part) => hanging("  - ", part, layout))]
      : hanging(`  ${palette.strong(label)}`, `${root.summary}${where}`, layout);
  return [...summary, ...(root.advice === "" ? [] : adviceLines(root.advice, layout))];
}

function adviceLines(advice: string, layout: Layout): readonly string[] {
  return foldSentences(advice).flatMap((sentence, index) =>
    hanging(index === 0 ? `  ${layout.palette.strong("Next: ")}` : "        ", sentence, layout, " ".repeat(8)),
  );
}

function findingLines(link: ChainLink, layout: Layout): readonly string[] {
  const { palette } = layout;
  const { finding, depth } = link;
  const lead = depth === 0 ? "  " : `${"   ".repeat(depth)}└─ `;
  const under = " ".repeat(lead.length + 2);
  const colour = palette.severity(finding.severity);
  const head = `${lead}${colour(finding.severity)} ${palette.strong(finding.code)}`;
  const many = finding.items.length > 1;
  return [
    ...(many
      ? hanging(`${head}: `, count(finding.items.length, "object"), layout, under)
      : hanging(`${head}: `, finding.message, layout, under)),
    ...(many ? itemLines(finding.items, under, layout) : detailLines(finding, under, EVIDENCE, layout)),
    ...link.alsoCausedBy.flatMap((other) => hanging(`${under}Also caused by: `, other.code, layout)),
  ];
}

/** Each object of a finding with what only it shows; what was seen for all of them stands once below. */
function itemLines(items: readonly FindingItem[], under: string, layout: Layout): readonly string[] {
  const [first] = items;
  const shared = (first?.evidence ?? []).filter(({ text }) =>
    items.every((item) => item.evidence.some((seen) => seen.text === text)),
  );
  const own = items.map((item) => ({
    ...item,
    evidence: item.evidence.filter((seen) => !shared.some(({ text }) => text === seen.text)),
  }));
  return [
    ...own.flatMap((item) => [
      ...hanging(`${under}- `, item.message, layout),
      ...detailLines(item, `${under}  `, ITEM_EVIDENCE, layout),
    ]),
    ...distinct(shared).flatMap((seen) => evidenceLines(seen, under, layout)),
  ];
}

/** What people will notice of a finding or one of its objects, and the first of what was seen. */
function detailLines(item: FindingItem, under: string, limit: number, layout: Layout): readonly string[] {
  const evidence = distinct(item.evidence);
  const more = evidence.length - limit;
  return [
    ...(item.consequence === "" ? [] : hanging(`${under}You will notice: `, item.consequence, layout)),
    ...evidence.slice(0, limit).flatMap((seen) => evidenceLines(seen, under, layout)),
    ...(more > 0
      ? [layout.palette.faint(`${under}seen: and ${count(more, "more thing")} (--format json lists all)`)]
      : []),
  ];
}

/** One thing may have been seen for several objects of a finding. */
function distinct(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter(
    (seen, index) => evidence.findIndex(({ text, at }) => text === seen.text && at === seen.at) === index,
  );
}

function evidenceLines(seen: Evidence, under: string, layout: Layout): readonly string[] {
  const when = seen.at === null ? "" : ` (${eventTime(seen.at, layout.observedAt)})`;
  return hanging(`${under}seen: `, `${seen.text}${when}`, layout).map(layout.palette.faint);
}

/**
 * A label and a text behind it, wrapped. The label's own leading spaces are the indent of the first line; further lines
 * are indented by `under`, or by two more than the first.
 */
function hanging(label: string, text: string, layout: Layout, under?: string): readonly string[] {
  const lead = /^ */.exec(label)?.[0] ?? "";
  const indent = under ?? `${lead}  `;
  const [first = "", ...rest] = wrap(`${label.trimStart()}${text}`.replaceAll("\n", " "), layout.width - indent.length);
  return [lead + first, ...rest.map((line) => indent + line)];
}
