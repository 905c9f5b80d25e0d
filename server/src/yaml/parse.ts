// YAML layer: one document of a file → our tree. Never throws; problems are collected.
//
// The reader (read/) follows Kubernetes' own reader step by step, so that a document is refused, typed and merged here
// as it is there; no mode of a JavaScript parser does that. What it refuses goes through the `yaml` package as well, which
// recovers from errors and so gives an editor something to work with.
import { composeDocument } from "./compose.ts";
import { type Beginning, readDocument } from "./read/document.ts";
import type { ScannedDocument } from "./scan.ts";
import type { YamlDocument, YamlProblem } from "./tree.ts";

/** Above this length (UTF-16 units) no recovery by the package: its time grows with the square of some lines. */
const LONGEST_RECOVERED = 20_000;
const MOST_SYNTAX_PROBLEMS = 5;

/** Parses one document of `text`; all spans are UTF-16 offsets in `text`. */
export function parseDocument(text: string, { span, head }: ScannedDocument): YamlDocument {
  // A document that starts on the line of its mark has the mark's dashes right before it.
  const inline = text[span.start - 1] === "-";
  return parse(text.slice(span.start, span.end), { base: span.start, inline, directives: head !== span.start });
}

/** Parses a text that is one document, e.g. a configuration file or a ConfigMap's value. */
export function parseText(text: string): YamlDocument {
  return parse(text, { base: 0, inline: false, directives: false });
}

/**
 * Whether Kubernetes refuses the document for this problem. A duplicate key alone is accepted (the last one counts)
 * unless strict validation is asked for.
 */
export function isFatal(problem: YamlProblem): boolean {
  return problem.code !== "duplicate-key";
}

function parse(source: string, beginning: Beginning): YamlDocument {
  const reading = readDocument(source, beginning);
  if ("read" in reading) return reading.read;
  const span = { start: beginning.base, end: beginning.base + source.length };
  if ("tooDeep" in reading) return { span, root: null, problems: [reading.tooDeep], aliases: [] };
  const { refused } = reading;
  if (source.length > LONGEST_RECOVERED) return { ...readUpTo(source, beginning, refused), span };
  const composed = composeDocument(source, beginning.base);
  return { ...composed, problems: [refused, ...furtherProblems(source, beginning.base, refused, composed.problems)] };
}

/** What stands before the line of a problem. */
function readUpTo(source: string, beginning: Beginning, problem: YamlProblem): YamlDocument {
  const end = source.lastIndexOf("\n", problem.span.start - beginning.base) + 1;
  const reading = readDocument(source.slice(0, end), beginning);
  if ("read" in reading) return { ...reading.read, problems: [problem, ...reading.read.problems] };
  return { span: problem.span, root: null, problems: [problem], aliases: [] };
}

/** The package repeats the first error in its own words, and finds more behind it, some of them only in its wake. */
function furtherProblems(
  source: string,
  start: number,
  first: YamlProblem,
  problems: readonly YamlProblem[],
): readonly YamlProblem[] {
  const line = (problem: YamlProblem) => source.lastIndexOf("\n", problem.span.start - start - 1);
  const seen = new Set([line(first)]);
  let left = MOST_SYNTAX_PROBLEMS - 1;
  return problems.filter((problem) => {
    if (problem.code !== "syntax" && problem.code !== "tab-indent") return true;
    if (seen.has(line(problem)) || left === 0) return false;
    seen.add(line(problem));
    left--;
    return true;
  });
}
