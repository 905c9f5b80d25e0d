// Report layer: annotation lines of GitHub Actions (workflow commands).
import type { Severity } from "../../../shared/src/severity.ts";
import type { CheckReport } from "./check-report.ts";
import type { Problem } from "./problem.ts";

/** Levels of annotations. */
export const GITHUB_LEVELS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  information: "notice",
  hint: "notice",
};

/**
 * One line per problem: `::warning file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, 1-based.
 * `relative` turns a path as it was named into one relative to the repository's root.
 */
export function githubLines(report: CheckReport, relative: (path: string) => string): string {
  const notes = report.notes.map((note) => command("notice", { title: "taintwise" }, note));
  return [...report.problems.map((problem) => annotation(problem, relative)), ...notes].join("");
}

function annotation(problem: Problem, relative: (path: string) => string): string {
  const { diagnostic, range } = problem;
  const oneLine = range.start.line === range.end.line;
  return command(
    GITHUB_LEVELS[diagnostic.severity],
    {
      file: relative(problem.path),
      line: String(range.start.line + 1),
      // GitHub refuses columns of a range over several lines.
      ...(oneLine ? { col: String(range.start.character + 1) } : {}),
      endLine: String(range.end.line + 1),
      ...(oneLine ? { endColumn: String(range.end.character + 1) } : {}),
      title: `taintwise ${diagnostic.code}`,
    },
    diagnostic.message,
  );
}

/** One workflow command with everything escaped that the runner would take as its own. */
export function command(level: string, properties: Readonly<Record<string, string>>, message: string): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${list.join(",")}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
