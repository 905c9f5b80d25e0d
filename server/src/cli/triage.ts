// Command-line layer: `taintwise triage`.
import { type InvestigationJson, investigationJson } from "../explorer/reports/steps-json.ts";
import { stepsMarkdown } from "../explorer/reports/steps-markdown.ts";
import { stepsText } from "../explorer/reports/steps-text.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import type { Palette } from "../report/paint.ts";
import { type Triaged, triageGithub, triageSarif } from "../report/triage-annotations.ts";
import { type TriageJson, triageJson } from "../report/triage-json.ts";
import { triageMarkdown } from "../report/triage-markdown.ts";
import { triageText } from "../report/triage-text.ts";
import { triageOptions } from "../triage/options.ts";
import { triage } from "../triage/triage.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { type Investigated, investigateNodes, wantsSteps } from "./investigating.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { FORMATS, type Format, failOnOf, formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { selectedNodes } from "./source/node-selection.ts";
import { Workspaces } from "./source/workspace.ts";

/** Prints what is wrong with nodes; 1 when a node or a pod reaches --fail-on. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf<Format>(args, "triage", FORMATS);
  const failOn = failOnOf(args, "warning");
  const palette = paletteOf(args, host);
  const steps = wantsSteps(args, format);
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const { config } = workspaces.of(host.cwd);
  const sources = await requiredClusters(args, host, workspaces);
  const clusters = sources.used();
  const nodes = selectedNodes(args, clusters);
  const triaged = clusters.map((cluster): Triaged => {
    const options = { nodes, scheduling: schedulingOf(config, cluster), ...triageOptions(config) };
    return { cluster, report: triage(cluster, options) };
  });

  const investigated = steps && nodes !== null ? await investigateNodes(args, host, config, clusters, nodes) : null;

  printNotes(sources.notes(), host);
  host.stdout.write(render(format, triaged, investigated, palette, host.stdout.columns));
  const severities = triaged.flatMap(({ report }) => [
    ...report.nodes.flatMap((node) => (node.severity === "none" ? [] : [node.severity])),
    ...report.pods.flatMap((pod) => pod.findings.map((finding) => finding.severity)),
  ]);
  return reaches(severities, failOn) ? 1 : 0;
}

function render(
  format: Format,
  triaged: readonly Triaged[],
  investigated: readonly Investigated[] | null,
  palette: Palette,
  width: number,
): string {
  switch (format) {
    case "text": {
      const reports = triaged.map(({ cluster, report }) => triageText(cluster, report, palette, width));
      const steps = (investigated ?? []).map(({ cluster, node, steps }) =>
        stepsText(cluster, node, steps, palette, width),
      );
      return [...reports, ...steps].join("\n");
    }
    case "markdown": {
      const reports = triaged.map(({ cluster, report }) => triageMarkdown(cluster, report));
      const steps = (investigated ?? []).map(({ cluster, node, steps }) => stepsMarkdown(cluster, node, steps));
      return [...reports, ...steps].join("\n");
    }
    case "github":
      return triageGithub(triaged);
    case "sarif":
      return triageSarif(triaged);
    case "json": {
      const report = triageJson(
        triaged.map(({ cluster }) => cluster),
        triaged.map(({ report }) => report),
      );
      if (investigated === null) return jsonText(report);
      const document: TriageJson & { readonly investigations: readonly InvestigationJson[] } = {
        ...report,
        investigations: investigated.map(({ cluster, node, steps }) => investigationJson(cluster, node, steps)),
      };
      return jsonText(document);
    }
  }
}
