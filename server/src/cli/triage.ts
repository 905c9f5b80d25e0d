// Command-line layer: `taintwise triage`.
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { triageJson } from "../report/triage-json.ts";
import { triageMarkdown } from "../report/triage-markdown.ts";
import { triageText } from "../report/triage-text.ts";
import { triageOptions } from "../triage/options.ts";
import { triage } from "../triage/triage.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { failOnOf, formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { selectedNodes } from "./source/node-selection.ts";
import { Workspaces } from "./source/workspace.ts";

/** Prints what is wrong with nodes; 1 when a node or a pod reaches --fail-on. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "triage", ["text", "json", "markdown"]);
  const failOn = failOnOf(args, "warning");
  const palette = paletteOf(args, host);
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const { config } = workspaces.of(host.cwd);
  const sources = await requiredClusters(args, host, workspaces);
  const clusters = sources.used();
  const nodes = selectedNodes(args, clusters);
  const reports = clusters.map((cluster) =>
    triage(cluster, { nodes, scheduling: schedulingOf(config, cluster), ...triageOptions(config) }),
  );

  printNotes(sources.notes(), host);
  if (format === "json") {
    host.stdout.write(jsonText(triageJson(clusters, reports)));
  } else {
    const texts = clusters.flatMap((cluster, index) => {
      const report = reports[index];
      if (report === undefined) return [];
      return format === "text"
        ? triageText(cluster, report, palette, host.stdout.columns)
        : triageMarkdown(cluster, report);
    });
    host.stdout.write(texts.join("\n"));
  }
  const severities = reports.flatMap((report) => [
    ...report.nodes.flatMap((node) => (node.severity === "none" ? [] : [node.severity])),
    ...report.pods.flatMap((pod) => pod.findings.map((finding) => finding.severity)),
  ]);
  return reaches(severities, failOn) ? 1 : 0;
}
