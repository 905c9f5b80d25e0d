// Command-line layer: `taintwise check`.
import { relative, resolve } from "node:path";
import { checkJson } from "../report/check-json.ts";
import { checkMarkdown } from "../report/check-markdown.ts";
import { type CheckReport, reaches } from "../report/check-report.ts";
import { problemText, summaryText } from "../report/check-text.ts";
import { jsonText } from "../report/document.ts";
import { githubLines } from "../report/github.ts";
import { missingNotes } from "../report/missing-parts.ts";
import type { Palette } from "../report/paint.ts";
import { paletteFor } from "../report/paint.ts";
import { type Problem, problemsOf } from "../report/problem.ts";
import { sarifText } from "../report/sarif.ts";
import { count } from "../report/text-layout.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode, Host } from "./host.ts";
import { progressOn } from "./progress.ts";
import { choice, codesOf, FORMATS, type Format, failOnOf, formatOf } from "./settings.ts";
import { checkManifests } from "./source/checking.ts";
import { type ClusterSources, clusterSources } from "./source/clusters.ts";
import { LeftOut } from "./source/left-out.ts";
import { requireOperands } from "./source/manifests.ts";
import { NO_CLUSTER } from "./source/notes.ts";
import { Workspaces } from "./source/workspace.ts";

/** Checks manifests and prints what is wrong; 1 when a diagnostic reaches --fail-on. */
export async function run(args: Arguments, host: Host): Promise<ExitCode> {
  const format = formatOf<Format>(args, "check", FORMATS);
  const failOn = failOnOf(args, "warning");
  const codes = codesOf(args);
  const palette = paletteFor(host.stdout, choice(args, "color", ["auto", "always", "never"], "auto"), host.env);
  requireOperands(args.operands, host.cwd, "check");
  const workspaces = new Workspaces(host.cwd, args.one("config"));
  const clusters = await clusterSources(args, host, workspaces);
  const print = textPrinter(format, host, palette, clusters);

  const problems: Problem[] = [];
  const unreadable: string[] = [];
  const leftOut = new LeftOut();
  let files = 0;
  const progress = progressOn(host);
  let failed = false;
  const onUnreadable = (path: string, reason: string, binary: boolean): void => {
    unreadable.push(`${path}: not checked: ${reason}.`);
    failed ||= !binary;
  };
  for await (const checked of checkManifests({ operands: args.operands, workspaces, clusters, onUnreadable }, host)) {
    files += 1;
    leftOut.add(checked);
    const wanted = checked.diagnoses.filter((diagnostic) => codes === null || codes.has(diagnostic.code));
    const found = problemsOf(checked.source.path, checked.text, wanted);
    if (found.length > 0) progress.done();
    for (const problem of found) {
      problems.push(problem);
      print(problem);
    }
    progress.report(
      () => `${count(files, "file")} checked, ${count(problems.length, "problem")}: ${checked.source.path}`,
    );
  }
  progress.done();

  const models = clusters.used();
  const notes = [
    ...(models.length === 0 ? [NO_CLUSTER] : models.flatMap((model) => missingNotes(model, leftOut.asksForDevices))),
    ...clusters.notes(),
    ...leftOut.notes(),
    ...unreadable,
  ];
  for (const note of notes) host.stderr.write(`taintwise: ${note}\n`);
  host.stdout.write(closing(format, { files, clusters: models, problems, notes }, host, palette));
  if (failed) return 2;
  return reaches(
    problems.map((problem) => problem.diagnostic.severity),
    failOn,
  )
    ? 1
    : 0;
}

/** Text is printed as it is found; the other formats are one document at the end. */
function textPrinter(
  format: Format,
  host: Host,
  palette: Palette,
  clusters: ClusterSources,
): (problem: Problem) => void {
  if (format !== "text") return () => undefined;
  return (problem) => host.stdout.write(problemText(problem, palette, clusters.used().length > 1));
}

function closing(format: Format, report: CheckReport, host: Host, palette: Palette): string {
  switch (format) {
    case "text":
      return summaryText(report, palette);
    case "json":
      return jsonText(checkJson(report));
    case "sarif":
      return sarifText(report, relativeToRoot(host));
    case "github":
      return githubLines(report, relativeToRoot(host));
    case "markdown":
      return checkMarkdown(report);
  }
}

/** Paths as a repository's service wants them: relative to its root, where they lie below it. */
function relativeToRoot(host: Host): (path: string) => string {
  const root = host.env.GITHUB_WORKSPACE ?? host.cwd;
  return (path) => {
    if (path.startsWith("<")) return path;
    const below = relative(root, resolve(host.cwd, path)).replaceAll("\\", "/");
    return below.startsWith("..") || below === "" ? path : below;
  };
}
