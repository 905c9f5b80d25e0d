// Command-line layer: `taintwise preflight`, also `taintwise whatif taint`.
import { indexCoverage } from "../coverage/coverage-index.ts";
import { findRole } from "../coverage/find-role.ts";
import { preflight, preflightPatches } from "../coverage/preflight.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { ownerOf } from "../features/fixes/owner.ts";
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { preflightJson } from "../report/preflight-json.ts";
import { doesHarm, type PreflightReport } from "../report/preflight-report.ts";
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

  const reports = clusters.map((cluster): PreflightReport => {
    const pools = config.pools.filter((pool) => pool.clusters.length === 0 || pool.clusters.includes(cluster.name));
    const index = indexCoverage(cluster, { scheduling: schedulingOf(config, cluster), pools });
    const wanted = { ...change, nodes: nodes.filter((name) => cluster.nodes.has(name)) };
    const answer = preflight(index, wanted);
    return {
      cluster,
      change,
      answer,
      patches: preflightPatches(answer, wanted, ownerOf),
      roleOf: (workload) => findRole(workload, config.roles).role,
    };
  });

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
