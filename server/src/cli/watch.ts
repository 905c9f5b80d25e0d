// Command-line layer: `taintwise watch`: the table of `nodes`, drawn again whenever the cluster changes.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { nodeRows } from "../report/nodes-report.ts";
import { nodesText } from "../report/nodes-text.ts";
import type { Palette } from "../report/paint.ts";
import { clipped } from "../report/printable.ts";
import { triageOptions } from "../triage/options.ts";
import { triage } from "../triage/triage.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { paletteOf } from "./report-options.ts";
import { followCluster } from "./source/following.ts";
import { Workspaces } from "./source/workspace.ts";
import { Unusable } from "./unusable.ts";

/** Takes the screen, once; the table follows. */
const CLEAR = "\u001b[2J";
/** Puts the cursor into the corner and clears what is below: nothing flickers. */
const HOME = "\u001b[H\u001b[J";

/** Follows one cluster until it is interrupted, or the source ends. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const [extra] = args.operands;
  if (extra !== undefined) throw new Unusable(`watch takes no operand, but got "${extra}".`);
  const palette = paletteOf(args, host);
  const { config } = new Workspaces(host.cwd, args.one("config")).of(host.cwd);
  const onlyProblems = args.has("only-problems");
  let last = "";
  if (host.stdout.isTerminal) host.stdout.raw(CLEAR);
  await followCluster(args, host, (model, problems) => {
    const text = [
      model === null ? "" : tableText(model, config, palette, onlyProblems),
      ...problems.map((problem) => `${palette.severity("error")("!")} ${problem}\n`),
    ].join("");
    // Heartbeats change the model and nothing that is shown.
    if (text === last || text === "") return;
    last = text;
    if (host.stdout.isTerminal) {
      host.stdout.raw(HOME);
      host.stdout.write(fitted(text, host.stdout.columns));
    } else host.stdout.write(`${text}\n`);
  });
  return 0;
}

function tableText(model: ClusterModel, config: WorkspaceConfig, palette: Palette, onlyProblems: boolean): string {
  const report = triage(model, { scheduling: schedulingOf(config, model), ...triageOptions(config) });
  const rows = nodeRows(model, report, null).filter((row) => !onlyProblems || row.severity !== "none");
  return nodesText(model, rows, palette);
}

/** Lines cut at the terminal's edge: a line that wraps would push the table out of place. */
function fitted(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => clipped(line, width))
    .join("\n");
}
