// Command-line layer: `taintwise nodes`.
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { nodesJson } from "../report/nodes-json.ts";
import { nodeRows } from "../report/nodes-report.ts";
import { nodesMarkdown, nodesText } from "../report/nodes-text.ts";
import { triageOptions } from "../triage/options.ts";
import { triage } from "../triage/triage.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { failOnOf, formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { selectedNodes } from "./source/node-selection.ts";
import { Workspaces } from "./source/workspace.ts";

/** Lists the nodes, worst first; 0 unless --fail-on is given and reached. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "nodes", ["text", "json", "markdown"]);
  const failOn = failOnOf(args, "never");
  const palette = paletteOf(args, host);
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const { config } = workspaces.of(host.cwd);
  const sources = await requiredClusters(args, host, workspaces);
  const clusters = sources.used();
  const names = selectedNodes(args, clusters);
  const tables = clusters.map((cluster) => {
    const report = triage(cluster, {
      nodes: names,
      scheduling: schedulingOf(config, cluster),
      ...triageOptions(config),
    });
    return { cluster, rows: nodeRows(cluster, report, names) };
  });

  printNotes(sources.notes(), host);
  const rows = tables.flatMap((table) => table.rows);
  if (format === "json") {
    host.stdout.write(jsonText(nodesJson(clusters, rows)));
  } else {
    const texts = tables.map(({ cluster, rows: own }) =>
      format === "text" ? nodesText(cluster, own, palette) : nodesMarkdown(cluster, own),
    );
    host.stdout.write(texts.join("\n"));
  }
  return reaches(
    rows.flatMap((row) => (row.severity === "none" ? [] : [row.severity])),
    failOn,
  )
    ? 1
    : 0;
}
