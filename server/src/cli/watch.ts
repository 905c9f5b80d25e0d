// Command-line layer: `taintwise watch`: the table of `nodes`, drawn again whenever the cluster changes.
import type { ClusterModel } from "../cluster/model.ts";
import { WatchedCluster } from "../explorer/watched-cluster.ts";
import { nodesText } from "../report/nodes-text.ts";
import { clipped } from "../report/printable.ts";
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
  const watched = new WatchedCluster(config);
  let shown = "";
  let last = "";
  const { stdout } = host;
  const draw = (): void => {
    stdout.raw(HOME);
    stdout.write(fitted(shown, stdout.columns, stdout.rows));
  };
  if (stdout.isTerminal) {
    stdout.raw(CLEAR);
    stdout.onResize(draw);
  }
  await followCluster(args, host, (model, problems) => {
    const wrong = problems.map((problem) => `${palette.severity("error")("!")} ${problem}\n`).join("");
    const rows = model === null ? [] : watched.rows(model).filter((row) => !onlyProblems || row.severity !== "none");
    const table = (of: ClusterModel | null) => (of === null ? "" : nodesText(of, rows, palette));
    shown = `${table(model)}${wrong}`;
    if (shown === "") return;
    if (stdout.isTerminal) {
      draw();
      return;
    }
    // Heartbeats change the time of the table and nothing else that is shown.
    const text = `${table(model === null ? null : { ...model, observedAt: null })}${wrong}`;
    if (text === last) return;
    last = text;
    stdout.write(`${shown}\n`);
  });
  return 0;
}

/**
 * Lines cut at the terminal's edge, and no more of them than it has: a line that wraps, or one too many, would push the
 * table out of place. The last line says how many are left.
 */
function fitted(text: string, width: number, height: number | null): string {
  const lines = text.replace(/\n$/, "").split("\n");
  // The cursor takes a line of its own.
  const room = height === null ? lines.length : Math.max(3, height - 1);
  const left = lines.length - room + 1;
  const kept =
    lines.length <= room
      ? lines
      : [...lines.slice(0, room - 1), `… ${left} more lines: make it taller, or add --only-problems`];
  return `${kept.map((line) => clipped(line, width)).join("\n")}\n`;
}
