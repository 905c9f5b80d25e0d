// Incident fixtures: a dump, when it was taken, and the right answer as `#=` lines.
import { readdirSync, readFileSync } from "node:fs";
import { readClusterFiles } from "../../server/src/cluster/file/cluster-reader.ts";
import type { ClusterModel } from "../../server/src/cluster/model.ts";
import { parseTime } from "../../server/src/kube/time.ts";
import { formatRef, type ObjectRef } from "../../server/src/kube/workload.ts";
import type { NodeTriage, PodTriage, Root, TriageReport } from "../../server/src/triage/finding.ts";
import type { TriageOptions } from "../../server/src/triage/options.ts";
import { triage } from "../../server/src/triage/triage.ts";

/** One incident: its file's name without extension, its cluster, its expected lines in the file's order. */
export interface Incident {
  readonly name: string;
  readonly text: string;
  readonly cluster: ClusterModel;
  readonly expected: readonly string[];
}

/**
 * Reads an incident's text. `#= observed TIME` is the observation time; `#= node …` and `#= pod …` are the answer:
 * `#= node NAME -> SEVERITY CODE[, CODE…] root CODE[ + CODE…][ @ OBJECT]`, `#= node NAME -> none`,
 * `#= pod NS/NAME -> CODE root outside`.
 */
export function readIncident(name: string, text: string): Incident {
  const lines = text.split("\n").filter((line) => line.startsWith("#= "));
  const observed = lines.find((line) => line.startsWith("#= observed "))?.slice("#= observed ".length) ?? "";
  const bytes = new TextEncoder().encode(text);
  const { model, problems } = readClusterFiles([{ path: `${name}.yaml`, bytes, named: true }], {
    name,
    now: parseTime(observed.trim()),
  });
  const bad = problems.filter((problem) => problem.severity === "error");
  if (bad.length > 0) throw new Error(`${name}: ${bad.map((problem) => problem.message).join("; ")}`);
  return {
    name,
    text,
    cluster: model,
    expected: lines.filter((line) => !line.startsWith("#= observed ")).map((line) => line.trimEnd()),
  };
}

/** The incidents of a folder beside this file, by name. */
export function incidentsIn(folder: string): readonly Incident[] {
  const directory = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(directory)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => readIncident(file.slice(0, -".yaml".length), readFileSync(new URL(file, directory), "utf8")));
}

/** The report as `#=` lines: every node, then the pods that no node is charged with. */
export function answerOf(incident: Incident, options: Partial<TriageOptions> = {}): readonly string[] {
  return answerLines(triage(incident.cluster, options));
}

export function answerLines(report: TriageReport): readonly string[] {
  return [...report.nodes.map(nodeLine), ...report.pods.map(podLine)];
}

function nodeLine(node: NodeTriage): string {
  if (node.severity === "none") return `#= node ${node.name} -> none`;
  const codes = node.findings.map((finding) => finding.code).join(", ");
  return `#= node ${node.name} -> ${node.severity} ${codes} root ${rootsText(node.roots)}`;
}

function podLine(pod: PodTriage): string {
  const codes = pod.findings.map((finding) => finding.code).join(", ");
  return `#= pod ${pod.namespace}/${pod.name} -> ${codes} root ${rootsText([pod.root])}`;
}

function rootsText(roots: readonly Root[]): string {
  return roots.map((root) => `${root.code}${objectText(root.object)}`).join(" + ");
}

function objectText(object: ObjectRef | null): string {
  return object === null ? "" : ` @ ${formatRef(object)}`;
}
