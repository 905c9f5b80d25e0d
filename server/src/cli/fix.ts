// Command-line layer: `taintwise fix`.
import type { Severity } from "../../../shared/src/severity.ts";
import { reaches } from "../report/check-report.ts";
import { jsonText } from "../report/document.ts";
import { type Palette, PLAIN, paletteFor } from "../report/paint.ts";
import { problemPlace, problemsOf } from "../report/problem.ts";
import { count } from "../report/text-layout.ts";
import { unifiedDiff } from "../text/diff.ts";
import type { Arguments } from "./arguments.ts";
import { type FixedFile, fixJson, type NotFixed } from "./fix-json.ts";
import type { ExitCode, Host } from "./host.ts";
import { progressOn } from "./progress.ts";
import { choice, codesOf, formatOf } from "./settings.ts";
import { checkManifests } from "./source/checking.ts";
import { clusterSources } from "./source/clusters.ts";
import { fixText } from "./source/fixing.ts";
import { requireOperands } from "./source/manifests.ts";
import { NO_CLUSTER } from "./source/notes.ts";
import { Workspaces } from "./source/workspace.ts";
import { replaceFile } from "./write-file.ts";

/**
 * Applies fixes to manifests. Standard input is fixed to standard output. 2 when a file could not be read or written,
 * 1 when Kubernetes could not read a manifest: nobody knows what would have to be fixed in it.
 */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf(args, "fix", ["text", "json"]);
  const codes = codesOf(args);
  const dryRun = args.has("dry-run");
  const palette = paletteFor(host.stdout, choice(args, "color", ["auto", "always", "never"], "auto"), host.env);
  requireOperands(args.operands, host.cwd, "fix");
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const clusters = await clusterSources(args, host, workspaces);

  const fixed: FixedFile[] = [];
  let files = 0;
  let failed = false;
  const notFixed: NotFixed[] = [];
  const broken: Severity[] = [];
  const complain = (path: string, reason: string, binary = false): void => {
    failed ||= !binary;
    notFixed.push({ path, range: null, message: reason });
    host.stderr.write(`taintwise: ${path}: not fixed: ${reason}.\n`);
  };
  const progress = progressOn(host);
  const checking = { operands: args.operands, workspaces, clusters, onUnreadable: complain };
  for await (const checked of checkManifests(checking, host)) {
    files += 1;
    const { source, text, snapshot } = checked;
    const result = fixText(snapshot, checked.facts, text, codes);
    if (result.refused !== null) complain(source.path, result.refused);
    const problems = result.left.filter((diagnostic) => diagnostic.code === "yaml-problem");
    for (const problem of problemsOf(source.path, result.text, problems)) {
      const { message, severity } = problem.diagnostic;
      broken.push(severity);
      notFixed.push({ path: problem.path, range: problem.range, message });
      progress.done();
      host.stderr.write(`taintwise: ${problemPlace(problem)}: not fixed: ${message}\n`);
    }
    const changed = result.text !== text;
    if (source.file === null && !dryRun && format === "text") host.stdout.raw(result.text);
    progress.report(() => `${count(files, "file")} read, ${count(fixed.length, "file")} fixed: ${source.path}`);
    if (!changed) continue;
    progress.done();
    const diff = unifiedDiff(source.path, text, result.text);
    if (source.file !== null && !dryRun) {
      if (checked.encoding !== "utf8") {
        complain(source.path, "it is written in UTF-16; save it as UTF-8 first");
        continue;
      }
      replaceFile(source.file, source.path, Buffer.from(text, "utf8"), Buffer.from(result.text, "utf8"));
    }
    fixed.push({ path: source.path, applied: result.applied, diff });
    if (format === "text") report(host, palette, dryRun, source.file === null, fixed.at(-1));
  }
  progress.done();
  // Safe fixes need no cluster; without one, "nothing to fix" for other codes may only mean that nothing is known.
  if (codes !== null && clusters.used().length === 0) host.stderr.write(`taintwise: ${NO_CLUSTER}\n`);
  if (format === "json") {
    host.stdout.write(jsonText(fixJson(clusters.used(), files, dryRun, fixed, notFixed)));
  } else host.stderr.write(`${summary(files, fixed, dryRun)}\n`);
  if (failed) return 2;
  return reaches(broken, "warning") ? 1 : 0;
}

function report(host: Host, palette: Palette, dryRun: boolean, stdin: boolean, file: FixedFile | undefined): void {
  if (file === undefined) return;
  if (dryRun) {
    // `patch` needs every byte; a terminal must obey none of them.
    if (host.stdout.isTerminal || palette !== PLAIN) host.stdout.write(paintDiff(file.diff, palette));
    else host.stdout.raw(file.diff);
    return;
  }
  const lines = file.applied.map(({ code, title }) => `${file.path}: ${code}: ${title}\n`);
  (stdin ? host.stderr : host.stdout).write(lines.join(""));
}

/** A unified diff in colour. */
function paintDiff(diff: string, palette: Palette): string {
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("--- ") || line.startsWith("+++ ")) return palette.strong(line);
      if (line.startsWith("@@")) return palette.faint(line);
      if (line.startsWith("+")) return palette.added(line);
      return line.startsWith("-") ? palette.removed(line) : line;
    })
    .join("\n");
}

function summary(files: number, fixed: readonly FixedFile[], dryRun: boolean): string {
  const fixes = fixed.reduce((sum, file) => sum + file.applied.length, 0);
  if (fixes === 0) return `Nothing to fix in ${count(files, "file")}.`;
  const what = `${count(fixes, "fix", "fixes")} in ${fixed.length} of ${count(files, "file")}`;
  return dryRun ? `${what} would be applied.` : `${what} applied.`;
}
