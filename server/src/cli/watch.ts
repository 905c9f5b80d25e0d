// Command-line layer: `taintwise watch`: the table of `nodes`, drawn again whenever the cluster changes.
import type { ClusterModel } from "../cluster/model.ts";
import type { WorkspaceConfig } from "../config/workspace.ts";
import { schedulingOf } from "../features/diagnostics/judge.ts";
import { nodeRows } from "../report/nodes-report.ts";
import { nodesText } from "../report/nodes-text.ts";
import type { Palette } from "../report/paint.ts";
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
  if (host.stdout.isTerminal) host.stdout.write(CLEAR);
  await followCluster(args, host, (model, problems) => {
    const text = [
      model === null ? "" : tableText(model, config, palette, onlyProblems),
      ...problems.map((problem) => `${palette.severity("error")("!")} ${problem}\n`),
    ].join("");
    // Heartbeats change the model and nothing that is shown.
    if (text === last || text === "") return;
    last = text;
    host.stdout.write(host.stdout.isTerminal ? `${HOME}${clipped(text, host.stdout.columns)}` : `${text}\n`);
  });
  return 0;
}

function tableText(model: ClusterModel, config: WorkspaceConfig, palette: Palette, onlyProblems: boolean): string {
  const report = triage(model, { scheduling: schedulingOf(config, model), ...triageOptions(config) });
  const rows = nodeRows(model, report, null).filter((row) => !onlyProblems || row.severity !== "none");
  return nodesText(model, rows, palette);
}

/** Lines cut at the terminal's edge: a line that wraps would push the table out of place. Colours end with the line. */
function clipped(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => {
      let shown = 0;
      let made = "";
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
      for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
        if (part.startsWith("\u001b")) {
          made += part;
          continue;
        }
        const chars = [...part].slice(0, Math.max(0, width - shown));
        shown += chars.length;
        made += chars.join("");
      }
      return made;
    })
    .join("\n");
}
