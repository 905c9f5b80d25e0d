// Report layer: `preflight` for a terminal and as Markdown.
import type { PodEviction } from "../coverage/preflight.ts";
import { formatTaint } from "../kube/taint.ts";
import { formatRef, type Workload, workloadRef } from "../kube/workload.ts";
import { roleLoss } from "../triage/wording/role-loss.ts";
import { clusterText } from "./check-text.ts";
import { VERDICT_WORDS } from "./explain-text.ts";
import { escapeMarkdown } from "./markdown.ts";
import type { Palette } from "./paint.ts";
import { type ChangeGroup, groupChanges, type PreflightReport } from "./preflight-report.ts";
import { count, listSome } from "./text-layout.ts";

const NODES = 8;
const EVICTIONS = 30;

/** A heading and the lines under it. */
interface Section {
  readonly title: string;
  readonly grave: boolean;
  readonly lines: readonly string[];
}

/** The answer for one cluster. */
export function preflightText(report: PreflightReport, palette: Palette): string {
  const lines = [
    palette.faint(`Cluster ${clusterText(report.cluster)}`),
    palette.strong(question(report)),
    ...unchangedLine(report),
    ...sections(report).flatMap(({ title, grave, lines: body }) => [
      "",
      palette.severity(grave ? "warning" : "none")(title),
      ...body.map((line) => `  ${line}`),
    ]),
    ...patchLines(report, palette),
    ...(report.answer.unknown.length === 0
      ? []
      : ["", palette.strong("Unknown"), ...report.answer.unknown.map((text) => `  ${text}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The same as Markdown. */
export function preflightMarkdown(report: PreflightReport): string {
  const lines = [
    `## ${escapeMarkdown(question(report))}`,
    "",
    `Cluster ${escapeMarkdown(clusterText(report.cluster))}`,
    ...unchangedLine(report).map((line) => `\n${escapeMarkdown(line)}`),
    ...sections(report).flatMap(({ title, lines: body }) => [
      "",
      `### ${escapeMarkdown(title)}`,
      "",
      ...body.map((line) => `${/^ */.exec(line)?.[0] ?? ""}- ${escapeMarkdown(line)}`),
    ]),
    ...(report.patches.length === 0
      ? []
      : ["", "### To prevent it", "", "```sh", ...report.patches.map((patch) => patch.command), "```"]),
    ...report.answer.unknown.map((text) => `\n> ${escapeMarkdown(text)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function question({ change, answer }: PreflightReport): string {
  const taint = formatTaint(change.taint);
  const nodes = count(answer.nodes.length, "node");
  const names = answer.nodes.length === 0 ? "" : ` (${listSome(answer.nodes, NODES)})`;
  return change.remove ? `Taking ${taint} off ${nodes}${names}` : `Putting ${taint} on ${nodes}${names}`;
}

function unchangedLine({ change, answer }: PreflightReport): readonly string[] {
  if (answer.unchanged.length === 0) return [];
  const one = answer.unchanged.length === 1;
  const state = change.remove ? `${one ? "does" : "do"} not have it` : `${one ? "has" : "have"} it already`;
  return [`${count(answer.unchanged.length, "node")} ${state}: ${listSome(answer.unchanged, NODES)}`];
}

function sections(report: PreflightReport): readonly Section[] {
  const { answer } = report;
  const groups = groupChanges(answer.changes);
  const lost = groups.filter(({ to }) => to === "keep" || to === "evict" || to === "taint");
  const gained = groups.filter(({ to }) => to === "run" || to === "fits");
  const stranded = answer.feasibility.filter(({ becomes }) => becomes === "unplaceable");
  const freed = answer.feasibility.filter(({ becomes }) => becomes === "placeable");
  const found: readonly Section[] = [
    {
      title: lost.some((group) => group.timeBombs.length > 0)
        ? "No longer placed (a time bomb: the pod stays, and would not come back after a deletion or rollout)"
        : "No longer placed",
      grave: true,
      lines: lost.flatMap((group) => [changeLine(group, report), ...lossLine(group, report)]),
    },
    { title: "Evicted", grave: true, lines: evictionLines(answer.evictions) },
    { title: "Left without any node", grave: true, lines: stranded.map(({ workload }) => name(workload)) },
    { title: "Become placeable", grave: false, lines: gained.map((group) => changeLine(group, report)) },
    { title: "Get a first node", grave: false, lines: freed.map(({ workload }) => name(workload)) },
  ];
  const shown = found.filter((section) => section.lines.length > 0);
  if (shown.length > 0) return shown;
  return [
    {
      title: "Nothing would change",
      grave: false,
      lines: ["No workload loses or gains a node, and no pod is evicted."],
    },
  ];
}

function changeLine({ workload, from, to, nodes, timeBombs }: ChangeGroup, { roleOf }: PreflightReport): string {
  const what = `${VERDICT_WORDS[from]} → ${VERDICT_WORDS[to]}`;
  const bombs = timeBombs.length === nodes.length ? "time bomb" : `time bomb on ${listSome(timeBombs, NODES)}`;
  const behind = timeBombs.length === 0 ? "" : ` (${bombs})`;
  return `${name(workload)} (${roleOf(workload)}): ${what} on ${listSome(nodes, NODES)}${behind}`;
}

/** What people would notice on these nodes. */
function lossLine({ workload }: ChangeGroup, { roleOf }: PreflightReport): readonly string[] {
  const loss = roleLoss(roleOf(workload), []);
  return loss === "" ? [] : [`  You would notice: ${loss}`];
}

function evictionLines(evictions: readonly PodEviction[]): readonly string[] {
  const shown = evictions.slice(0, EVICTIONS).map(({ pod, node, afterSeconds, by }) => {
    const when = afterSeconds === 0 ? "at once" : `after ${afterSeconds} s`;
    return `${pod.namespace}/${pod.name} on ${node}: ${when} (${by})`;
  });
  const more = evictions.length - shown.length;
  return more > 0 ? [...shown, `and ${count(more, "more pod")} (--format json lists all)`] : shown;
}

function patchLines({ patches }: PreflightReport, palette: Palette): readonly string[] {
  if (patches.length === 0) return [];
  return [
    "",
    palette.strong("To prevent it, add the toleration first (in the source of each workload, or as a patch):"),
    ...patches.map((patch) => `  ${patch.command}`),
  ];
}

function name(workload: Workload): string {
  return formatRef({ ...workloadRef(workload), generateName: workload.generateName });
}
