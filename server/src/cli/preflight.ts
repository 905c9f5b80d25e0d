// Command-line layer: `taintwise preflight`, also `taintwise whatif taint`.
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { preflightJson } from "../report/preflight-json.ts";
import { doesHarm, reportPreflight } from "../report/preflight-report.ts";
import { preflightMarkdown, preflightText } from "../report/preflight-text.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf, printNotes } from "./report-options.ts";
import { failOnOf, formatOf } from "./settings.ts";
import { requiredClusters } from "./source/clusters.ts";
import { selectedNodes } from "./source/node-selection.ts";
import { parseTaintText } from "./source/taint-text.ts";
import { Workspaces } from "./source/workspace.ts";
import { Unusable } from "./unusable.ts";

/** Prints what a taint would change; 0 unless --fail-on is given and something would be lost (a warning). */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "preflight", ["text", "json", "markdown"]);
  const failOn = failOnOf(args, "never");
  const palette = paletteOf(args, host);
  const [extra] = args.operands;
  if (extra !== undefined)
    throw new Unusable(`preflight takes no operand, but got "${extra}"; name nodes with --node or --selector.`);
  const written = args.one("taint");
  if (written === null) throw new Unusable("preflight needs a taint: --taint KEY=VALUE:EFFECT.");
  const { taint, removes } = parseTaintText(written);
  const change = { taint, remove: removes || args.has("remove") };
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const { config } = workspaces.of(host.cwd);
  const sources = await requiredClusters(args, host, workspaces);
  const clusters = sources.used();
  const nodes = selectedNodes(args, clusters);
  if (nodes === null) throw new Unusable("preflight needs nodes: --node NAME or --selector K=V.");

  const reports = clusters.map((cluster) => reportPreflight(cluster, { ...change, nodes }, config));

  printNotes(sources.notes(), host);
  if (format === "json") {
    host.stdout.write(jsonText(preflightJson(reports)));
  } else {
    const texts = reports.map((report) =>
      format === "text" ? preflightText(report, palette) : preflightMarkdown(report),
    );
    host.stdout.write(texts.join("\n"));
  }
  return reaches(reports.some(doesHarm) ? ["warning"] : [], failOn) ? 1 : 0;
}
