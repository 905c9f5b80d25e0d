// Command-line layer: `taintwise explain`.

import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { explainJson } from "../report/explain-json.ts";
import { explainMarkdown } from "../report/explain-markdown.ts";
import type { ExplainedWorkload, ExplainReport } from "../report/explain-report.ts";
import { explainText } from "../report/explain-text.ts";
import { missingNotes } from "../report/missing-parts.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { failOnOf, formatOf } from "./settings.ts";
import { checkManifests } from "./source/checking.ts";
import { clusterSources } from "./source/clusters.ts";
import { Explainer } from "./source/explaining.ts";
import { requireOperands } from "./source/manifests.ts";
import { selectedNodes } from "./source/node-selection.ts";
import { NO_CLUSTER } from "./source/notes.ts";
import { readReference, type WorkloadReference } from "./source/workload-reference.ts";
import { Workspaces } from "./source/workspace.ts";
import { Unusable } from "./unusable.ts";

/** Prints where workloads live and where not; 0 unless --fail-on is given and a problem reaches it. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "explain", ["text", "json", "markdown"]);
  const failOn = failOnOf(args, "never");
  const palette = paletteOf(args, host);
  const { paths, references } = splitOperands(args.operands, host.cwd);
  if (paths.length > 0) requireOperands(paths, host.cwd, "explain");
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const sources = await clusterSources({ ...args, operands: paths }, host, workspaces);
  const explainer = new Explainer(references);

  const workloads: ExplainedWorkload[] = [];
  const unreadable: string[] = [];
  if (paths.length === 0) {
    const { clusters, config } = await sources.of(workspaces.of(host.cwd));
    if (clusters.length === 0)
      throw new Unusable("explain needs a path, or a cluster: --cluster FILE or --context NAME.");
    for (const cluster of clusters) workloads.push(...explainer.live(cluster, config));
  } else {
    const onUnreadable = (path: string, reason: string): void => {
      unreadable.push(`${path}: not explained: ${reason}.`);
    };
    for await (const manifest of checkManifests(
      { operands: paths, workspaces, clusters: sources, onUnreadable },
      host,
    )) {
      workloads.push(...explainer.manifest(manifest));
    }
  }
  for (const reference of references) {
    if (!workloads.some((workload) => reference.matches(workload.ref))) {
      throw new Unusable(
        `There is no workload ${reference.text} ${paths.length > 0 ? "in these files" : "in the cluster"}.`,
      );
    }
  }
  const clusters = sources.used();
  const nodes = selectedNodes({ ...args, operands: [] }, clusters);
  const report: ExplainReport = {
    clusters,
    workloads: nodes === null ? workloads : workloads.map((workload) => onlyNodes(workload, nodes)),
    notes: [
      ...(clusters.length === 0
        ? [NO_CLUSTER]
        : clusters.flatMap((cluster) => missingNotes(cluster, explainer.asksForDevices))),
      ...sources.notes(),
      ...unreadable,
    ],
  };
  printNotes(report.notes, host);
  if (workloads.length === 0) host.stderr.write("taintwise: No workloads here.\n");
  if (format === "json") {
    host.stdout.write(jsonText(explainJson(report)));
  } else if (format === "markdown") {
    host.stdout.write(explainMarkdown(report));
  } else {
    host.stdout.write(explainText(report, palette, host.stdout.columns));
  }
  if (unreadable.length > 0) return 2;
  const severities = workloads.flatMap((workload) => workload.problems.map((problem) => problem.severity));
  return reaches(severities, failOn) ? 1 : 0;
}

/** `Kind/name` is a reference unless a file or folder of that name is there. */
function splitOperands(
  operands: readonly string[],
  cwd: string,
): { readonly paths: readonly string[]; readonly references: readonly WorkloadReference[] } {
  const paths: string[] = [];
  const references: WorkloadReference[] = [];
  for (const operand of operands) {
    const reference = readReference(operand, cwd);
    if (reference === null) paths.push(operand);
    else references.push(reference);
  }
  return { paths, references };
}

function onlyNodes(workload: ExplainedWorkload, names: readonly string[]): ExplainedWorkload {
  return { ...workload, nodes: workload.nodes.filter((node) => names.includes(node.name)) };
}
